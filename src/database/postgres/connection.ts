import { randomBytes } from 'node:crypto';
import type { ClientBase, QueryConfig } from 'pg';
import { BoundedMap } from '../../core/bounded-map.ts';
import { toStamp } from '../../core/clock.ts';
import { TreadleError } from '../../core/errors.ts';
import { refusedError } from '../database-error.ts';
import type { Row } from '../row-statement.ts';
import { isLost, isMoved } from './postgres-error.ts';

function refuseNul(index: number): never {
  throw new TreadleError('DATABASE_TEXT_INVALID', 'A text has a NUL character, which the database cannot store.', {
    status: 400,
    hint: 'Remove the character U+0000.',
    detail: { parameter: index + 1 },
  });
}

/** A value as `pg` sends it: booleans as 1 and 0, as on SQLite. */
function toBound(value: unknown, index: number): unknown {
  switch (typeof value) {
    case 'string':
      return value.includes('\0') ? refuseNul(index) : value;
    case 'number':
      return value;
    case 'boolean':
      return value ? 1 : 0;
    case 'bigint':
      return String(value);
    default:
  }
  if (value === null) return null;
  if (value instanceof Date) return toStamp(value.getTime());
  if (Buffer.isBuffer(value)) return value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const type = typeof value === 'object' ? 'an object' : `a value of type ${typeof value}`;
  throw new TreadleError('DATABASE_PARAMETER_INVALID', `Parameter ${index + 1} of a query is ${type}.`, {
    hint: 'Bind text, numbers, booleans, null, dates and buffers; write JSON as text.',
  });
}

/**
 * Converts parameters for PostgreSQL. @throws DATABASE_PARAMETER_INVALID. @throws DATABASE_TEXT_INVALID (400)
 * for a NUL character, which PostgreSQL cannot store in text.
 */
export function toParameters(parameters: readonly unknown[]): unknown[] {
  return parameters.map(toBound);
}

/** With a member that the types of `pg` leave out. */
interface PgClient extends ClientBase {
  readonly processID?: number;
}

/** Result of a statement. */
export interface Result {
  readonly rows: Row[];
  readonly rowCount: number | null;
  readonly command: string;
}

export interface ConnectionOptions {
  /** Maximum prepared statements. Default 500; 0 for none. */
  readonly statements?: number;
  /** Called with each statement before it is sent. For tests. */
  readonly trace?: ((sql: string) => void) | undefined;
  /** Timeout for a response in milliseconds. Default 27,000. */
  readonly answer?: number | undefined;
  /** Called when the server has responded, even with an error. */
  readonly received?: (() => void) | undefined;
  /** Called with errors of `pg` before the caller gets them. */
  readonly failed?: ((error: unknown) => void) | undefined;
}

/** Options for sending one statement. */
export interface SendOptions {
  /** Not prepared, because tables may change in the meantime. */
  readonly isPassing?: boolean;
  /** Timeout for the response in milliseconds, if it differs from the connection's; 0 for none. */
  readonly limit?: number;
}

/** Longer than the server's own statement timeout, and shorter than that of a request. */
const ANSWER_MILLISECONDS = 27_000;

const COMMENTS = String.raw`^(?:\s|--[^\n]*\n|/\*[\s\S]*?\*/)*`;
const WORDS = [
  'begin|start|commit|end|rollback|abort|savepoint|release|prepare|deallocate|discard|vacuum|copy|listen|unlisten|reset',
  String.raw`set\s+(?!local\b|constraints\b)`,
];
/**
 * Statements that would change a transaction without the driver's knowledge, or the state of a connection
 * that others use later.
 */
const REFUSED = new RegExp(String.raw`${COMMENTS}(?:(?:${WORDS[0]})\b|${WORDS[1]})`, 'i');

/** One connection: one statement at a time, in order; repeated statements are prepared once. */
export class Connection {
  /** Process id of the backend; for cancelling its statement. */
  readonly pid: number | undefined;
  /** Checks since the running statement was sent, counted by {@link Liveness}. */
  age = 0;
  readonly #client: ClientBase;
  readonly #options: ConnectionOptions;
  readonly #limit: number;
  /** SQL to name. */
  readonly #names: BoundedMap<string>;
  /** Names to deallocate. */
  readonly #dropped: string[] = [];
  /** Unique for each connection, so that a pooler which shares connections does not mix up names. */
  readonly #prefix = `treadle_${randomBytes(6).toString('hex')}_`;
  readonly #answer: number;
  #count = 0;
  #waiting = 0;
  #isLost = false;
  #isDoomed = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(client: PgClient, options: ConnectionOptions) {
    this.#client = client;
    this.#options = options;
    this.#limit = options.statements ?? 500;
    this.#names = new BoundedMap(this.#limit, { onDrop: (name) => this.#dropped.push(name) });
    this.#answer = options.answer ?? ANSWER_MILLISECONDS;
    this.pid = client.processID;
  }

  /** Whether a statement is running. */
  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  /** Whether the connection is gone. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Whether to close it on return: it is gone, or its server no longer accepts writes. */
  get isDoomed(): boolean {
    return this.#isDoomed;
  }

  /** Number of prepared statements. */
  get size(): number {
    return this.#names.size;
  }

  /**
   * Runs a caller's statement. @throws DATABASE_STATEMENT_REFUSED, DATABASE_PARAMETER_INVALID,
   * DATABASE_TEXT_INVALID before it is sent; else what `pg` throws.
   */
  execute(
    sql: string,
    parameters: readonly unknown[],
    { isPassing = false, limit }: SendOptions = {},
  ): Promise<Result> {
    return this.#enqueue(async () => {
      if (!this.#names.has(sql) && REFUSED.test(sql)) throw refusedError(sql);
      const values = toParameters(parameters);
      const name = isPassing || this.#limit === 0 ? undefined : await this.#findName(sql);
      // The extended protocol allows one statement only, so nothing can hide behind a semicolon.
      const query = { text: sql, values, queryMode: 'extended', query_timeout: limit ?? this.#answer };
      return this.#send(name === undefined ? query : { ...query, name });
    });
  }

  /** One of the driver's own statements. */
  control(sql: string, values: readonly unknown[] = [], limit = this.#answer): Promise<Result> {
    return this.#enqueue(() => this.#send({ text: sql, values: [...values], query_timeout: limit }));
  }

  #enqueue(work: () => Promise<Result>): Promise<Result> {
    this.#waiting += 1;
    const run = async (): Promise<Result> => {
      try {
        const result = await work();
        this.#options.received?.();
        return result;
      } catch (error) {
        this.#judge(error);
        throw error;
      } finally {
        this.#waiting -= 1;
      }
    };
    const result = this.#last.then(run, run);
    this.#last = result;
    return result;
  }

  #send(query: QueryConfig & { readonly query_timeout?: number; readonly queryMode?: string }): Promise<Result> {
    this.#options.trace?.(query.text);
    this.age = 0;
    return this.#client.query(query);
  }

  #judge(error: unknown): void {
    // Rejected before it was sent.
    if (error instanceof TreadleError) return;
    this.#isLost ||= isLost(error);
    this.#isDoomed ||= this.#isLost || isMoved(error);
    if (!this.#isLost) this.#options.received?.();
    this.#options.failed?.(error);
  }

  async #findName(sql: string): Promise<string> {
    const known = this.#names.get(sql);
    if (known !== undefined) return known;
    this.#count += 1;
    const name = `${this.#prefix}${this.#count}`;
    this.#names.set(sql, name);
    for (const dropped of this.#dropped.splice(0)) {
      await this.#send({ text: `deallocate ${dropped}` }).catch((error: unknown) => {
        // Its first run failed, so it was not prepared.
        if (isLost(error)) throw error;
      });
    }
    return name;
  }
}
