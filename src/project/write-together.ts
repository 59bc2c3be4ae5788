import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readCode, TreadleError } from '../core/errors.ts';
import { findWriteTarget } from '../core/file/write-target.ts';
import { notePending, type PendingFile, settlePending } from './pending-write.ts';
import { writeFileAtomically, writeTemporary } from './write.ts';

/** A file to write; without a text it is removed. */
export interface FileChange {
  /** Path from the project's root. */
  readonly file: string;
  readonly text: string | undefined;
}

interface PreparedChange extends FileChange {
  readonly path: string;
  readonly temporary: string | undefined;
  readonly old: string | undefined;
}

const toPending = ({ file, old, text }: PreparedChange): PendingFile => ({ file, before: old, text });

async function readOld(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (readCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** A definition that is a symbolic link, as some editors and deployments make them, stays one. */
async function prepareText(given: string, text: string): Promise<{ readonly path: string; readonly file: string }> {
  const { path } = await findWriteTarget(given);
  return { path, file: await writeTemporary(path, text) };
}

/**
 * Writes, moves and removes files together: writes all texts to disk before it replaces the first file, and
 * restores the old files if a later step fails. If the process is killed between two files, the next reader of the
 * project finishes the rest.
 * @throws PROJECT_WRITE_FAILED with the cause; every file is as it was.
 */
export async function writeTogether(root: string, changes: readonly FileChange[]): Promise<void> {
  const prepared: PreparedChange[] = [];
  const done: PreparedChange[] = [];
  let note: string | undefined;
  try {
    for (const change of changes) {
      const path = join(root, change.file);
      const old = await readOld(path);
      const temporary = change.text === undefined ? undefined : await prepareText(path, change.text);
      prepared.push({ ...change, path: temporary?.path ?? path, old, temporary: temporary?.file });
    }
    // One file is replaced at once.
    if (prepared.length > 1) note = await notePending(root, prepared.map(toPending));
    // Removes files last: until then a reader finds them under their old names.
    for (const each of [...prepared].sort((a, b) => Number(a.text === undefined) - Number(b.text === undefined))) {
      if (each.temporary === undefined) await rm(each.path, { force: true });
      else await rename(each.temporary, each.path);
      done.push(each);
    }
    if (note !== undefined) await settlePending(note);
  } catch (error) {
    for (const { path, old } of done.reverse()) {
      if (old === undefined) await rm(path, { force: true });
      else await writeFileAtomically(path, old);
    }
    if (note !== undefined) await settlePending(note);
    for (const { temporary } of prepared) if (temporary !== undefined) await rm(temporary, { force: true });
    throw new TreadleError('PROJECT_WRITE_FAILED', 'The files could not be written; none was changed.', {
      cause: error,
    });
  }
}
