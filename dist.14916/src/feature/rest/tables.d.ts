import type { SystemTable } from '../../database/database.ts';
export declare const KEY = "treadle_idempotency";
/** Answers to requests with an `Idempotency-Key`. */
export declare const tables: readonly SystemTable[];
