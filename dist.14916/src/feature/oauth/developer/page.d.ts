import type { Row } from '../../../database/database.ts';
import { type Tab } from '../../../developer/app-head.ts';
import { type Pair } from '../../../developer/frame.ts';
import type { Context } from '../../../plan/feature.ts';
import type { ClientApp } from '../client/app-row.ts';
interface Page {
    readonly name: string;
    readonly title: string;
    readonly data: Row;
}
/** Shows a page of the developer section. */
export declare function showDeveloperPage(context: Context, pair: Pair, page: Page): void;
/** Shows a page of one app. */
export declare function showAppPage(context: Context, pair: Pair, { app, tab, ...page }: Page & {
    readonly app: ClientApp;
    readonly tab: Tab;
}): void;
/** Fills the stage that selects an app: the owner comes from the session, never from the form. */
export declare function nameApp({ request }: Pair, owner: number, more?: Row): void;
/** The user's own app in the path, also one of a definition file; undefined if another response was set. */
export declare function requireApp(context: Context, pair: Pair, showMissing: (context: Context, pair: Pair) => Promise<void>): Promise<{
    readonly app: ClientApp;
    readonly owner: number;
} | undefined>;
/** Formats unix seconds for pages and the helper `relative`; undefined if there is no value. */
export declare const toTime: (seconds: unknown) => string | undefined;
export {};
