import { randomBytes } from 'node:crypto';
import type { ClientBase, QueryConfig } from 'pg';
import type { Row } from '../database.ts';
import { refusedError } from '../fault.ts';
import { isLost } from './fault.ts';
import { toParameters } from './parameter.ts';

/** What a statement gave. */
export interface Result {
  readonly rows: Row[];
  readonly rowCount: number | null;
  readonly command: string;
}

export interface ConnectionOptions {
  /** Prepared statements kept. Default 500; 0 for none. */
  readonly statements?: number;
  /** Told of each statement before it is sent. For tests. */
  readonly trace?: ((sql: string) => void) | undefined;
}

/** How one statement is sent. */
export interface Sending {
  /** Not kept as a prepared statement: tables may change while it would be. */
  readonly isPassing?: boolean;
  /** Milliseconds until an answer must have come. Default 35,000; 0 for no limit. */
  readonly limit?: number;
}

/** Longer than the server's own limit of a statement: only a server that is gone takes so long. */
const ANSWER_MILLISECONDS = 35_000;

const COMMENTS = String.raw`^(?:\s|--[^\n]*\n|/\*[\s\S]*?\*/)*`;
const WORDS = [
  'begin|start|commit|end|rollback|abort|savepoint|release|prepare|deallocate|discard|vacuum|copy|listen|unlisten|reset',
  String.raw`set\s+(?!local\b|constraints\b)`,
];
/** Statements that would change a transaction behind the driver's back, or a connection that others use after. */
const REFUSED = new RegExp(String.raw`${COMMENTS}(?:(?:${WORDS[0]})\b|${WORDS[1]})`, 'i');

/** One connection: one statement at a time, in order; what is asked again is prepared once and kept. */
export class Connection {
  /** What the server calls it; for ending what it does. */
  readonly pid: number | undefined;
  readonly #client: ClientBase;
  readonly #options: ConnectionOptions;
  readonly #limit: number;
  /** SQL to name, the longest unused first. */
  readonly #names = new Map<string, string>();
  /** No two connections share a name, so that a pooler which shares connections does not mix them up. */
  readonly #prefix = `treadle_${randomBytes(6).toString('hex')}_`;
  #count = 0;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(client: ClientBase, options: ConnectionOptions) {
    this.#client = client;
    this.#options = options;
    this.#limit = options.statements ?? 500;
    this.pid = (client as { processID?: number }).processID;
  }

  /** Whether a statement is under way. */
  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  /** Prepared statements kept now. */
  get size(): number {
    return this.#names.size;
  }

  /**
   * Sends a caller's statement. @throws DATABASE_STATEMENT_REFUSED, DATABASE_PARAMETER_INVALID, DATABASE_TEXT_INVALID
   * before it is sent; else what `pg` throws.
   */
  execute(sql: string, parameters: readonly unknown[], { isPassing = false, limit }: Sending = {}): Promise<Result> {
    return this.#enqueue(async () => {
      if (!this.#names.has(sql) && REFUSED.test(sql)) throw refusedError(sql);
      const values = toParameters(parameters);
      const name = isPassing || this.#limit === 0 ? undefined : await this.#findName(sql);
      // The extended protocol takes one statement only, so nothing can hide behind a semicolon.
      const query = { text: sql, values, queryMode: 'extended', query_timeout: limit ?? ANSWER_MILLISECONDS };
      return this.#send(name === undefined ? query : { ...query, name });
    });
  }

  /** One of the driver's own statements. */
  control(sql: string, values: readonly unknown[] = [], limit = ANSWER_MILLISECONDS): Promise<Result> {
    return this.#enqueue(() => this.#send({ text: sql, values: [...values], query_timeout: limit }));
  }

  #enqueue(work: () => Promise<Result>): Promise<Result> {
    this.#waiting += 1;
    const run = async (): Promise<Result> => {
      try {
        return await work();
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
    return this.#client.query(query as QueryConfig);
  }

  async #findName(sql: string): Promise<string> {
    const known = this.#names.get(sql);
    if (known !== undefined) {
      this.#names.delete(sql);
      this.#names.set(sql, known);
      return known;
    }
    if (this.#names.size >= this.#limit) await this.#evict();
    this.#count += 1;
    const name = `${this.#prefix}${this.#count}`;
    this.#names.set(sql, name);
    return name;
  }

  async #evict(): Promise<void> {
    const [oldest] = this.#names;
    if (oldest === undefined) return;
    this.#names.delete(oldest[0]);
    await this.#send({ text: `deallocate ${oldest[1]}` }).catch((fault: unknown) => {
      // Never prepared after all, since its first run failed.
      if (isLost(fault)) throw fault;
    });
  }
}
