import { TreadleError } from '../core/errors.ts';

/** A fatal error of a file: names the place and what the file should be. */
export function createFileError(message: string, hint?: string): TreadleError {
  return new TreadleError('IMPORT_FILE_BROKEN', message, {
    status: 422,
    hint: hint ?? 'NDJSON has one object per line, JSON a list of objects, CSV a header line. All are UTF-8.',
  });
}
