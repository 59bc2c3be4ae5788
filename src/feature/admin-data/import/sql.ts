import type { Database, SystemTable } from '../../../database/database.ts';

const FILE = 'treadle_import';
const PART = 'treadle_import_part';

/** Files on their way to an import. In the database, so that every process can go on with what another one received. */
export const importTables: readonly SystemTable[] = [
  {
    name: FILE,
    columns: [
      { name: 'import_id', type: 'id' },
      { name: 'auth_id', type: 'integer', isRequired: true, references: 'treadle_auth.auth_id' },
      { name: 'schema_name', type: 'text', isRequired: true },
      { name: 'file_name', type: 'text', isRequired: true },
      { name: 'bytes', type: 'integer', isRequired: true, default: 0 },
      { name: 'is_whole', type: 'integer', isRequired: true, default: 0 },
      // Unix seconds.
      { name: 'created_at', type: 'integer', isRequired: true },
    ],
    indexes: [{ name: 'treadle_import_created', columns: ['created_at'] }],
  },
  {
    name: PART,
    columns: [
      { name: 'part_id', type: 'id' },
      { name: 'import_id', type: 'integer', isRequired: true, references: `${FILE}.import_id` },
      // Base64.
      { name: 'content', type: 'text', isRequired: true },
    ],
    indexes: [{ name: 'treadle_import_part_file', columns: ['import_id', 'part_id'] }],
  },
];

/** A file that somebody sent. */
export interface ImportFile {
  readonly id: number;
  readonly name: string;
  readonly bytes: number;
}

/** Who sent a file, and for which schema. */
export interface ImportOwner {
  readonly authId: number;
  readonly schema: string;
}

/** Bytes in one row. */
const PART_BYTES = 256 * 1024;
/** Seconds for which a file is stored. */
const RETENTION_SECONDS = 86_400;

/** Begins a file, and removes those that were given up. @returns its id */
export async function addFile(
  { kysely }: Database,
  { authId, schema }: ImportOwner,
  name: string,
  now: number,
): Promise<number> {
  const since = Math.floor(now / 1000);
  await kysely
    .deleteFrom(FILE)
    .where('created_at', '<', since - RETENTION_SECONDS)
    .execute();
  const row = { auth_id: authId, schema_name: schema, file_name: name.slice(0, 200), created_at: since };
  const made = await kysely.insertInto(FILE).values(row).returning('import_id').executeTakeFirstOrThrow();
  return Number(made.import_id);
}

/** Bytes of all files that wait for their import: of one person, and of all people. */
export const MOST_BYTES = { person: 2 * 2 ** 30, site: 10 * 2 ** 30 };

/** Whether so many bytes more fit into the room of a person, and into that of all. */
export async function hasRoom({ kysely }: Database, authId: number, bytes: number): Promise<boolean> {
  const query = kysely.selectFrom(FILE).select(['auth_id', ({ fn }) => fn.sum('bytes').as('bytes')]);
  const rows = await query.groupBy('auth_id').execute();
  const all = rows.reduce((sum, row) => sum + Number(row.bytes ?? 0), 0);
  const own = Number(rows.find((row) => Number(row.auth_id) === authId)?.bytes ?? 0);
  return own + bytes <= MOST_BYTES.person && all + bytes <= MOST_BYTES.site;
}

/** Adds bytes at the end of a file. */
export async function addContent({ kysely }: Database, id: number, bytes: Buffer, isLast: boolean): Promise<void> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    const content = bytes.subarray(at, at + PART_BYTES).toString('base64');
    await kysely.insertInto(PART).values({ import_id: id, content }).execute();
  }
  await kysely
    .updateTable(FILE)
    .set((column) => ({ bytes: column('bytes', '+', bytes.length), is_whole: isLast ? 1 : 0 }))
    .where('import_id', '=', id)
    .execute();
}

/** A file that is not yet whole, or whole; undefined if it is somebody else's, or gone. */
export async function findFile(
  { kysely }: Database,
  { authId, schema }: ImportOwner,
  id: number,
  isWhole: boolean,
): Promise<ImportFile | undefined> {
  const row = await kysely
    .selectFrom(FILE)
    .select(['import_id', 'file_name', 'bytes'])
    .where('import_id', '=', id)
    .where('auth_id', '=', authId)
    .where('schema_name', '=', schema)
    .where('is_whole', '=', isWhole ? 1 : 0)
    .executeTakeFirst();
  return row && { id: Number(row.import_id), name: String(row.file_name), bytes: Number(row.bytes) };
}

export async function removeFile({ kysely }: Database, id: number): Promise<void> {
  await kysely.deleteFrom(FILE).where('import_id', '=', id).execute();
}

/** The bytes of a file, part by part. */
export async function* readContent({ kysely }: Database, id: number): AsyncGenerator<Uint8Array> {
  for (let after = 0; ; ) {
    const row = await kysely
      .selectFrom(PART)
      .select(['part_id', 'content'])
      .where('import_id', '=', id)
      .where('part_id', '>', after)
      .orderBy('part_id')
      .limit(1)
      .executeTakeFirst();
    if (!row) return;
    after = Number(row.part_id);
    yield Buffer.from(String(row.content), 'base64');
  }
}
