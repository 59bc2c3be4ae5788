import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { FileChange } from './write-together.ts';

/** Folder of the notes about definitions that commands changed. Git ignores `var/`. */
const FOLDER = 'var/changes';

/** Which command gave a definition its text. */
export interface CommandNote {
  /** Its words, such as `schema create`. */
  readonly command: string;
  /** Name of the operating system's user, if it has one. */
  readonly user?: string | undefined;
  /** Unix milliseconds. */
  readonly at: number;
}

/** A note is found by what the file holds after the change, so that it never speaks for another text. */
const toPath = (root: string, { file, text }: FileChange): string =>
  join(
    root,
    FOLDER,
    `${createHash('sha256')
      .update(JSON.stringify([file, text ?? null]))
      .digest('hex')}.json`,
  );

/** A process in a container may run as a user without a name. */
function findUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

async function write(root: string, command: string, changes: readonly FileChange[]): Promise<void> {
  const note: CommandNote = { command, user: findUser(), at: Date.now() };
  for (const change of changes) {
    const path = toPath(root, change);
    const temporary = `${path}.${process.pid}`;
    await writeFile(temporary, JSON.stringify(note));
    await rename(temporary, path);
  }
}

/**
 * Notes that a command is about to write definitions, so that the history of a server names it. Call it before the files
 * are written: a server loads them at once. Without `var/` no server has run here, so none needs the note. A failure is
 * ignored: the history then says that a file changed.
 */
export async function noteCommand(root: string, command: string, changes: readonly FileChange[]): Promise<void> {
  const definitions = changes.filter(({ file }) => file.startsWith('config/'));
  if (definitions.length === 0) return;
  try {
    await mkdir(join(root, FOLDER)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await write(root, command, definitions);
  } catch {
    // See above.
  }
}

async function read(path: string): Promise<CommandNote | undefined> {
  try {
    const { command, user, at }: Partial<Record<keyof CommandNote, unknown>> = JSON.parse(await readFile(path, 'utf8'));
    if (typeof command !== 'string' || typeof at !== 'number') return undefined;
    return { command, user: typeof user === 'string' ? user : undefined, at };
  } catch {
    return undefined;
  }
}

/** The note of the command that gave a file its text, or removed it; undefined if something else did. */
export const readCommandNote = (root: string, change: FileChange): Promise<CommandNote | undefined> =>
  read(toPath(root, change));

/** Removes the notes of commands that ran before a time in Unix milliseconds. */
export async function forgetCommandNotes(root: string, before: number): Promise<void> {
  const names = await readdir(join(root, FOLDER)).catch(() => []);
  for (const name of names) {
    const path = join(root, FOLDER, name);
    const note = await read(path);
    if (note === undefined || note.at < before) await rm(path, { force: true });
  }
}
