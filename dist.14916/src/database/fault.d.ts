import { TreadleError } from '../core/errors.ts';
/** The violated constraint, for a message next to a field. */
export interface ConstraintDetail {
    readonly kind: 'unique' | 'notnull' | 'foreign' | 'check';
    readonly table: string | undefined;
    readonly columns: readonly string[];
    readonly sql?: string;
}
/** Seconds after which a client may retry. */
export declare const RETRY: {
    'retry-after': string;
};
export declare function constraintError(detail: ConstraintDetail, cause: unknown): TreadleError;
export declare function busyError(cause?: unknown): TreadleError;
export declare function fullError(options: {
    readonly detail: unknown;
    readonly cause: unknown;
}): TreadleError;
export declare function closedError(): TreadleError;
/** Error for a statement that would change the transaction without the driver's knowledge. */
export declare function refusedError(sql: string): TreadleError;
/** Whether a statement failed because a table, column or unique index is missing. */
export declare function isStructureFault(error: unknown): boolean;
