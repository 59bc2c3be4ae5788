import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { TreadleError } from '../core/errors.ts';
import { TEMPORARY, writeFileAtomically } from './write.ts';

/** A file as it shall be; without a text it is removed. */
export interface FileChange {
  /** Path from the project's root. */
  readonly file: string;
  readonly text: string | undefined;
}

interface Prepared extends FileChange {
  readonly path: string;
  readonly temporary: string | undefined;
  readonly old: string | undefined;
}

async function readOld(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function writeTemporary(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}${TEMPORARY}`);
  const handle = await open(temporary, 'wx');
  try {
    await handle.writeFile(text, 'utf8');
    await handle.sync();
  } finally {
    await handle.close();
  }
  return temporary;
}

/**
 * Writes, moves and removes files together: all texts are on the disk before the first takes its place, and what took
 * its place is put back where a later one cannot.
 *
 * @throws PROJECT_WRITE_FAILED with the cause; every file is as it was.
 */
export async function writeTogether(root: string, changes: readonly FileChange[]): Promise<void> {
  const prepared: Prepared[] = [];
  const done: Prepared[] = [];
  try {
    for (const change of changes) {
      const path = join(root, change.file);
      const old = await readOld(path);
      const temporary = change.text === undefined ? undefined : await writeTemporary(path, change.text);
      prepared.push({ ...change, path, old, temporary });
    }
    // What is removed goes last: until then a reader finds the name under which it looked.
    for (const each of [...prepared].sort((a, b) => Number(a.text === undefined) - Number(b.text === undefined))) {
      if (each.temporary === undefined) await rm(each.path, { force: true });
      else await rename(each.temporary, each.path);
      done.push(each);
    }
  } catch (error) {
    for (const { path, old } of done.reverse()) {
      if (old === undefined) await rm(path, { force: true });
      else await writeFileAtomically(path, old);
    }
    for (const { temporary } of prepared) if (temporary !== undefined) await rm(temporary, { force: true });
    throw new TreadleError('PROJECT_WRITE_FAILED', 'The files could not be written; all are as they were.', {
      cause: error,
    });
  }
}
