import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery, type Kysely, PostgresAdapter, PostgresQueryCompiler, type QueryResult } from 'kysely';
import type { FigureSource } from '../../core/figure.ts';
import { currentScope, type ReadRows } from '../../core/scope.ts';
import type { Database } from '../database.ts';
import type { FailedCheck } from '../health.ts';
import { createKysely } from '../kysely.ts';
import type { ReadFigures } from '../load/admission.ts';
import { isChange, isRead, type ReadCost, USUAL } from '../load/read-cost.ts';
import { RunningWork, runTask, runTasks } from '../load/running-work.ts';
import { CommitCount, RecentVersions } from '../recent-versions.ts';
import type { CommitItem, Row, RowStatement } from '../row-statement.ts';
import { collectIn, Frame, findFrame, MAX_SECONDS } from '../transaction.ts';
import { noteRead } from '../version/read-note.ts';
import { type CountedTable, shareReading } from '../version/table-version.ts';
import { Announcer, type AnnouncerOptions } from './announcer.ts';
import type { Result } from './connection.ts';
import { listPostgresFigures } from './figures.ts';
import { checkServerHealth, readStructureVersion } from './health.ts';
import { OwnIntrospector } from './introspector.ts';
import type { ConnectionPool, Lease } from './pool.ts';
import { giveBack, type PoolRead, PoolReads, type PoolReadsOptions } from './pool-reads.ts';
import { isLost, isRepeatable, isStalePlan, mayRepeat, toTreadleError } from './postgres-error.ts';
import { readOnly } from './read-only.ts';
import { PostgresSession, UNLIMITED } from './session.ts';
import { LIMITS } from './settings.ts';
import { PostgresTableVersions, touchPostgresTables, trackPostgresTables } from './table-versions.ts';

export interface PostgresParts extends Omit<PoolReadsOptions, 'run'> {
  readonly pool: ConnectionPool;
  readonly announcer: Pick<AnnouncerOptions, 'schema' | 'createClient'>;
}

/** Maximum tries after a conflict on the server, or after a connection that was dead before the start. */
const MAX_TRIES = 4;
/**
 * Maximum milliseconds before the next try, multiplied by the tries so far; random, so that two conflicting
 * units do not meet again.
 */
const MAX_PAUSE = 40;
/** Milliseconds for a rollback before its connection is closed. */
const UNDO_MILLISECONDS = 2000;
/** Milliseconds to wait for the migration lock: as long as another migration may take. */
const LOCK_MILLISECONDS = 60_000;

const BEGIN = 'begin isolation level read committed';
const BEGIN_SERIALIZABLE = 'begin isolation level serializable';
const BEGIN_SNAPSHOT = 'begin isolation level repeatable read read only';

/** By schema, because a database may hold several projects. */
const TAKE_LOCK = "select pg_advisory_xact_lock(hashtextextended('treadle:' || current_schema() || ':' || $1, 0))";

interface Kind {
  readonly seconds?: number;
  /** True for schema changes, which have no time limits. */
  readonly isRestructure?: boolean;
  /** True for a read-only view of one moment, without time limits. */
  readonly isSnapshot?: boolean;
  readonly isSerializable?: boolean;
  readonly lock?: string | undefined;
}

/** Milliseconds after which a cached answer shows what another process committed. */
const OTHERS_MILLISECONDS = 100;

const pause = (tries: number): Promise<void> => sleep(Math.ceil(Math.random() * MAX_PAUSE * tries));

/** {@link Database} on a pool of connections to a PostgreSQL server. */
export class PostgresDatabase implements Database {
  readonly dialect = 'postgres';
  readonly kysely: Kysely<Record<string, Row>>;
  readonly reader: Kysely<Record<string, Row>>;
  readonly #parts: PostgresParts;
  readonly #underway = new RunningWork();
  readonly #announcer: Announcer;
  readonly #reads: PoolReads;
  #isClosed = false;
  readonly #versions = new PostgresTableVersions(
    async (query, parameters = []) => (await this.#single(query, parameters)).rows,
  );
  readonly tableVersions = shareReading(() => this.#versions.read());
  readonly #commits = new CommitCount();
  readonly recentVersions: RecentVersions;
  readonly writesInParallel = true;
  readonly hasOthers = true;

  constructor(parts: PostgresParts) {
    this.#parts = parts;
    const send = (text: string, parameters: readonly unknown[]): Promise<unknown> =>
      currentScope.run({}, () => this.run(CompiledQuery.raw(text, [...parameters])));
    this.recentVersions = new RecentVersions({
      clock: parts.clock,
      commits: this.#commits,
      milliseconds: OTHERS_MILLISECONDS,
      read: () => this.tableVersions(),
    });
    this.#announcer = new Announcer({ ...parts.announcer, clock: parts.clock, send });
    const run: PoolReadsOptions['run'] = (query, parameters, read) => this.#single(query, parameters, read);
    this.#reads = new PoolReads({ ...parts, run });
    const kind = {
      createAdapter: () => new PostgresAdapter(),
      createCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (kysely: Kysely<unknown>) => new OwnIntrospector(kysely),
    };
    this.kysely = createKysely({ ...kind, execute: (query) => this.#execute(query) });
    this.reader = createKysely({ ...kind, execute: (query) => readOnly(this, query) });
  }

  figures(): readonly FigureSource[] {
    return listPostgresFigures(this, this.#parts.pool);
  }

  get isInTransaction(): boolean {
    return findFrame(this) !== undefined;
  }

  get reads(): ReadFigures {
    return this.#reads.figures;
  }

  run<R = Row>(...parameters: Parameters<Database['run']>): Promise<R[]>;
  async run(
    query: CompiledQuery,
    parameters: readonly unknown[] = query.parameters,
    about?: ReadCost,
    rows?: readonly ReadRows[],
  ): Promise<Row[]> {
    noteRead(query.sql, rows);
    const frame = findFrame(this);
    if (frame !== undefined) return frame.execute(query.sql, parameters);
    // A search may begin with `with`, as a write may; only a read has a cost.
    const isReading = about !== undefined || isRead(query);
    const reading = isReading ? this.#reads.run(query, parameters, about ?? USUAL) : this.#single(query, parameters);
    const result = await reading;
    return result.rows;
  }

  async #execute(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (!isChange(query)) {
      const rows = await this.run(query);
      return { rows, numAffectedRows: BigInt(rows.length) };
    }
    const frame = findFrame(this);
    if (frame === undefined) {
      const { rowCount } = await this.#single(query, query.parameters);
      return { rows: [], numAffectedRows: BigInt(rowCount ?? 0) };
    }
    const { changes } = await frame.change(query.sql, query.parameters);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  /** Runs a single statement; repeats it on another connection if it had no effect on the first. */
  #single(query: CompiledQuery, parameters: readonly unknown[], read?: PoolRead): Promise<Result> {
    return this.#underway.track(async () => {
      for (let tries = 1; ; tries += 1) {
        const lease = await this.#parts.pool.take();
        if (read !== undefined) read.lease = lease;
        try {
          const execute = (): Promise<Result> => lease.connection.execute(query.sql, parameters);
          const isReading = read !== undefined || isRead(query);
          const result = await (isReading ? execute() : this.#commits.trackStatement(query.sql, execute));
          const given = giveBack(lease, read);
          if (given) await given;
          return result;
        } catch (error) {
          const isGone = isLost(error);
          const given = giveBack(lease, read, isGone || isStalePlan(error));
          if (given) await given;
          const isUndone = isRepeatable(error) || (isGone && (read !== undefined || isRead(query)));
          if (!isUndone || tries >= MAX_TRIES) throw toTreadleError(error, query.sql);
        }
        await pause(tries);
      }
    });
  }

  async write<T>(unit: () => Promise<T>): Promise<T> {
    const frame = findFrame(this);
    if (frame !== undefined) return frame.nest(unit);
    return this.#underway.track(async () => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await this.#perform(unit, { seconds: MAX_SECONDS });
        } catch (error) {
          if (!mayRepeat(error) || tries >= MAX_TRIES) throw error;
        }
        await pause(tries);
      }
    });
  }

  async transaction<T>(fn: () => Promise<T>, seconds = MAX_SECONDS): Promise<T> {
    const frame = findFrame(this);
    const limit = Math.min(seconds, MAX_SECONDS);
    if (frame !== undefined) return frame.nest(fn, limit < MAX_SECONDS ? limit : undefined);
    return this.#underway.track(() => this.#perform(fn, { seconds: limit }));
  }

  async serializable<T>(fn: () => Promise<T>): Promise<T> {
    return this.#underway.track(() => this.#perform(fn, { seconds: MAX_SECONDS, isSerializable: true }));
  }

  mayRepeat(error: unknown): boolean {
    return mayRepeat(error);
  }

  async lock(name: string): Promise<void> {
    await this.run(CompiledQuery.raw(TAKE_LOCK, [`lock:${name}`]));
  }

  async restructure<T>(fn: () => Promise<T>, _isRebuilding = false, lock?: string): Promise<T> {
    if (findFrame(this) !== undefined) return this.write(fn);
    try {
      return await this.#underway.track(() => this.#perform(fn, { isRestructure: true, lock }));
    } finally {
      // Prepared statements may refer to changed tables.
      this.#parts.pool.renew();
    }
  }

  async snapshot<T>(fn: () => Promise<T>): Promise<T> {
    if (findFrame(this) !== undefined) return fn();
    return this.#underway.track(() => this.#perform(fn, { isSnapshot: true }));
  }

  async #perform<T>(fn: () => Promise<T>, kind: Kind): Promise<T> {
    const lease = await this.#begin(kind);
    const isUnlimited = kind.isRestructure || kind.isSnapshot;
    const session = new PostgresSession(lease.connection, this.#commits.touches, isUnlimited ? UNLIMITED : {});
    const frame = new Frame({ owner: this, session, clock: this.#parts.clock });
    let value: T;
    let isCommitting = false;
    try {
      value = await frame.perform(fn, kind.seconds);
      isCommitting = true;
      await this.#commits.track(() => session.commit(), session.isTouching);
    } catch (error) {
      frame.end();
      session.end();
      await this.#undo(lease, error);
      // If the commit itself fails, its outcome is unknown, so nothing is undone. A unit that is repeated is
      // not undone either.
      if (!isCommitting && !mayRepeat(error)) await frame.undo();
      throw error;
    }
    lease.release();
    await runTasks(frame, this.#parts.log);
    return value;
  }

  async #begin({ isRestructure = false, isSnapshot = false, isSerializable = false, lock }: Kind): Promise<Lease> {
    const begin = isSnapshot ? BEGIN_SNAPSHOT : isSerializable ? BEGIN_SERIALIZABLE : BEGIN;
    for (let tries = 1; ; tries += 1) {
      const lease = await this.#parts.pool.take();
      try {
        await lease.connection.control(begin);
        if (isRestructure || isSnapshot) await this.#prepareRestructure(lease, lock);
        return lease;
      } catch (error) {
        lease.release(true);
        if (!isLost(error) || tries >= MAX_TRIES) throw toTreadleError(error);
      }
    }
  }

  /** Removes the time limits and takes the lock if requested. The time limit for locks on tables stays. */
  async #prepareRestructure({ connection }: Lease, lock: string | undefined): Promise<void> {
    await connection.control('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
    if (lock === undefined) return;
    await connection.control(`set local lock_timeout = ${LOCK_MILLISECONDS}`);
    await connection.control(TAKE_LOCK, [lock], 2 * LOCK_MILLISECONDS);
    await connection.control(`set local lock_timeout = ${LIMITS.lock_timeout}`);
  }

  /** Rolls back. Cancels a running statement first, and closes a connection that does not respond. */
  async #undo(lease: Lease, error: unknown): Promise<void> {
    const { connection } = lease;
    if (connection.isLost) {
      lease.release(true);
      return;
    }
    if (connection.isBusy && connection.pid !== undefined) await this.#parts.cancel(connection.pid);
    try {
      await connection.control('rollback', [], UNDO_MILLISECONDS);
      // Its prepared statements may have caused the failure, so it is replaced before the next try.
      lease.release(mayRepeat(error));
    } catch {
      lease.release(true);
    }
  }

  readonly writeRow = ({ query, parameters }: RowStatement): Promise<Row[]> => this.run(query, parameters);
  readonly collect = (item: CommitItem): void => collectIn(this, item);

  afterRollback(task: () => Promise<void>): void {
    findFrame(this)?.addUndoing(task);
  }

  async afterCommit(task: () => Promise<void>): Promise<void> {
    const frame = findFrame(this);
    if (frame === undefined) await runTask(task, this.#parts.log);
    else frame.addTask(task);
  }

  /** If the server accepts no writes, the next check uses another connection: the setting may belong to this one only. */
  async health(): Promise<readonly FailedCheck[]> {
    const errors = await checkServerHealth((query) => this.run(query));
    if (errors.some(({ check }) => check === 'writer')) this.#parts.pool.leaveServer();
    return errors;
  }

  readonly version = async (): Promise<string> => (await this.tableVersions()).whole;

  async trackTables(tables: readonly CountedTable[]): Promise<void> {
    await trackPostgresTables(this, tables);
    this.#versions.isTracking = true;
  }

  touchTables(): Promise<void> {
    return touchPostgresTables(this);
  }

  structureVersion(): Promise<string> {
    return readStructureVersion((query) => this.run(query));
  }

  announce(topic: string): void {
    this.#announcer.announce(topic);
  }

  listen(topic: string, callback: () => void): () => void {
    return this.#announcer.listen(topic, callback);
  }

  /** Waits for running work, then closes the connections. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#announcer.close();
    await this.#underway.quiet();
    await this.#parts.pool.close();
  }
}
