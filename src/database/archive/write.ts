import { sql } from 'kysely';
import type { Database } from '../database.ts';
import type { Table } from '../table.ts';
import { ArchiveFile } from './archive-file.ts';
import { describe } from './describe.ts';
import { readCounter, readRows } from './read-rows.ts';
import { type ArchiveTable, DECIMAL_FORMAT, FORMAT, Header, MARK, type TableSum } from './shape.ts';
import { digestModel } from './tables.ts';
import { listUploads, readParts } from './upload.ts';
import { Digest } from './value.ts';

/** Progress report. */
export interface Progress {
  /** Rows of all tables. */
  readonly total: number;
  readonly done: number;
  readonly table: string;
}

export interface BackupOptions {
  readonly database: Database;
  /** File to write, absolute. */
  readonly file: string;
  readonly isReplacing: boolean;
  /** The model's tables for PostgreSQL; empty if the definitions are invalid. */
  readonly wanted: readonly Table[];
  readonly project: string;
  /** Version of Treadle. */
  readonly version: string;
  /** Time of the backup, `YYYY-MM-DD HH:MM:SS`. */
  readonly at: string;
  /** Folder of the uploaded files, absolute; undefined to leave them out. */
  readonly uploads: string | undefined;
  readonly progress?: (progress: Progress) => void;
}

export interface BackupResult {
  readonly header: Header;
  readonly sums: readonly TableSum[];
  readonly rows: number;
  readonly files: number;
  readonly bytes: number;
}

/** Runs `fn` with a consistent view of the database. */
export function inSnapshot<T>(database: Database, fn: () => Promise<T>): Promise<T> {
  return database.snapshot(fn);
}

export async function countRows(database: Database, { name }: Pick<ArchiveTable, 'name'>): Promise<number> {
  const { rows } = await sql<{ n: number | string }>`select count(*) as n from ${sql.table(name)}`.execute(
    database.kysely,
  );
  return Number(rows[0]?.n ?? 0);
}

/**
 * Writes all rows of a database at one moment, and then the uploaded files, into one file. Does not block
 * writers; memory use does not depend on the number of rows.
 * @throws ARCHIVE_EXISTS, ARCHIVE_UNWRITABLE
 */
export async function writeArchive(options: BackupOptions): Promise<BackupResult> {
  const { database, file, isReplacing, uploads } = options;
  const archive = await ArchiveFile.create(file, { isReplacing });
  try {
    const { header, sums, rows } = await inSnapshot(database, () => writeTables(archive, options));
    // The files of those rows are on the disk by now, and copying them may take an hour: no snapshot is open meanwhile.
    const files = uploads === undefined ? 0 : await writeUploads(archive, uploads);
    await archive.finish({ tables: sums.length, rows, files });
    return { header, sums, rows, files, bytes: archive.bytes };
  } catch (error) {
    await archive.abandon();
    throw error;
  }
}

const hasDecimals = (tables: readonly ArchiveTable[]): boolean =>
  tables.some(({ columns }) => columns.some(({ kind }) => kind === 'decimal'));

async function writeTables(
  archive: ArchiveFile,
  options: BackupOptions,
): Promise<Pick<BackupResult, 'header' | 'sums' | 'rows'>> {
  const { database, wanted, project, version, at, uploads } = options;
  const { tables, left } = await describe(database, wanted);
  const header = Header.parse({
    archive: MARK,
    format: hasDecimals(tables) ? DECIMAL_FORMAT : FORMAT,
    treadle: version,
    project,
    at,
    dialect: database.dialect,
    model: digestModel(wanted),
    tables,
    left,
    hasFiles: uploads !== undefined,
  });
  await archive.line(header);
  const counts = new Map<string, number>();
  for (const table of tables) counts.set(table.name, await countRows(database, table));
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const sums: TableSum[] = [];
  let done = 0;
  for (const table of tables) {
    const sum = await writeTable(archive, table, database, (rows) => {
      done += rows;
      options.progress?.({ total, done, table: table.name });
    });
    sums.push(sum);
  }
  return { header, sums, rows: done };
}

async function writeTable(
  archive: ArchiveFile,
  table: ArchiveTable,
  database: Database,
  told: (rows: number) => void,
): Promise<TableSum> {
  await archive.line({ table: table.name });
  const digest = new Digest(table);
  for await (const batch of readRows(database, table)) {
    for (const row of batch) {
      const line = JSON.stringify(row);
      digest.add(row, line);
      await archive.text(line);
    }
    told(batch.length);
  }
  const counter = await readCounter(database, table);
  const sum = { rows: digest.rows, sha256: String(digest), ...(counter === undefined ? {} : { counter }) };
  await archive.line({ end: table.name, ...sum });
  return { table: table.name, ...sum };
}

async function writeUploads(archive: ArchiveFile, folder: string): Promise<number> {
  let count = 0;
  for (const upload of await listUploads(folder)) {
    const parts = await readParts(folder, upload);
    if (parts === undefined) continue;
    await archive.line({ file: upload, bytes: parts.bytes });
    for await (const part of parts.read()) await archive.line({ part });
    await archive.line({ fileEnd: upload, sha256: parts.sha256() });
    count += 1;
  }
  return count;
}
