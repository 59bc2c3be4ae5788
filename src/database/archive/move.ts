import { TreadleError } from '../../core/errors.ts';
import type { Database } from '../database.ts';
import { findServedMode } from '../served-mode.ts';
import type { Table } from '../table.ts';
import { outsideTransaction } from '../transaction.ts';
import { describe } from './describe.ts';
import { readCounter, readRows } from './read-rows.ts';
import { checkLoss, listPresent, type ReplaceResult, replaceAll } from './replace.ts';
import type { ArchiveTable, RowBatch, RowSource, TableSum } from './shape.ts';
import { Digest } from './value.ts';
import { countRows, inSnapshot, type Progress } from './write.ts';

export interface MoveOptions {
  readonly from: Database;
  readonly to: Database;
  /** The model's tables for PostgreSQL, which say what is JSON. */
  readonly wanted: readonly Table[];
  /** The model's tables for the target database; undefined to leave the tables as they are. */
  readonly desired: readonly Table[] | undefined;
  readonly allowLoss: boolean;
  /** Whether rows that change during the move are only reported. */
  readonly allowChanges: boolean;
  readonly isDryRun?: boolean;
  readonly progress?: (progress: Progress) => void;
}

export interface MoveResult extends ReplaceResult {
  /** What is not moved, as sentences. */
  readonly left: readonly string[];
  /** Tables with rows that changed since they were moved. */
  readonly changed: readonly string[];
}

/** A database as a source: reads each table once, in the open snapshot. */
class SnapshotSource implements RowSource {
  readonly dialect: Database['dialect'];
  readonly tables: readonly ArchiveTable[];
  readonly #database: Database;

  constructor(database: Database, tables: readonly ArchiveTable[]) {
    this.dialect = database.dialect;
    this.tables = tables;
    this.#database = database;
  }

  async *read(): AsyncGenerator<RowBatch | TableSum> {
    for (const table of this.tables) {
      const digest = new Digest(table);
      for await (const batch of readRows(this.#database, table)) {
        for (const row of batch) digest.add(row);
        yield { table: table.name, batch };
      }
      const counter = await readCounter(this.#database, table);
      yield { table: table.name, rows: digest.rows, sha256: String(digest), counter };
    }
  }
}

/** Tables with rows that differ from those that were read, in a new snapshot. */
async function listChanged(
  database: Database,
  tables: readonly ArchiveTable[],
  sums: readonly TableSum[],
): Promise<string[]> {
  const before = new Map(sums.map((sum) => [sum.table, sum]));
  const changed: string[] = [];
  for (const table of tables) {
    const digest = new Digest(table);
    const isSameCount = (await countRows(database, table)) === before.get(table.name)?.rows;
    if (isSameCount) for await (const batch of readRows(database, table)) for (const row of batch) digest.add(row);
    if (!isSameCount || String(digest) !== before.get(table.name)?.sha256) changed.push(table.name);
  }
  return changed;
}

function changedError(changed: readonly string[]): TreadleError {
  return new TreadleError('ARCHIVE_SOURCE_CHANGED', `Rows changed while they were moved, in ${changed.join(', ')}.`, {
    status: 409,
    hint: 'Nothing was moved. Stop the server and move again; --allow-changes moves anyway, without those changes.',
  });
}

/**
 * Copies all rows of one database to another and compares counts and checksums on both sides. Only reads
 * the first one.
 * @throws ARCHIVE_TARGET_LOSS, ARCHIVE_ROW_REFUSED, ARCHIVE_DIFFERS, ARCHIVE_SOURCE_CHANGED
 */
export async function moveRows(options: MoveOptions): Promise<MoveResult> {
  const { from, to, wanted, desired, allowLoss, allowChanges, progress, isDryRun } = options;
  return inSnapshot(from, async () => {
    const { tables, left } = await describe(from, wanted);
    const source = new SnapshotSource(from, tables);
    const lost = checkLoss(await listPresent(to, { source, desired }), allowLoss || isDryRun === true);
    const counts: TableSum[] = [];
    for (const table of tables) counts.push({ table: table.name, rows: await countRows(from, table), sha256: '' });
    if (isDryRun) {
      const served = await findServedMode(to);
      return { sums: counts, lost, applied: [], refused: [], served, left, changed: [] };
    }
    const total = counts.reduce((sum, { rows }) => sum + rows, 0);
    let done = 0;
    let changed: string[] = [];
    const replaced = await replaceAll({
      database: to,
      source,
      desired,
      allowLoss,
      told(rows, table) {
        done += rows;
        progress?.({ total, done, table });
      },
      async beforeCommit(sums) {
        changed = await outsideTransaction(() => inSnapshot(from, () => listChanged(from, tables, sums)));
        if (changed.length > 0 && !allowChanges) throw changedError(changed);
      },
    });
    return { ...replaced, left, changed };
  });
}
