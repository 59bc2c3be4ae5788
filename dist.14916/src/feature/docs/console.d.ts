import type { CallFacts } from './call-facts.ts';
import type { Source } from './source.ts';
interface ConsoleField {
    readonly id: string;
    readonly name: string;
    readonly place: 'path' | 'query';
    readonly value: string;
    readonly isRequired: boolean;
    readonly description: string;
    /** Values to choose from, if there are few. */
    readonly options: readonly string[];
}
/** The form on a call's page that sends a real call. */
export interface Console {
    /** Server of the calls: empty for the page's own server. */
    readonly server: string;
    readonly path: string;
    readonly access: string;
    readonly methods: readonly {
        readonly name: string;
        readonly isPicked: boolean;
    }[];
    readonly hasChoice: boolean;
    /** Fields shown at once: the path, and required values. */
    readonly fields: readonly ConsoleField[];
    readonly more: readonly ConsoleField[];
    readonly moreCount: number;
    readonly body: string | undefined;
    readonly rows: number;
    readonly isUser: boolean;
    readonly isApp: boolean;
    readonly isElsewhere: boolean;
    readonly changes: boolean;
}
/** Undefined if the docs know no server to call. */
export declare function toConsole(facts: CallFacts, { server }: Source): Console | undefined;
export {};
