import { getAccess } from '../../core/access.ts';
import { toSeconds } from '../../core/clock.ts';
import type { SystemTable } from '../../database/database.ts';
import type { ProposedFile } from '../../edit/proposal.ts';
import type { Services } from '../../plan/feature.ts';

const TABLE = 'treadle_definition_save';
/** Number of stored saves. */
const MOST_SAVES = 500;

/** What the admin section wrote, with the texts of the files before and after: so that each save can be undone. */
export const saveTable: SystemTable = {
  name: TABLE,
  columns: [
    { name: 'save_id', type: 'id' },
    // Unix seconds.
    { name: 'saved_at', type: 'integer', isRequired: true },
    { name: 'auth_id', type: 'integer' },
    { name: 'title', type: 'text', isRequired: true },
    { name: 'files', type: 'json', isRequired: true },
  ],
};

/** One save of definitions. */
export interface SaveNote {
  readonly id: number;
  /** Unix seconds. */
  readonly savedAt: number;
  /** Account of who saved; undefined for code and commands. */
  readonly authId: number | undefined;
  /** What was done, in words. */
  readonly title: string;
  readonly files: readonly ProposedFile[];
}

/** Notes a save before its files are written. If the process dies in between, its files still have the texts before. */
export async function noteSave(services: Services, title: string, files: readonly ProposedFile[]): Promise<number> {
  const { database, clock } = services;
  const row = {
    saved_at: toSeconds(clock.now()),
    auth_id: getAccess().authId ?? null,
    title,
    files: JSON.stringify(files),
  };
  return database.write(async () => {
    const { save_id } = await database.kysely
      .insertInto(TABLE)
      .values(row)
      .returning('save_id')
      .executeTakeFirstOrThrow();
    const id = Number(save_id);
    await database.kysely
      .deleteFrom(TABLE)
      .where('save_id', '<=', id - MOST_SAVES)
      .execute();
    return id;
  });
}

/** Forgets a save whose files were not written. */
export async function forgetSave({ database }: Services, id: number): Promise<void> {
  await database.write(() => database.kysely.deleteFrom(TABLE).where('save_id', '=', id).execute());
}

function toNote(row: Readonly<Record<string, unknown>>): SaveNote {
  const files: unknown = typeof row.files === 'string' ? JSON.parse(row.files) : row.files;
  return {
    id: Number(row.save_id),
    savedAt: Number(row.saved_at),
    authId: row.auth_id === null ? undefined : Number(row.auth_id),
    title: String(row.title),
    // JSON has no undefined: a missing text is a missing key.
    files: (files as Partial<ProposedFile>[]).map(({ file = '', before, text }) => ({ file, before, text })),
  };
}

/** All stored saves, newest first. */
export async function listSaves({ database }: Services): Promise<SaveNote[]> {
  const rows = await database.kysely.selectFrom(TABLE).selectAll().orderBy('save_id', 'desc').execute();
  return rows.map(toNote);
}

/** One save; undefined if it is no longer stored. */
export async function findSave({ database }: Services, id: number): Promise<SaveNote | undefined> {
  const row = await database.kysely.selectFrom(TABLE).selectAll().where('save_id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : toNote(row);
}
