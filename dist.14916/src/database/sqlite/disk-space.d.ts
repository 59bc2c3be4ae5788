import type { TreadleError } from '../../core/errors.ts';
/** @throws DATABASE_FULL */
export declare function checkRoom(file: string): Promise<void>;
/**
 * SQLite reports an I/O error if its shared memory (a file next to the database) finds no space. When a
 * transaction begins, nothing has been written yet, so this means a full disk and not a failure.
 */
export declare function explainBegin(file: string, error: TreadleError): Promise<TreadleError>;
