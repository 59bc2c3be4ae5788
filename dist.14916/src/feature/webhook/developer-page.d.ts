import type { Row } from '../../database/database.ts';
import { type FramedPage, type Pair } from '../../developer/frame.ts';
import type { Context } from '../../plan/feature.ts';
import { type HookApp } from './hook-app.ts';
interface Page extends Omit<FramedPage, 'body'> {
    readonly name: string;
    readonly data: Row;
}
/** Shows a page of this feature in the developer section. */
export declare function showPage(context: Context, pair: Pair, { name, data, ...page }: Page): void;
/** Header data of every page about an app. */
export declare const toHookHead: (app: HookApp) => Row;
export interface OwnApp {
    readonly app: HookApp;
    /** The account, `auth_id`. */
    readonly owner: number;
}
/**
 * The app in the path if the logged-in account owns it. Another account's app looks like one that does not
 * exist.
 */
export declare function requireApp(context: Context, pair: Pair): Promise<OwnApp | undefined>;
/**
 * Emits an event of this feature for an account with its own stage, so that posted values cannot leak into
 * it.
 */
export declare function emitFor(context: Context, { request, response }: Pair, event: string, stage: Row): Promise<Row>;
/** Redirects and shows a message on the next page. */
export declare function leadTo(pair: Pair, path: string, message: string): void;
export {};
