import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  Kysely,
  type QueryCompiler,
  type QueryResult,
} from 'kysely';
import { TreadleError } from '../core/errors.ts';
import type { Row } from './row-statement.ts';

/** What a dialect provides to Kysely: its compilers and connections. */
export interface KyselyParts {
  readonly createAdapter: () => DialectAdapter;
  readonly createCompiler: () => QueryCompiler;
  readonly createIntrospector: (kysely: Kysely<unknown>) => DatabaseIntrospector;
  readonly execute: (query: CompiledQuery) => Promise<QueryResult<Row>>;
}

/** Kysely's own transactions do not travel with the context, so calls inside would wait for them forever. */
async function refuse(): Promise<never> {
  throw new TreadleError('DATABASE_TRANSACTION_UNSUPPORTED', 'Transactions cannot be started through Kysely.', {
    hint: 'Use database.transaction(fn) or database.write(fn); queries inside join it automatically.',
  });
}

/** Each query uses the scope's transaction or a suitable connection. The type of its rows is what the query's author says. */
class ScopedConnection implements DatabaseConnection {
  readonly #execute: KyselyParts['execute'];

  constructor(execute: KyselyParts['execute']) {
    this.#execute = execute;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>>;
  executeQuery(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#execute(query);
  }

  streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>>;
  async *streamQuery(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.#execute(query);
  }
}

/** Connects Kysely to the scope. */
class ScopedDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(execute: KyselyParts['execute']) {
    this.#connection = new ScopedConnection(execute);
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }
  beginTransaction = refuse;
  commitTransaction = refuse;
  rollbackTransaction = refuse;
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}

export function createKysely(parts: KyselyParts): Kysely<Record<string, Row>> {
  const dialect: Dialect = {
    createAdapter: parts.createAdapter,
    createDriver: () => new ScopedDriver(parts.execute),
    createQueryCompiler: parts.createCompiler,
    createIntrospector: parts.createIntrospector,
  };
  return new Kysely<Record<string, Row>>({ dialect });
}
