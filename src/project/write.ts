import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { TreadleError } from '../core/errors.ts';
import { findWriteTarget, writeInto } from '../core/file/write-target.ts';
import { type FileKind, toFile } from '../model/shape.ts';

/** Suffix of temporary files; the watcher ignores it. */
export const TEMPORARY = '.treadle-tmp';

// A name becomes a path, so it must not leave the folder.
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Path of a definition's file. @throws PROJECT_NAME_INVALID if the name cannot be a file name. */
export function getFile(kind: FileKind, name: string): string {
  if (kind !== 'settings' && !FILE_NAME.test(name)) {
    throw new TreadleError('PROJECT_NAME_INVALID', `"${name}" is not a valid name for a ${kind}.`, {
      status: 422,
      hint: 'Start with a small letter; letters, digits, "-" and "_" may follow.',
    });
  }
  return toFile(kind, name);
}

/**
 * Writes a content to a temporary file in the folder of its target, and syncs it to disk. Creates missing folders.
 *
 * @param mode Permissions of the file, less the process's mask. Default 0o666.
 */
export async function writeTemporary(path: string, content: string | Uint8Array, mode?: number): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}${TEMPORARY}`);
  const handle = await open(temporary, 'wx', mode);
  try {
    await handle.writeFile(content, 'utf8');
    await handle.sync();
    return temporary;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/**
 * Writes a file completely or not at all, even if the machine crashes; creates missing folders. Replaces the file behind a
 * symbolic link, and keeps its permissions. Writes into a device or a pipe instead of replacing it.
 *
 * @throws WRITE_TARGET_INVALID if the path is a folder, or lies below a file.
 */
export async function writeFileAtomically(path: string, content: string | Uint8Array, mode?: number): Promise<void> {
  const target = await findWriteTarget(path);
  if (target.kind === 'stream') return writeInto(target, content);
  const temporary = await writeTemporary(target.path, content, mode);
  try {
    if (mode === undefined && target.mode !== undefined) await chmod(temporary, target.mode);
    await rename(temporary, target.path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
