import type { Context, RouteContribution } from '../../plan/feature.ts';
import { type Purpose } from './mail-token.ts';
import { type Pair } from './page.ts';
/** The page after a form that requests a mail: the same for every address. */
export declare function showMailed(context: Context, pair: Pair, { slug, purpose }: {
    readonly slug: unknown;
    readonly purpose: Purpose;
}): Promise<void>;
/** Pages for lost passwords and for the confirmation of e-mail addresses. */
export declare const mailRoutes: readonly RouteContribution[];
