import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apartAsSystem } from '../../core/access.ts';
import { toSeconds } from '../../core/clock.ts';
import { readCode } from '../../core/errors.ts';
import type { Database, SystemTable } from '../../database/database.ts';
import { DEFINITION_KINDS, toFile } from '../../model/shape.ts';
import type { Context, Services, Worker } from '../../plan/feature.ts';
import { forgetCommandNotes, readCommandNote } from '../../project/command-note.ts';
import { type Origin, toEntryItem } from './sql.ts';

const TABLE = 'treadle_definition_file';
/** Seconds within which a save that was announced records its own entry. */
const SAVE_SECONDS = 600;
const LOCK = 'history-definition-files';

/** The definition files as the history knows them, so that it sees what an editor, a command or a deployment changed. */
export const definitionFileTable: SystemTable = {
  name: TABLE,
  columns: [
    { name: 'file', type: 'key' },
    // Null: the file does not exist yet.
    { name: 'text', type: 'text' },
    // What a save is about to write, and since when; null for a removal.
    { name: 'expected', type: 'text' },
    { name: 'expected_at', type: 'integer' },
  ],
};

/** A change of one file. Undefined: the file does not exist. */
export interface FileChange {
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

interface FileState {
  readonly text: string | undefined;
  readonly expected: string | undefined;
  readonly expectedAt: number | undefined;
}

/** `schema/article` of `config/schema/article.json`. Settings are their only file. */
function toSubject(file: string): string {
  const [kind = '', name] = file
    .replace(/^config\//, '')
    .replace(/\.json$/, '')
    .split('/');
  return `${kind}/${name ?? kind}`;
}

const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(readCode(error));

/** Gives undefined for a file or a folder that does not exist. */
async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The texts of a project's definition files. */
async function readFiles(root: string): Promise<Map<string, string>> {
  const files = [toFile('settings', 'settings')];
  for (const kind of DEFINITION_KINDS) {
    const names = (await unlessMissing(readdir(join(root, 'config', kind)))) ?? [];
    files.push(...names.filter((name) => /^[^.].*\.json$/.test(name)).map((name) => `config/${kind}/${name}`));
  }
  const texts = new Map<string, string>();
  for (const file of files) {
    const text = await unlessMissing(readFile(join(root, file), 'utf8'));
    if (text !== undefined) texts.set(file, text);
  }
  return texts;
}

/** A text; undefined for anything else. */
export const toText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

async function readKnown({ kysely }: Database): Promise<Map<string, FileState>> {
  const rows = await kysely.selectFrom(TABLE).selectAll().execute();
  return new Map(
    rows.map(({ file, text, expected, expected_at: at }) => [
      String(file),
      { text: toText(text), expected: toText(expected), expectedAt: at === null ? undefined : Number(at) },
    ]),
  );
}

/** What differs between what the history knows and the disk, except what a running save writes. */
function listChanges(
  known: ReadonlyMap<string, FileState>,
  disk: ReadonlyMap<string, string>,
  now: number,
): FileChange[] {
  const files = [...new Set([...known.keys(), ...disk.keys()])].sort();
  return files.flatMap((file) => {
    const { text: before, expected, expectedAt } = known.get(file) ?? {};
    const after = disk.get(file);
    const isSaving = expectedAt !== undefined && now - expectedAt < SAVE_SECONDS && after === expected;
    return before === after || isSaving ? [] : [{ file, before, after }];
  });
}

async function storeFile({ kysely }: Database, { file, after }: FileChange): Promise<void> {
  if (after === undefined) {
    await kysely.deleteFrom(TABLE).where('file', '=', file).execute();
    return;
  }
  const row = { text: after, expected: null, expected_at: null };
  await kysely
    .insertInto(TABLE)
    .values({ file, ...row })
    .onConflict((conflict) => conflict.column('file').doUpdateSet(row))
    .execute();
}

interface EntrySource {
  readonly authId: number | undefined;
  readonly origin: Origin;
  readonly title?: string | undefined;
  /** Name of the operating system's user who ran a command. */
  readonly user?: string | undefined;
}

/** Adds the entry of a changed file, and what the history knows of it. Call it inside a write. */
export async function recordFile(
  { database, clock }: Services,
  change: FileChange,
  { authId, origin, title, user }: EntrySource,
): Promise<void> {
  const { file, before, after } = change;
  const action = before === undefined ? 'create' : after === undefined ? 'remove' : 'update';
  const changes = { [file]: [before ?? null, after ?? null] as const };
  const details = title === undefined && user === undefined ? undefined : { title, user };
  const entry = { action, ...origin, changes, details };
  const createdAt = toSeconds(clock.now());
  const made = { subject: toSubject(file), authId, createdAt, entry };
  database.collect(toEntryItem(database.dialect, made, undefined));
  await storeFile(database, change);
}

/** Records a save so that other processes do not log it as an external edit. */
export async function expectFile(
  { database, clock }: Services,
  file: string,
  after: string | undefined,
): Promise<void> {
  const row = { expected: after ?? null, expected_at: toSeconds(clock.now()) };
  await database.write(async () => {
    await database.kysely
      .insertInto(TABLE)
      .values({ file, text: null, ...row })
      .onConflict((conflict) => conflict.column('file').doUpdateSet(row))
      .execute();
  });
}

const UNTOLD: EntrySource = { authId: undefined, origin: { door: 'file' } };

/** Who changed a file without the admin section: a command that left a note, or something unknown. */
async function readTold(root: string, { file, after }: FileChange): Promise<EntrySource> {
  const note = await readCommandNote(root, { file, text: after });
  if (note === undefined) return UNTOLD;
  return { authId: undefined, origin: { door: 'command', source: note.command }, user: note.user };
}

const readNow = async ({ database, clock }: Services) => ({
  known: await readKnown(database),
  now: toSeconds(clock.now()),
});

/** Adds the entries of changed files. Another process may have recorded them meanwhile. */
async function recordChanges(
  services: Services,
  disk: ReadonlyMap<string, string>,
  told: ReadonlyMap<string, EntrySource>,
): Promise<void> {
  const { database } = services;
  await database.transaction(async () => {
    await database.lock(LOCK);
    const { known, now } = await readNow(services);
    const isFirst = [...known.values()].every(({ text }) => text === undefined);
    for (const change of listChanges(known, disk, now)) {
      if (isFirst) await storeFile(database, change);
      else await recordFile(services, change, told.get(change.file) ?? UNTOLD);
    }
  });
}

/** Records the files that differ from what the history knows. The first time it only learns them. */
export async function recordFiles(services: Services): Promise<void> {
  const { clock, root } = services;
  const disk = await readFiles(root);
  const { known, now } = await readNow(services);
  const found = listChanges(known, disk, now);
  const told = new Map<string, EntrySource>();
  for (const change of found) told.set(change.file, await readTold(root, change));
  if (found.length > 0) await recordChanges(services, disk, told);
  // Another server of this folder, with a database of its own, may load the files a little later.
  await forgetCommandNotes(root, clock.now() - SAVE_SECONDS * 1000);
}

/** Forgets the files if no history is recorded. */
async function forgetFiles({ database, root }: Services): Promise<void> {
  await forgetCommandNotes(root, Number.POSITIVE_INFINITY);
  if ((await readKnown(database)).size === 0) return;
  await database.write(() => database.kysely.deleteFrom(TABLE).execute());
}

/** Records, each time that a server has loaded the definitions, which files changed since. */
export function createFileRecorder({ plan, services }: Context): Worker {
  const isKept = plan.model.settings.history.days > 0;
  const work = apartAsSystem(() => (isKept ? recordFiles(services) : forgetFiles(services))).catch((error: unknown) =>
    services.log.warn('changes of definition files could not be recorded', { error }),
  );
  return { stop: () => work, wake() {} };
}
