import type { TreadleError } from '../../core/errors.ts';
import { currentScope, leaveScope } from '../../core/scope.ts';
import type { Row, RowStatement } from '../row-statement.ts';
import type { WriterSession } from './writer-session.ts';

/**
 * `single`: one statement. `row`: one statement, and what is collected of it. `unit`: a short unit of writes. `alone`: an interactive transaction.
 * `restructure`: one with foreign keys off. `bare`: no transaction.
 */
export type TicketKind = 'single' | 'row' | 'unit' | 'alone' | 'restructure' | 'bare';

/** A place in the writer's queue. */
export interface Ticket {
  readonly kind: TicketKind;
  /** Clock time by which its turn must come. */
  readonly deadline: number;
  /** Clock time until which later tickets go first; 0 if it does not let others pass. */
  readonly patientUntil: number;
  /** Begins its turn. Resolves at its end, to true to commit its writes. */
  run(session: WriterSession): Promise<boolean>;
  /** Ends it without a turn. */
  refuse(error: TreadleError): void;
  /** Notifies it of the commit or the rollback. */
  settle(error?: unknown): void;
}

/** A ticket with promises for its turn and its commit; its owner says when its turn ends. */
export class UnitTicket implements Ticket {
  readonly kind: TicketKind;
  readonly deadline: number;
  readonly patientUntil: number;
  readonly turn: Promise<WriterSession>;
  /** Resolves after the commit or the rollback. */
  readonly settled: Promise<void>;
  readonly #ended: Promise<boolean>;
  #grant: (session: WriterSession) => void = nothing;
  // Each is set by its promise's constructor, which runs immediately.
  refuse: (error: TreadleError) => void = nothing;
  finish: (isDone: boolean) => void = nothing;
  settle: (error?: unknown) => void = nothing;

  constructor(kind: TicketKind, deadline: number, patientUntil: number) {
    this.kind = kind;
    this.deadline = deadline;
    this.patientUntil = patientUntil;
    this.turn = new Promise((resolve, reject) => {
      this.#grant = resolve;
      this.refuse = reject;
    });
    this.#ended = new Promise((resolve) => {
      this.finish = resolve;
    });
    this.settled = new Promise((resolve, reject) => {
      this.settle = (error) => (error === undefined ? resolve() : reject(error));
    });
  }

  run(session: WriterSession): Promise<boolean> {
    this.#grant(session);
    return this.#ended;
  }
}

/** A ticket for one statement: fewer promises, of which each costs about a microsecond. */
export class StatementTicket<T> implements Ticket {
  readonly kind: TicketKind;
  readonly deadline: number;
  readonly patientUntil = 0;
  /** The statement's result, after the commit. */
  readonly result: Promise<T>;
  readonly #statement: (session: WriterSession) => Promise<T>;
  readonly #scope = currentScope.getStore();
  #resolve: (value: T) => void = nothing;
  #reject: (error: unknown) => void = nothing;
  #tell = nothing;

  constructor(kind: TicketKind, deadline: number, statement: (session: WriterSession) => Promise<T>) {
    this.kind = kind;
    this.deadline = deadline;
    this.#statement = statement;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  run(session: WriterSession): Promise<boolean> {
    // The writer's own scope is that of any request; records written with the row name the writer.
    const begin = (): Promise<T> => this.#statement(session);
    const running = this.#scope === undefined ? leaveScope(begin) : currentScope.run(this.#scope, begin);
    return running.then(
      (value) => {
        this.#tell = () => this.#resolve(value);
        return true;
      },
      (error: unknown) => {
        this.#tell = () => this.#reject(error);
        return false;
      },
    );
  }

  refuse(error: TreadleError): void {
    this.#reject(error);
  }

  settle(error?: unknown): void {
    if (error === undefined) this.#tell();
    else this.#reject(error);
  }
}

/** A ticket for a statement that writes one row, or for its part of a statement that writes the rows of several. */
export class RowTicket implements Ticket {
  readonly kind = 'row';
  readonly deadline: number;
  readonly patientUntil = 0;
  readonly write: RowStatement;
  /** What the statement gave of the row, after the commit. */
  readonly result: Promise<Row[]>;
  readonly #scope = currentScope.getStore();
  #resolve: (rows: Row[]) => void = nothing;
  #reject: (error: unknown) => void = nothing;
  #rows: Row[] = [];
  #error: unknown;

  constructor(deadline: number, write: RowStatement) {
    this.deadline = deadline;
    this.write = write;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  run(session: WriterSession): Promise<boolean> {
    return session.execute(this.write.query.sql, this.write.parameters).then(
      (rows) => this.take(session, rows),
      (error: unknown) => this.#fail(error),
    );
  }

  /** Takes what a statement gave of its row. */
  take(session: WriterSession, rows: Row[]): boolean {
    this.#rows = rows;
    const collect = (): void => session.collect(() => this.write.collect(rows));
    try {
      // The writer's own scope is that of any request; records written with the row name the writer.
      if (this.#scope === undefined) leaveScope(collect);
      else currentScope.run(this.#scope, collect);
      return true;
    } catch (error) {
      return this.#fail(error);
    }
  }

  #fail(error: unknown): boolean {
    this.#error = error;
    return false;
  }

  refuse(error: TreadleError): void {
    this.#reject(error);
  }

  settle(error?: unknown): void {
    const failure = error ?? this.#error;
    if (failure === undefined) this.#resolve(this.#rows);
    else this.#reject(failure);
  }
}

/** True if it may share its commit with others. */
export const isShared = ({ kind }: Ticket): boolean => isOneStatement(kind) || kind === 'unit';

/** True if SQLite itself undoes it when it fails. */
export const isOneStatement = (kind: TicketKind): boolean => kind === 'single' || kind === 'row';

function nothing(): void {}
