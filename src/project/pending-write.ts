import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { readCode } from '../core/errors.ts';
import { isRunning } from '../core/is-running.ts';
import { writeFileAtomically } from './write.ts';

/** Folder of the notes about files that are being written together. */
const FOLDER = 'var/writing';
/** Milliseconds after which a note belongs to no running write, even if another process has its number now. */
const OLD_MS = 60_000;

/** A file that is being written, with its text before. Without a text it is removed. */
export interface PendingFile {
  readonly file: string;
  readonly before: string | undefined;
  readonly text: string | undefined;
}

interface Note {
  readonly pid: number;
  /** Start of the process: a container gives every process the same number. */
  readonly started: number;
  readonly noted: number;
  readonly files: readonly PendingFile[];
}

/** Notes on disk what is about to be written, so that it can be finished if the process dies meanwhile. Returns the note's path. */
export async function notePending(root: string, files: readonly PendingFile[]): Promise<string> {
  const note: Note = { pid: process.pid, started: performance.timeOrigin, noted: Date.now(), files };
  const path = join(root, FOLDER, `${randomUUID()}.json`);
  await writeFileAtomically(path, JSON.stringify(note));
  return path;
}

/** Forgets a note, after all of its files were written or restored. */
export async function settlePending(path: string): Promise<void> {
  await rm(path, { force: true });
  // A project that was never started keeps no var/.
  const folder = dirname(path);
  for (const each of [folder, dirname(folder)]) await rmdir(each).catch(() => undefined);
}

function isAbandoned({ pid, started, noted }: Note): boolean {
  if (Date.now() - noted > OLD_MS) return true;
  return pid === process.pid ? started !== performance.timeOrigin : !isRunning(pid);
}

async function readOrNothing(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (readCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function finish(root: string, path: string): Promise<void> {
  const text = await readOrNothing(path);
  if (text === undefined) return;
  const note: Note = JSON.parse(text);
  if (!isAbandoned(note)) return;
  for (const { file, before, text: wanted } of note.files) {
    const target = join(root, file);
    // A file that was changed since stays as it is.
    if ((await readOrNothing(target)) !== before) continue;
    if (wanted === undefined) await rm(target, { force: true });
    else await writeFileAtomically(target, wanted);
  }
  await settlePending(path);
}

/**
 * Finishes writes of several files that a process left half done because it was killed: the project is then as after
 * the write. Leaves writes that still run, and files that were changed since.
 */
export async function finishPending(root: string): Promise<void> {
  let names: string[];
  try {
    names = readdirSync(join(root, FOLDER));
  } catch {
    return;
  }
  for (const name of names.filter((each) => each.endsWith('.json') && !each.startsWith('.'))) {
    await finish(root, join(root, FOLDER, name));
  }
}
