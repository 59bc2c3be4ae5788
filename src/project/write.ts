import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ProblemsError, TreadleError } from '../core/errors.ts';
import { printChanged } from '../model/json-schema.ts';
import { parseDefinition } from '../model/parse.ts';
import { type FileKind, toFile } from '../model/shape.ts';

export interface WriteOptions {
  /** Whether to tell only what would be done. Default false. */
  readonly isDryRun?: boolean;
}

export interface Written {
  /** Path from the project's root, with forward slashes. */
  readonly file: string;
  readonly text: string;
  /** Whether the file is new or its bytes are others than before. */
  readonly isChanged: boolean;
}

/** Ends the name of a file that is being written; the watcher passes it over. */
export const TEMPORARY = '.treadle-tmp';

// A name becomes a path, so nothing in it may leave the folder.
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Path of a definition's file. @throws PROJECT_NAME_INVALID where the name cannot be a file's. */
export function getFile(kind: FileKind, name: string): string {
  if (kind !== 'settings' && !FILE_NAME.test(name)) {
    throw new TreadleError('PROJECT_NAME_INVALID', `"${name}" is no name of a ${kind}.`, {
      status: 422,
      hint: 'Start with a small letter; letters, digits, "-" and "_" may follow.',
    });
  }
  return toFile(kind, name);
}

async function readOld(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes a file whole or not at all, even where the machine stops in between; makes the folders on the way. */
export async function writeFileAtomically(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}${TEMPORARY}`);
  try {
    const handle = await open(temporary, 'wx');
    try {
      await handle.writeFile(text, 'utf8');
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Writes a definition's file in the one form; what says the same as the file keeps it byte for byte.
 *
 * @throws PROJECT_DEFINITIONS_INVALID with the problems, where the value does not fit the kind's shape.
 * @throws PROJECT_NAME_INVALID where the name cannot be a file's.
 */
export async function writeDefinition(
  root: string,
  kind: FileKind,
  name: string,
  value: unknown,
  options: WriteOptions = {},
): Promise<Written> {
  const file = getFile(kind, name);
  const path = join(root, file);
  const old = await readOld(path);
  const text = printChanged(kind, value, old);
  const { problems } = parseDefinition(kind, file, text);
  if (problems.length > 0) throw new ProblemsError(problems);
  const isChanged = text !== old;
  if (isChanged && options.isDryRun !== true) await writeFileAtomically(path, text);
  return { file, text, isChanged };
}

/** Removes a definition's file; `isChanged` is false where there was none. */
export async function removeDefinition(
  root: string,
  kind: FileKind,
  name: string,
  options: WriteOptions = {},
): Promise<Written> {
  const file = getFile(kind, name);
  const path = join(root, file);
  const text = await readOld(path);
  if (text !== undefined && options.isDryRun !== true) await rm(path);
  return { file, text: text ?? '', isChanged: text !== undefined };
}
