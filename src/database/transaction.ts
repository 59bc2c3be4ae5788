import type { Clock } from '../core/clock.ts';
import { TreadleError } from '../core/errors.ts';
import { currentScope, type Scope } from '../core/scope.ts';
import type { CommitItem, Row } from './row-statement.ts';

/** Result of an insert, update or delete without returned rows. */
export interface Outcome {
  readonly changes: number;
  readonly lastId: number;
}

/** The connection of an open transaction; runs statements in the order of the calls. */
export interface Session {
  execute(sql: string, parameters: readonly unknown[]): Promise<Row[]>;
  change(sql: string, parameters: readonly unknown[]): Promise<Outcome>;
  /** `savepoint`, `release`, `rollback to`. */
  control(sql: string): Promise<unknown>;
  /** Takes what is written right before the commit. Missing if the transaction only reads. */
  writeLast?(collected: readonly CommitItem[]): void | Promise<void>;
}

/** Maximum seconds of a transaction. */
export const MAX_SECONDS = 5;

export function endedError(): TreadleError {
  return new TreadleError('DATABASE_TRANSACTION_ENDED', 'A query was sent after its transaction had ended.', {
    hint: 'Await every query inside the transaction; work that outlives it belongs in database.afterCommit.',
  });
}

function longError(seconds: number): TreadleError {
  return new TreadleError('DATABASE_TRANSACTION_LONG', `A transaction lasted longer than ${seconds} s.`, {
    status: 503,
    headers: { 'retry-after': '1' },
    hint: 'Move work that does not need the data (network, password hashing) before or after the transaction.',
  });
}

export interface FrameOptions {
  /** The database of the transaction. */
  readonly owner: object;
  readonly session: Session;
  readonly clock: Clock;
}

/**
 * An open transaction or, nested in one, a savepoint. While a nested one is open, queries of the outer one
 * and other nested ones wait: savepoints are a stack and cannot interleave.
 */
export class Frame {
  readonly owner: object;
  /** The previous frame of the scope: the enclosing one, a transaction of another database, or none. */
  readonly outer: object | undefined;
  /** Run after the outermost commit. */
  readonly tasks: (() => Promise<void>)[] = [];
  /** Run if this frame or an enclosing one is rolled back. */
  readonly undoing: (() => Promise<void>)[] = [];
  /** Written right before the outermost commit; dropped with this frame if it is rolled back. */
  readonly collected: CommitItem[] = [];
  readonly #options: FrameOptions;
  readonly #depth: number;
  readonly #waiting: (() => void)[] = [];
  #nested: Frame | undefined;
  #isEnded = false;
  #reason: TreadleError | undefined;

  constructor(options: FrameOptions, depth = 0) {
    this.owner = options.owner;
    this.outer = currentScope.getStore()?.transaction;
    this.#options = options;
    this.#depth = depth;
  }

  /** Adds a task to run after the commit. @throws DATABASE_TRANSACTION_ENDED */
  addTask(task: () => Promise<void>): void {
    this.#assertOpen();
    this.tasks.push(task);
  }

  /** Adds a task to run after a rollback. @throws DATABASE_TRANSACTION_ENDED */
  addUndoing(task: () => Promise<void>): void {
    this.#assertOpen();
    this.undoing.push(task);
  }

  /** Adds to what is written right before the commit. @throws DATABASE_TRANSACTION_ENDED */
  collect(collected: CommitItem): void {
    this.#assertOpen();
    this.collected.push(collected);
  }

  /** Runs the tasks for a rollback; ignores their errors. */
  async undo(): Promise<void> {
    for (const task of this.undoing.splice(0)) await task().catch(() => {});
  }

  #assertOpen(): void {
    if (this.#isEnded) throw this.#reason ?? endedError();
  }

  execute(sql: string, parameters: readonly unknown[]): Promise<Row[]> {
    return this.#send((session) => session.execute(sql, parameters));
  }

  change(sql: string, parameters: readonly unknown[]): Promise<Outcome> {
    return this.#send((session) => session.change(sql, parameters));
  }

  #send<T>(query: (session: Session) => Promise<T>): Promise<T> {
    if (this.#isEnded) return Promise.reject(this.#reason ?? endedError());
    if (this.#nested === undefined && this.#waiting.length === 0) return query(this.#options.session);
    return this.#turn().then(() => {
      this.#assertOpen();
      return query(this.#options.session);
    });
  }

  /** Resolves when no nested frame is open. If `nested` is given, it then becomes the open nested frame. */
  async #turn(nested?: Frame): Promise<void> {
    if (this.#nested !== undefined || this.#waiting.length > 0) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(() => {
          if (nested !== undefined && !this.#isEnded) this.#nested = nested;
          resolve();
        });
      });
    } else if (nested !== undefined) {
      this.#nested = nested;
    }
    this.#assertOpen();
  }

  #wake(): void {
    this.#nested = undefined;
    while (this.#nested === undefined) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      next();
    }
  }

  /** Runs `fn` in a savepoint, which can be rolled back alone. */
  async nest<T>(fn: () => Promise<T>, seconds?: number): Promise<T> {
    this.#assertOpen();
    const nested = new Frame(this.#options, this.#depth + 1);
    await this.#turn(nested);
    const { session } = this.#options;
    const name = `nested_${nested.#depth}`;
    try {
      // Checked again before each statement: once the transaction has ended, the connection may belong to
      // another one.
      this.#assertOpen();
      await session.control(`savepoint ${name}`);
      const value = await nested.perform(fn, seconds);
      this.#assertOpen();
      await session.control(`release ${name}`);
      this.tasks.push(...nested.tasks);
      this.undoing.push(...nested.undoing);
      for (const collected of nested.collected) this.collected.push(collected);
      return value;
    } catch (error) {
      nested.end();
      // If the transaction has ended, its own rollback includes this.
      if (!this.#isEnded) {
        await session.control(`rollback to ${name}`);
        await session.control(`release ${name}`);
      }
      await nested.undo();
      throw error;
    } finally {
      this.#wake();
    }
  }

  /**
   * Runs `fn` in this transaction and ends it; later calls are refused.
   * @throws DATABASE_TRANSACTION_LONG after `seconds`.
   */
  perform<T>(fn: () => Promise<T>, seconds?: number): Promise<T> {
    const scope: Scope = { ...currentScope.getStore(), transaction: this };
    const work = async (): Promise<T> => {
      const value = await fn();
      if (this.#nested !== undefined || this.#waiting.length > 0) await this.#turn();
      this.#assertOpen();
      if (this.#depth === 0 && this.collected.length > 0) {
        const writing = this.#options.session.writeLast?.(this.collected);
        if (writing) await writing;
        this.#assertOpen();
      }
      this.end();
      return value;
    };
    if (seconds === undefined) return currentScope.run(scope, work);
    return new Promise<T>((resolve, reject) => {
      const cancel = this.#options.clock.after(seconds * 1000, () => {
        const error = longError(seconds);
        this.end(error);
        reject(error);
      });
      currentScope.run(scope, work).then(
        (value) => {
          cancel();
          resolve(value);
        },
        (error: unknown) => {
          cancel();
          reject(error);
        },
      );
    });
  }

  /** Refuses all further calls, here and in nested frames. */
  end(reason?: TreadleError): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#reason = reason;
    this.#nested?.end(reason);
    for (const next of this.#waiting.splice(0)) next();
  }
}

/** The innermost open transaction of this database in the current context. */
export function findFrame(owner: object): Frame | undefined {
  let frame = currentScope.getStore()?.transaction;
  while (frame instanceof Frame) {
    if (frame.owner === owner) return frame;
    frame = frame.outer;
  }
  return undefined;
}

/** Runs `fn` outside any transaction: for work that outlives the current one, such as waking a worker. */
export function outsideTransaction<T>(fn: () => T): T {
  const { transaction: _, ...scope } = currentScope.getStore() ?? {};
  return currentScope.run(scope, fn);
}

/** Adds to what is written before the transaction of the current context commits. @throws DATABASE_TRANSACTION_ENDED */
export function collectIn(owner: object, collected: CommitItem): void {
  const frame = findFrame(owner);
  if (frame === undefined) throw endedError();
  frame.collect(collected);
}

/** The parameter of each statement that writes what was collected: by its text, a JSON array of all its items. */
export function* groupCollected(collected: readonly CommitItem[]): Generator<readonly [text: string, items: string]> {
  const groups = new Map<string, unknown[]>();
  for (const { text, item } of collected) {
    const items = groups.get(text);
    if (items === undefined) groups.set(text, [item]);
    else items.push(item);
  }
  for (const [text, items] of groups) yield [text, JSON.stringify(items)];
}
