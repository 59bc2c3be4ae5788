import type { Pair } from '../../developer/frame.ts';
import type { Context } from '../../plan/feature.ts';
import type { HookApp } from './hook-app.ts';
export declare const toAppPath: (app: HookApp) => string;
export declare function openApp(context: Context, pair: Pair): Promise<void>;
/**
 * One form with an `action` field. Allowed values are listed above; the app's owner comes from the session.
 */
export declare function postApp(context: Context, pair: Pair): Promise<void>;
