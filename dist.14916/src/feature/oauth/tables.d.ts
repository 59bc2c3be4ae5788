import type { SystemTable } from '../../database/database.ts';
export declare const APP = "treadle_app";
export declare const GRANT = "treadle_grant";
export declare const CODE = "treadle_code";
export declare const TOKEN = "treadle_token";
export declare const TRAFFIC = "treadle_app_traffic";
/** Values of an app's column `active`. An owner can resume a stopped app, but not a suspended one. */
export declare const APP_STATE: {
    readonly suspended: 0;
    readonly active: 1;
    readonly stopped: 2;
};
/**
 * Times named `…_at` or `…_until` are unix seconds, except two of a code that decide a race: those are
 * milliseconds.
 */
export declare const tables: readonly SystemTable[];
