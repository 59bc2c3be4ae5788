import { BoundedMap } from '../../core/bounded-map.ts';
import { memoize, once } from '../../core/memoize.ts';
import { type Caller, currentScope, type ReadRows } from '../../core/scope.ts';
import type { Database } from '../../database/database.ts';
import { KEYED, LONE } from '../../database/load/read-cost.ts';
import type { Row } from '../../database/row-statement.ts';
import { noteRead } from '../../database/version/read-note.ts';
import { noteDetail } from './note.ts';
import { startRows } from './read-rows.ts';
import type { SearchNote } from './search-note.ts';
import {
  addDetail,
  compileDetail,
  DETAIL_KEY,
  type DetailInput,
  type SharedKey,
  toDetailRow,
  toShared,
} from './sql/detail.ts';
import { bind, compileStatement, type Statement, type StatementDraft, Statements, type Values } from './values.ts';

/** Statements that differ only in whether they read one row or several. */
interface DetailStatements {
  /** One row, by its key in slot 0. */
  readonly one: Statement;
  /** The rows of a JSON list of keys, or of keys with owners, in slot 0; {@link DETAIL_KEY} is the place of each in it. Of many schemas few need it. */
  readonly many: () => Statement;
}

interface WaitingDetail {
  readonly values: SharedKey;
  readonly caller: Caller | undefined;
  resolve(found: Row | undefined): void;
  reject(error: unknown): void;
}

/** Maximum rows of a statement, so that nobody waits for many rows of others. */
const MOST_ROWS = 16;
/** Characters a row, on average, from which rows are read one by one: their lists are long. */
const LONG_ROW = 65_536;
/** Reads one by one before several are tried again. */
const REST = 200;

/**
 * One caller for several, which takes its turn as the first. Holds none of them, so finished requests can be freed.
 */
function toSharedCaller(waiting: readonly WaitingDetail[]): Caller | undefined {
  const [first] = waiting;
  // Work outside requests is neither refused nor cut off.
  if (first?.caller === undefined || waiting.some(({ caller }) => caller === undefined)) return undefined;
  return { address: first.caller.address, isDone: false };
}

/** An item of the list of keys. */
const toItem = ({ values }: WaitingDetail): string => JSON.stringify(values.length === 1 ? values[0] : values);

/** The row and its lists are texts. */
const countCharacters = (rows: readonly Row[]): number =>
  rows
    .flatMap((row) => Object.values(row))
    .reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);

/**
 * Reads rows by their keys: those requested in one turn of the event loop by one statement. A round trip to
 * the database costs more than a row.
 */
class DetailBatch {
  readonly #database: Database;
  readonly #statements: DetailStatements;
  /**
   * Undefined while nobody waits: an idle list would grow old, and what an old list held keeps its request in memory until the
   * next full garbage collection.
   */
  #waiting: WaitingDetail[] | undefined;
  /** Reads that are left until several are tried again. */
  #rest = 0;

  constructor(database: Database, statements: DetailStatements) {
    this.#database = database;
    this.#statements = statements;
  }

  /** What it asks, if a text is one of its statements. */
  findNote(text: string): SearchNote | undefined {
    const { one, many } = this.#statements;
    return text === one.query.sql || text === many().query.sql ? one.note : undefined;
  }

  /** The row of a key. Outside a transaction only. */
  read<T>(
    values: SharedKey,
    toResult: (found: Row | undefined) => T,
    rows: readonly ReadRows[] | undefined,
  ): Promise<T> {
    const scope = currentScope.getStore();
    noteRead(this.#statements.one.query.sql, rows);
    return new Promise((resolve, reject) => {
      const settle = (found: Row | undefined): void => {
        try {
          resolve(toResult(found));
        } catch (error) {
          reject(error);
        }
      };
      if (this.#waiting === undefined) {
        this.#waiting = [];
        setImmediate(() => this.#flush());
      }
      this.#waiting.push({ values, caller: scope?.caller, resolve: settle, reject });
    });
  }

  #flush(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (let start = 0; start < waiting.length; ) {
      const isLong = this.#rest > 0;
      if (isLong) this.#rest -= 1;
      const part = waiting.slice(start, start + (isLong ? 1 : MOST_ROWS));
      start += part.length;
      void this.#perform(part);
    }
  }

  async #perform(waiting: readonly WaitingDetail[]): Promise<void> {
    const items = [...new Set(waiting.map(toItem))];
    const [only] = items.length === 1 ? waiting : [];
    const isOne = only !== undefined;
    const statement = isOne ? this.#statements.one : this.#statements.many();
    const values = bind(statement, only?.values ?? [`[${items.join()}]`]);
    try {
      const caller = toSharedCaller(waiting);
      const rows = await currentScope.run(caller ? { caller } : {}, () =>
        this.#database.run(statement.query, values, isOne ? LONE : KEYED),
      );
      if (isOne) {
        for (const { resolve } of waiting) resolve(rows[0]);
        return;
      }
      if (countCharacters(rows) > LONG_ROW * items.length) this.#rest = REST;
      const found = new Map(rows.map((row) => [items[Number(row[DETAIL_KEY])], row]));
      for (const one of waiting) one.resolve(found.get(toItem(one)));
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}

const toDraft = (input: DetailInput, database: Database, isMany = false): StatementDraft => ({
  fragment: compileDetail(input, database, isMany),
  note: noteDetail({ schema: input.source.schema.name, name: input.source.primary.name, rows: input.rows }),
});

/** Reads rows with their lists, each by one statement, or several rows by one. */
export class DetailReader {
  readonly #statements: Statements;
  readonly #batches: (database: Database) => BoundedMap<DetailBatch>;

  /** @param cacheSize Maximum compiled statements, of each kind. */
  constructor(cacheSize: number) {
    this.#statements = new Statements(cacheSize);
    this.#batches = memoize(() => new BoundedMap(cacheSize));
  }

  findNote(text: string, database: Database): SearchNote | undefined {
    for (const batch of this.#batches(database).values()) {
      const found = batch.findNote(text);
      if (found !== undefined) return found;
    }
    return this.#statements.findNote(text);
  }

  /** @param values The key of the row, then the values of rules. */
  read(input: DetailInput, values: Values, database: Database): Promise<Row | undefined> {
    const rows = startRows();
    const settle = rows && addDetail(rows, input, values.list[0]);
    const toResult = (found: Row | undefined): Row | undefined => {
      settle?.(found);
      return toDetailRow(found, input);
    };
    // A transaction has its own connection.
    const shared = database.isInTransaction ? undefined : toShared(input, values.list);
    if (shared !== undefined) {
      const batch = this.#batches(database).getOrCreate(values.shape, () => {
        const one = compileStatement(toDraft(input, database), database, values.length);
        // One value: the list of keys.
        const many = once(() => compileStatement(toDraft(input, database, true), database, 1));
        return new DetailBatch(database, { one, many });
      });
      return batch.read(shared, toResult, rows?.list);
    }
    const statement = this.#statements.find('row', values, database, () => toDraft(input, database));
    return database
      .run(statement.query, bind(statement, values.list), KEYED, rows?.list)
      .then(([found]) => toResult(found));
  }
}
