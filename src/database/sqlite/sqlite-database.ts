import {
  type CompiledQuery,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Clock } from '../../core/clock.ts';
import type { FigureSource } from '../../core/figure.ts';
import type { Log } from '../../core/log/log.ts';
import { currentScope, type ReadRows } from '../../core/scope.ts';
import type { Database, WriteOptions } from '../database.ts';
import { closedError } from '../database-error.ts';
import { type FailedCheck, findFailure } from '../health.ts';
import { createKysely } from '../kysely.ts';
import type { ReadFigures } from '../load/admission.ts';
import { isChange, isRead, type ReadCost, USUAL } from '../load/read-cost.ts';
import { RunningWork, runTask, runTasks } from '../load/running-work.ts';
import { assertReads, raw } from '../read-only.ts';
import { RecentVersions } from '../recent-versions.ts';
import type { CommitItem, Row, RowStatement } from '../row-statement.ts';
import { collectIn, Frame, findFrame, MAX_SECONDS, type Outcome, type Session } from '../transaction.ts';
import { noteRead } from '../version/read-note.ts';
import { type CountedTable, shareReading } from '../version/table-version.ts';
import { type Connection, PLAN_AGAIN } from './connection.ts';
import { listSqliteFigures } from './figures.ts';
import { watchFile } from './file-guard.ts';
import type { SqliteHealth } from './health.ts';
import type { Readers, ReadOperation } from './readers.ts';
import { readAsOfNow } from './snapshot.ts';
import { SqliteTableVersions, touchSqliteTables, trackSqliteTables } from './table-versions.ts';
import type { TicketKind } from './ticket.ts';
import type { Writer } from './writer.ts';
import type { WriterSession } from './writer-session.ts';

export interface SqliteParts {
  readonly connection: Connection;
  readonly writer: Writer;
  /** Undefined for a database in memory, which has a single connection. */
  readonly readers: Readers | undefined;
  /** Opens another reading connection; undefined for a database in memory. */
  readonly openReader?: (() => Promise<Connection>) | undefined;
  /** Undefined for a database in memory. */
  readonly health?: SqliteHealth | undefined;
  /** True to check the file every second, even without writes. For a server. */
  readonly isWatching?: boolean;
  /** Absolute; undefined for a database in memory. */
  readonly file?: string | undefined;
  /** Called once all connections are closed. */
  readonly closed?: () => Promise<void>;
  readonly log: Log;
  readonly clock: Clock;
}

/** Milliseconds after which a cached answer shows what another process committed. */
const OTHERS_MILLISECONDS = 20;
const ANY_TABLE = 'select count(*) from sqlite_schema';
const CHANGES_IN_MEMORY = "select total_changes() || '.' || schema_version as version from pragma_schema_version";
const STRUCTURE_VERSION = 'pragma schema_version';

/** {@link Database} on SQLite: one writing connection, several reading ones. */
export class SqliteDatabase implements Database {
  readonly dialect = 'sqlite';
  readonly kysely: Kysely<Record<string, Row>>;
  readonly reader: Kysely<Record<string, Row>>;
  readonly #parts: SqliteParts;
  readonly #underway = new RunningWork();
  #isClosed = false;
  #stopWatching: (() => void) | undefined;
  /**
   * SQLite reports the commits of others to a connection that never writes, so the same one is always used.
   */
  #watcher: Promise<Connection> | undefined;
  readonly #versions: SqliteTableVersions;
  readonly tableVersions = shareReading(() => this.#versions.read());
  readonly recentVersions: RecentVersions;
  readonly writesInParallel = false;
  readonly hasOthers = false;

  constructor(parts: SqliteParts) {
    this.#parts = parts;
    const signal = parts.openReader === undefined ? CHANGES_IN_MEMORY : 'pragma data_version';
    this.#versions = new SqliteTableVersions({
      database: this,
      signal,
      query: (text, parameters) => this.#watch(text, parameters),
      planAgain: () => this.#planAgain(),
    });
    this.recentVersions = new RecentVersions({
      clock: parts.clock,
      commits: parts.writer.commits,
      milliseconds: OTHERS_MILLISECONDS,
      read: () => this.tableVersions(),
    });
    const kind = {
      createAdapter: () => new SqliteAdapter(),
      createCompiler: () => new SqliteQueryCompiler(),
      createIntrospector: (kysely: Kysely<unknown>) => new SqliteIntrospector(kysely),
    };
    this.kysely = createKysely({ ...kind, execute: (query) => this.#execute(query) });
    this.reader = createKysely({ ...kind, execute: (query) => this.#readOnly(query) });
    if (parts.isWatching) this.#stopWatching = watchFile(parts.clock, () => parts.writer.checkFile());
  }

  /** On a reading connection; inside a transaction on the writing one, which then accepts no writes meanwhile. */
  async #readOnly(query: CompiledQuery): Promise<QueryResult<Row>> {
    assertReads(query);
    const { readers } = this.#parts;
    if (findFrame(this) === undefined && readers !== undefined) {
      noteRead(query.sql);
      return { rows: await this.#read(query.sql, query.parameters) };
    }
    return this.transaction(async () => {
      await this.run(raw('pragma query_only = on'));
      try {
        return { rows: await this.run(query) };
      } finally {
        await this.run(raw('pragma query_only = off'));
      }
    });
  }

  figures(): readonly FigureSource[] {
    return listSqliteFigures(this.#parts);
  }

  get isInTransaction(): boolean {
    return findFrame(this) !== undefined;
  }

  /** Undefined for a database in memory. */
  get reads(): ReadFigures | undefined {
    return this.#parts.readers?.figures;
  }

  run<R = Row>(...parameters: Parameters<Database['run']>): Promise<R[]>;
  run(
    query: CompiledQuery,
    parameters: readonly unknown[] = query.parameters,
    about?: ReadCost,
    rows?: readonly ReadRows[],
  ): Promise<Row[]> {
    noteRead(query.sql, rows);
    const { sql } = query;
    const frame = findFrame(this);
    if (frame !== undefined) return frame.execute(sql, parameters);
    // A search may begin with `with`, as a write may; only a read has a cost.
    if (about !== undefined || isRead(query)) return this.#read(sql, parameters, about);
    return this.#single((session) => session.execute(sql, parameters), 'single');
  }

  #read(sql: string, parameters: readonly unknown[], about = USUAL): Promise<Row[]> {
    const { readers } = this.#parts;
    if (this.#isClosed) return Promise.reject(closedError());
    if (readers === undefined) return this.#single((session) => session.execute(sql, parameters), 'bare');
    return new Promise((resolve, reject) => {
      const read: ReadOperation = {
        sql,
        parameters,
        mode: 'all',
        isOwn: false,
        isShared: about.isShared === true && parameters.length > 0,
        deadline: 0,
        about,
        caller: currentScope.getStore()?.caller,
        connection: undefined,
        cost: 0,
        known: undefined,
        rank: 0,
        begunAt: 0,
        since: 0,
        ended: undefined,
        done: (error, rows) => (error === null ? resolve(rows) : reject(read.ended ?? error)),
      };
      readers.execute(read);
    });
  }

  /** Runs a single statement in its turn. */
  #single<T>(statement: (session: WriterSession) => Promise<T>, kind: TicketKind): Promise<T> {
    return this.#underway.track(() => this.#parts.writer.runStatement(kind, statement));
  }

  writeRow(statement: RowStatement): Promise<Row[]> {
    return this.#underway.track(() => this.#parts.writer.writeRow(statement));
  }

  readonly collect = (item: CommitItem): void => collectIn(this, item);

  async #execute(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (!isChange(query)) {
      const rows = await this.run(query);
      return { rows, numAffectedRows: BigInt(rows.length) };
    }
    const change = (at: Frame | Session): Promise<Outcome> => at.change(query.sql, query.parameters);
    const frame = findFrame(this);
    const outcome = await (frame === undefined ? this.#single(change, 'single') : change(frame));
    return { rows: [], numAffectedRows: BigInt(outcome.changes), insertId: BigInt(outcome.lastId) };
  }

  async write<T>(unit: () => Promise<T>, { isPatient = false, isAlone = false }: WriteOptions = {}): Promise<T> {
    const frame = findFrame(this);
    if (frame !== undefined) return frame.nest(unit);
    const kind = isAlone ? 'alone' : 'unit';
    return this.#underway.track(() => this.#perform(kind, unit, { seconds: MAX_SECONDS, isPatient }));
  }

  async transaction<T>(fn: () => Promise<T>, seconds = MAX_SECONDS): Promise<T> {
    const frame = findFrame(this);
    const limit = Math.min(seconds, MAX_SECONDS);
    if (frame !== undefined) return frame.nest(fn, limit < MAX_SECONDS ? limit : undefined);
    return this.#underway.track(() => this.#perform('alone', fn, { seconds: limit }));
  }

  /** Every transaction is. */
  serializable<T>(fn: () => Promise<T>): Promise<T> {
    return this.transaction(fn);
  }

  /** No transaction fails because of another one. */
  mayRepeat(): boolean {
    return false;
  }

  /** A transaction has the only writer. */
  async lock(): Promise<void> {}

  /** Processes of this machine poll the file. */
  announce(): void {}

  listen(): () => void {
    return () => {};
  }

  async restructure<T>(fn: () => Promise<T>, isRebuilding = false): Promise<T> {
    if (findFrame(this) !== undefined) return this.write(fn);
    return this.#underway.track(() => this.#perform(isRebuilding ? 'restructure' : 'alone', fn));
  }

  async snapshot<T>(fn: () => Promise<T>): Promise<T> {
    const { openReader, clock } = this.#parts;
    if (findFrame(this) !== undefined) return fn();
    if (openReader === undefined) return this.restructure(fn);
    return this.#underway.track(async () => {
      const connection = await openReader();
      try {
        return await readAsOfNow(connection, { owner: this, clock }, fn);
      } finally {
        await connection.close();
      }
    });
  }

  async health(): Promise<readonly FailedCheck[]> {
    const { health } = this.#parts;
    if (this.#isClosed) return [{ check: 'read', error: closedError() }];
    return health === undefined ? findFailure('read', () => this.#read(ANY_TABLE, [])) : health.check();
  }

  async structureVersion(): Promise<string> {
    const { health } = this.#parts;
    if (this.#isClosed) throw closedError();
    if (health !== undefined) return health.structureVersion();
    const [row] = await this.#single((session) => session.execute(STRUCTURE_VERSION, []), 'bare');
    return String(row?.schema_version);
  }

  /** Reads on the connection for versions. */
  async #watch(text: string, parameters: readonly unknown[] = []): Promise<readonly Row[]> {
    const { openReader } = this.#parts;
    if (this.#isClosed) throw closedError();
    if (openReader === undefined) return this.#single((session) => session.execute(text, parameters), 'bare');
    this.#watcher ??= openReader().catch((error: unknown) => {
      this.#watcher = undefined;
      throw error;
    });
    return (await this.#watcher).control(text, 'all', 0, parameters);
  }

  /** The writer does it between two transactions. */
  #planAgain(): void {
    this.#parts.readers?.planAgain();
    this.#single((session) => session.control(PLAN_AGAIN), 'bare').catch(() => {});
  }

  async version(): Promise<string> {
    return (await this.tableVersions()).whole;
  }

  trackTables(tables: readonly CountedTable[]): Promise<void> {
    return trackSqliteTables(this, tables);
  }

  touchTables(): Promise<void> {
    return touchSqliteTables(this);
  }

  async #perform<T>(
    kind: TicketKind,
    fn: () => Promise<T>,
    { seconds, isPatient }: WriteOptions & { readonly seconds?: number } = {},
  ): Promise<T> {
    const ticket = this.#parts.writer.join(kind, isPatient);
    const session = await ticket.turn;
    const frame = new Frame({ owner: this, session, clock: this.#parts.clock });
    let value: T;
    try {
      value = await frame.perform(fn, seconds);
    } catch (error) {
      frame.end();
      ticket.finish(false);
      await ticket.settled;
      await frame.undo();
      throw error;
    }
    ticket.finish(true);
    // If the commit itself fails, its outcome is unknown, so nothing is undone.
    await ticket.settled;
    await runTasks(frame, this.#parts.log);
    return value;
  }

  afterRollback(task: () => Promise<void>): void {
    findFrame(this)?.addUndoing(task);
  }

  async afterCommit(task: () => Promise<void>): Promise<void> {
    const frame = findFrame(this);
    if (frame === undefined) await runTask(task, this.#parts.log);
    else frame.addTask(task);
  }

  /** Waits for running work, checkpoints the log and closes. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    await this.#underway.quiet();
    this.#isClosed = true;
    this.#stopWatching?.();
    const { writer, readers, connection, health } = this.#parts;
    await writer.close();
    await readers?.close();
    await health?.close();
    await (await this.#watcher?.catch(() => undefined))?.close();
    if (readers !== undefined) await connection.control('pragma wal_checkpoint(truncate)').catch(() => {});
    await connection.close();
    await this.#parts.closed?.();
  }
}
