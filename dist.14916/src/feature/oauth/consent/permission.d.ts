import type { Context } from '../../../plan/feature.ts';
/** A scope as shown in the dialog: its description, and the calls it allows. */
export interface Permission {
    readonly slug: string;
    readonly name: string;
    readonly description: string | undefined;
    /** Whether it needs approval by the site's operator. */
    readonly isApproved: boolean;
    readonly calls: readonly {
        readonly title: string;
        readonly method: string;
        readonly path: string;
    }[];
}
/** Describes a scope. An undefined one keeps its slug as name and allows nothing. */
export declare function toPermission({ plan }: Context, slug: string): Permission;
