import type { Clock } from '../../core/clock.ts';
import { TreadleError } from '../../core/errors.ts';
import { busyError, closedError } from '../database-error.ts';
import { CommitCount } from '../recent-versions.ts';
import type { Row, RowStatement } from '../row-statement.ts';
import { BUSY_DEADLINE, type Connection } from './connection.ts';
import { type RowTickets, takeLike, writeTogether } from './row-batch.ts';
import { applyForeignKeys } from './settings.ts';
import { isFailure, toTreadleError } from './sqlite-error.ts';
import {
  isOneStatement,
  isShared,
  RowTicket,
  StatementTicket,
  type Ticket,
  type TicketKind,
  UnitTicket,
} from './ticket.ts';
import { WriterSession } from './writer-session.ts';

/** Maximum units that share a commit. */
const MAX_UNITS = 64;
/** Milliseconds after which a commit takes no further units, so that the first one need not wait long. */
const MAX_GATHERING = 100;
/** Milliseconds that background units let later ones pass. */
const PATIENCE = 25;
/** Milliseconds without a write before the log is checkpointed and truncated. */
const IDLE_MILLISECONDS = 5000;

function orphanError(orphans: readonly Row[]): TreadleError {
  const [first] = orphans;
  return new TreadleError(
    'DATABASE_CONSTRAINT',
    `${orphans.length} rows would refer to rows that do not exist, the first in ${String(first?.table)}.`,
    { status: 409, detail: { kind: 'foreign', table: first?.table, columns: [], orphans: orphans.slice(0, 10) } },
  );
}

export interface WriterOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  /** Called once when writes can no longer be trusted. */
  readonly failed: (error: TreadleError) => void;
  /** Called after each commit, before its units are notified. @throws DATABASE_REPLACED */
  readonly checkFile?: () => void;
  /** Explains a failure to begin a transaction: a full disk, or the given error. */
  readonly explainBegin?: (error: TreadleError) => Promise<TreadleError>;
}

/**
 * The queue of the single writing connection. Waiting units share a `BEGIN IMMEDIATE … COMMIT`, one after the
 * other. The first unit needs no savepoint, because nothing else is in the transaction if it fails; nor does
 * a unit of one statement, which SQLite undoes itself.
 */
export class Writer {
  readonly #options: WriterOptions;
  readonly #connection: Connection;
  readonly #queue: Ticket[] = [];
  readonly commits = new CommitCount();
  #isRunning = false;
  #isArmed = false;
  #failure: TreadleError | undefined;
  #closing: (() => void) | undefined;
  #isClosed = false;
  #hasCommitted = false;
  #cancelIdle: (() => void) | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#connection = options.connection;
  }

  /** Number of waiting units. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Joins the queue. The ticket's turn rejects with DATABASE_FAILED or DATABASE_CLOSED. */
  join(kind: TicketKind, isPatient = false): UnitTicket {
    const now = this.#options.clock.now();
    const ticket = new UnitTicket(kind, now + BUSY_DEADLINE, isPatient ? now + PATIENCE : 0);
    this.#add(ticket);
    return ticket;
  }

  /** Runs one statement in its turn. @throws DATABASE_FAILED, DATABASE_CLOSED */
  runStatement<T>(kind: TicketKind, statement: (session: WriterSession) => Promise<T>): Promise<T> {
    const ticket = new StatementTicket(kind, this.#options.clock.now() + BUSY_DEADLINE, statement);
    this.#add(ticket);
    return ticket.result;
  }

  /** Writes a row in its turn. @throws DATABASE_FAILED, DATABASE_CLOSED */
  writeRow(write: RowStatement): Promise<Row[]> {
    const ticket = new RowTicket(this.#options.clock.now() + BUSY_DEADLINE, write);
    this.#add(ticket);
    return ticket.result;
  }

  #add(ticket: Ticket): void {
    const refusal = this.#isClosed ? closedError() : ticket.kind === 'bare' ? undefined : this.#failure;
    if (refusal !== undefined) {
      ticket.refuse(refusal);
      return;
    }
    this.#queue.push(ticket);
    this.#arm();
    if (!this.#isRunning) {
      this.#isRunning = true;
      this.#cancelIdle?.();
      // A microtask later, to include everything written in this turn of the event loop.
      queueMicrotask(() => void this.#drain());
    }
  }

  /** One timer for all waiting units, at most every 5 s. */
  #arm(): void {
    const first = this.#queue[0];
    if (this.#isArmed || first === undefined) return;
    this.#isArmed = true;
    this.#options.clock.after(Math.max(1, first.deadline - this.#options.clock.now()), () => {
      this.#isArmed = false;
      const now = this.#options.clock.now();
      while (this.#queue[0] !== undefined && this.#queue[0].deadline <= now) this.#queue.shift()?.refuse(busyError());
      this.#arm();
    });
  }

  /** The next unit: patient ones let others pass until their time is over. */
  #next(): Ticket | undefined {
    const [first] = this.#queue;
    if (first === undefined || first.patientUntil === 0) return first;
    const now = this.#options.clock.now();
    return this.#queue.find(({ patientUntil }) => patientUntil <= now) ?? first;
  }

  /** Removes it from the queue; false if it was refused in the meantime. */
  #leave(ticket: Ticket): boolean {
    const at = this.#queue.indexOf(ticket);
    if (at >= 0) this.#queue.splice(at, 1);
    return at >= 0;
  }

  async #drain(): Promise<void> {
    for (let head = this.#next(); head !== undefined; head = this.#next()) {
      if (this.#failure !== undefined && head.kind !== 'bare') {
        if (this.#leave(head)) head.refuse(this.#failure);
      } else if (head.kind === 'bare') await this.#runBare(head);
      else await this.#runTransaction(head);
    }
    this.#isRunning = false;
    this.#closing?.();
    if (!this.#hasCommitted || this.#isClosed) return;
    this.#cancelIdle = this.#options.clock.after(IDLE_MILLISECONDS, () => {
      this.#hasCommitted = false;
      void this.checkpoint().catch(() => {});
    });
  }

  /** Runs outside a transaction: reads of a database with a single connection, and checkpoints. */
  async #runBare(ticket: Ticket): Promise<void> {
    this.#leave(ticket);
    await ticket.run(this.#createSession());
    ticket.settle();
  }

  #createSession(): WriterSession {
    return new WriterSession(this.#connection, {
      failed: (error) => this.fail(error),
      touches: this.commits.touches,
    });
  }

  async #runTransaction(head: Ticket): Promise<void> {
    try {
      if (head.kind === 'restructure') await applyForeignKeys(this.#connection, false);
      await this.#connection.control('begin immediate', 'all', head.deadline);
    } catch (error) {
      await this.#refuseBegin(head, toTreadleError(error));
      if (head.kind === 'restructure') await this.#enforceKeys();
      return;
    }
    const session = this.#createSession();
    const done = await this.#gather(session, head);
    session.isOver = true;
    if (done.length > 0) await this.#commit(done, head.kind === 'restructure', session.isTouching);
    if (head.kind === 'restructure') await this.#enforceKeys();
  }

  async #refuseBegin(head: Ticket, beginError: TreadleError): Promise<void> {
    const error = (await this.#options.explainBegin?.(beginError)) ?? beginError;
    if (isFailure(error)) this.fail(error);
    if (this.#leave(head)) head.refuse(error);
  }

  /** After a rebuild, even one that could not begin: without this, rows could refer to missing rows. */
  async #enforceKeys(): Promise<void> {
    await applyForeignKeys(this.#connection, true).catch((error: TreadleError) => this.fail(error));
  }

  /** True if a unit may join a commit with others. */
  #mayShare(next: Ticket, done: readonly Ticket[], until: number): boolean {
    const now = this.#options.clock.now();
    // Units that somebody waits for are committed before a patient one starts.
    return isShared(next) && done.length < MAX_UNITS && now <= until && next.patientUntil <= now;
  }

  /** Runs one unit after the other; gives those to commit. */
  async #gather(session: WriterSession, head: Ticket): Promise<Ticket[]> {
    const done: Ticket[] = [];
    const until = this.#options.clock.now() + MAX_GATHERING;
    let savepoint: 'none' | 'fresh' | 'used' = 'none';
    for (let next: Ticket | undefined = head; next !== undefined; next = this.#next()) {
      if (done.length > 0 && !this.#mayShare(next, done, until)) break;
      // The first one may have been refused while its transaction began.
      if (!this.#leave(next)) break;
      const hasSavepoint = done.length > 0 && next.kind === 'unit';
      // Another unit finds and changes what is collected as if it were written.
      if (next.kind !== 'row' && session.hasCollected) {
        await session.writeCollected();
        if (savepoint === 'fresh') savepoint = 'used';
      }
      if (hasSavepoint && savepoint !== 'fresh') {
        await session.mark(savepoint === 'none' ? 'savepoint unit' : 'release unit; savepoint unit');
      }
      const others = next instanceof RowTicket ? takeLike(next, this.#queue, MAX_UNITS - done.length) : [];
      if (next instanceof RowTicket && others.length > 0) {
        const failed = await this.#writeRows(session, [next, ...others], done);
        if (session.broken !== undefined) return this.#abandon([...done, ...failed], session.broken);
        if (savepoint !== 'none') savepoint = 'used';
        for (const ticket of failed) ticket.settle();
        continue;
      }
      const isDone = await next.run(session);
      if (!isDone && hasSavepoint) await session.mark('rollback to unit');
      if (session.broken !== undefined) return this.#abandon([...done, next], session.broken);
      if (isDone) {
        done.push(next);
        if (savepoint !== 'none' || hasSavepoint) savepoint = 'used';
      } else if (isOneStatement(next.kind) || hasSavepoint) {
        if (hasSavepoint) savepoint = 'fresh';
        next.settle();
      } else {
        await this.#rollback();
        next.settle();
        return [];
      }
      if (!isShared(next)) break;
    }
    if (done.length === 0) await this.#rollback();
    else {
      await session.writeCollected(true);
      if (session.broken !== undefined) return this.#abandon(done, session.broken);
    }
    return done;
  }

  /** Writes rows by one statement; if that fails, one by one. Adds them to `done`; gives those that failed. */
  async #writeRows(session: WriterSession, tickets: RowTickets, done: Ticket[]): Promise<RowTicket[]> {
    if (await writeTogether(session, tickets)) {
      done.push(...tickets);
      return [];
    }
    const failed: RowTicket[] = [];
    for (const ticket of tickets)
      if (session.broken === undefined && (await ticket.run(session))) done.push(ticket);
      else failed.push(ticket);
    return failed;
  }

  async #abandon(tickets: readonly Ticket[], error: unknown): Promise<Ticket[]> {
    await this.#rollback();
    for (const ticket of tickets) ticket.settle(error);
    return [];
  }

  async #commit(done: readonly Ticket[], isRestructure: boolean, isTouching: boolean): Promise<void> {
    try {
      if (isRestructure) {
        const orphans = await this.#connection.control('pragma foreign_key_check');
        if (orphans.length > 0) throw orphanError(orphans);
      }
      await this.commits.track(() => this.#connection.control('commit'), isTouching);
      this.checkFile();
    } catch (error) {
      if (error instanceof TreadleError && isFailure(error)) this.fail(error);
      await this.#abandon(done, error);
      return;
    }
    this.#hasCommitted = true;
    for (const ticket of done) ticket.settle();
  }

  /** Ignores the error if SQLite has already rolled back. */
  async #rollback(): Promise<void> {
    await this.#connection.control('rollback').catch(() => {});
  }

  /** Fail-stop: after a disk error it is unknown what was written, so no further write is accepted. */
  fail(error: TreadleError): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#options.failed(error);
  }

  /** Ends all writing if the file on disk is not the open one. @throws DATABASE_REPLACED */
  checkFile(): void {
    try {
      this.#options.checkFile?.();
    } catch (error) {
      this.fail(toTreadleError(error));
      throw error;
    }
  }

  /**
   * Begins a transaction in its turn and rolls it back; writes nothing. @throws DATABASE_BUSY,
   * DATABASE_FAILED
   */
  async tryTurn(): Promise<void> {
    const ticket = this.join('single');
    await ticket.turn;
    ticket.finish(false);
    await ticket.settled;
  }

  /** Writes the log back to the file and truncates it, as far as readers allow. */
  async checkpoint(): Promise<void> {
    const ticket = this.join('bare');
    const session = await ticket.turn;
    try {
      await session.control('pragma wal_checkpoint(truncate)');
    } finally {
      ticket.finish(true);
    }
  }

  /** Waits for queued units; accepts no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelIdle?.();
    if (this.#isRunning) {
      await new Promise<void>((resolve) => {
        this.#closing = resolve;
      });
    }
    this.#cancelIdle?.();
  }
}
