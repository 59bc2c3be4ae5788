import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { TreadleError } from '../../core/errors.ts';
import { fullError } from '../database-error.ts';

/** Bytes that must be free on the database's disk: enough to commit the largest body accepted by default. */
const LEAST_BYTES = 1_048_576;

/** Bytes that this user can still write to the disk of a file. */
async function readRoom(file: string): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(file));
  return bavail * bsize;
}

/** @throws DATABASE_FULL */
export async function checkRoom(file: string): Promise<void> {
  const bytes = await readRoom(file);
  if (bytes < LEAST_BYTES) throw fullError({ detail: { file, bytes }, cause: undefined });
}

/**
 * SQLite reports an I/O error if its shared memory (a file next to the database) finds no space. When a
 * transaction begins, nothing has been written yet, so this means a full disk and not a failure.
 */
export async function explainBegin(file: string, error: TreadleError): Promise<TreadleError> {
  if (error.code !== 'DATABASE_FAILED') return error;
  const bytes = await readRoom(file).catch(() => LEAST_BYTES);
  return bytes < LEAST_BYTES ? fullError({ detail: { file, bytes }, cause: error }) : error;
}
