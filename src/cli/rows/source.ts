import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createUsageError } from '../failure.ts';
import type { Invocation } from '../spec.ts';

/** Number of bytes per read of a file. */
const PIECE = 256 * 1024;

export interface FileSource {
  readonly bytes: AsyncIterable<string | Uint8Array>;
  /** Total bytes, if known. */
  readonly size: number | undefined;
}

/** Opens a file, or standard input for `-`. @throws CLI_USAGE if the file does not exist or is a folder. */
export async function openSource({ cwd, terminal }: Invocation, file: string): Promise<FileSource> {
  if (file === '-') return { bytes: terminal.input, size: undefined };
  const path = resolve(cwd, file);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    throw createUsageError(`There is no file ${file}.`, 'A relative path starts at the current folder.');
  });
  if (found.isDirectory()) throw createUsageError(`${file} is a folder.`, 'Name a file in it.');
  return {
    bytes: createReadStream(path, { highWaterMark: PIECE }),
    size: found.isFile() ? found.size : undefined,
  };
}
