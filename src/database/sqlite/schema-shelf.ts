import { CompiledQuery } from 'kysely';
import type { Database } from '../database.ts';
import type { Row } from '../row-statement.ts';

/** From this number of created objects on the shelf is worth its two passes over the schema. */
const LEAST_OBJECTS = 400;
/** Objects that stay in `sqlite_schema` until it is emptied again. */
const CHUNK = 100;
const CREATES = /^\s*create\s+(?:unique\s+)?(?:virtual\s+)?(?:table|index|trigger)\b/i;
const HOLD = 'temp.treadle_schema_shelf';
const COLUMNS = 'type, name, tbl_name, rootpage, sql';

/**
 * Creates thousands of tables, indexes and triggers in linear time. After each `create`, SQLite searches all of
 * `sqlite_schema`, which has no index, for the new row: 16,000 objects take 40 s. The shelf moves rows that SQLite has
 * read already into a temporary table, and puts them back in their order before the commit. Then SQLite reads the whole
 * schema again, so an error fails the transaction and changes nothing.
 *
 * The danger: it edits SQLite's own table, and `writable_schema` switches off the checks that protect it. A mistake here, or
 * a crash of SQLite between both passes outside a transaction, loses the schema of every table. Nothing else may do this.
 * Without the shelf, a first migration takes 0.7 of the processor time for 250 schemas, 1.06 for 500, and 1.27 to 1.49 for 1,000.
 *
 * @see https://sqlite.org/pragma.html#pragma_writable_schema
 */
export class SchemaShelf {
  readonly #database: Pick<Database, 'run'>;
  #pending = 0;
  #isOpen = true;

  private constructor(database: Pick<Database, 'run'>) {
    this.#database = database;
  }

  /** For a transaction that will create this many objects; undefined if they are few, or if SQLite does not allow it. */
  static async open(database: Database, objects: number): Promise<SchemaShelf | undefined> {
    if (database.dialect !== 'sqlite' || objects < LEAST_OBJECTS) return undefined;
    const shelf = new SchemaShelf(database);
    try {
      await shelf.#run(`create temp table treadle_schema_shelf (${COLUMNS})`);
      await shelf.#run('pragma writable_schema = on');
      await shelf.#store();
      return shelf;
    } catch {
      // A build in defensive mode refuses, and then the schema is as it was.
      await shelf.abandon();
      return undefined;
    }
  }

  /** Call it before statements: all but plain `create` ones need the whole schema. */
  async before(statements: readonly string[]): Promise<void> {
    if (!this.#isOpen) return;
    if (statements.every((text) => CREATES.test(text))) this.#pending += statements.length;
    else await this.#restore();
  }

  /** Call it after them. */
  async after(): Promise<void> {
    if (this.#pending >= CHUNK) await this.#store();
  }

  /**
   * Puts everything back and lets SQLite read it; the second time it does nothing. Call it before what reads
   * `sqlite_schema`. @throws DATABASE_DAMAGED, and the transaction must be rolled back.
   */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#restore();
    await this.#run('pragma writable_schema = reset');
    await this.#run('select count(*) from sqlite_schema');
    await this.#run(`drop table ${HOLD}`);
  }

  /** Call it instead of {@link close} where the transaction fails: a rollback does not end the permission. */
  async abandon(): Promise<void> {
    await this.#run('pragma writable_schema = off').catch(() => []);
    await this.#run(`drop table if exists ${HOLD}`).catch(() => []);
  }

  async #store(): Promise<void> {
    await this.#run(`insert into ${HOLD} (${COLUMNS}) select ${COLUMNS} from main.sqlite_schema order by rowid`);
    await this.#run('delete from main.sqlite_schema');
    this.#pending = 0;
  }

  async #restore(): Promise<void> {
    await this.#store();
    await this.#run(`insert into main.sqlite_schema (${COLUMNS}) select ${COLUMNS} from ${HOLD} order by rowid`);
    await this.#run(`delete from ${HOLD}`);
  }

  #run(text: string): Promise<Row[]> {
    return this.#database.run(CompiledQuery.raw(text));
  }
}

export interface ManyOptions {
  /** About how many tables, indexes and triggers the work creates. */
  readonly objects: number;
  readonly isRebuilding?: boolean;
  readonly lock?: string;
  /** Awaited in the transaction before the work. */
  readonly check?: () => Promise<void>;
}

/**
 * {@link Database.restructure} with a shelf, if it creates many objects. If that fails, the work runs again without:
 * it must have no effects besides those on the database.
 */
export async function restructureMany(
  database: Database,
  { objects, isRebuilding = false, lock, check }: ManyOptions,
  work: (shelf: SchemaShelf | undefined) => Promise<void>,
): Promise<void> {
  const shelved = { isUsed: false };
  const attempt = async (): Promise<void> => {
    await check?.();
    const shelf = await SchemaShelf.open(database, objects);
    shelved.isUsed = shelf !== undefined;
    try {
      await work(shelf);
      await shelf?.close();
    } catch (error) {
      await shelf?.abandon();
      throw error;
    }
  };
  try {
    await database.restructure(attempt, isRebuilding, lock);
  } catch (error) {
    if (!shelved.isUsed) throw error;
    const plain = async (): Promise<void> => {
      await check?.();
      await work(undefined);
    };
    await database.restructure(plain, isRebuilding, lock);
  }
}
