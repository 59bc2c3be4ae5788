import { TreadleError } from '../../core/errors.ts';
import type { RawFault } from './binding.ts';
export declare const isBusy: (fault: RawFault) => boolean;
export declare const isBreaking: (fault: RawFault) => boolean;
export declare const isFatal: (fault: RawFault) => boolean;
/** True for errors made from a fatal fault ({@link isFatal}). */
export declare const isFailure: ({ code }: TreadleError) => boolean;
/**
 * A page that SQLite did not write. A restart does not repair it, so the process continues with what can be
 * read.
 */
export declare const isDamage: ({ code }: TreadleError) => boolean;
/**
 * Converts an error of SQLite to Treadle's. The SQL goes into `detail`, never into the message; parameters go
 * nowhere.
 */
export declare function toTreadleError(fault: unknown, sql?: string): TreadleError;
