import { TreadleError } from '../../core/errors.ts';
/** A fatal error of a file: names the place and what the file should be. */
export declare function createFileError(message: string, hint?: string): TreadleError;
