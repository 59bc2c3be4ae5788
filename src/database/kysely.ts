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

/** Connects Kysely to the scope: each query uses its transaction or a suitable connection. */
class ScopedDriver implements Driver {
  readonly #connection: DatabaseConnection;

  constructor(execute: KyselyParts['execute']) {
    this.#connection = {
      executeQuery: <R>(query: CompiledQuery) => execute(query) as Promise<QueryResult<R>>,
      async *streamQuery<R>(query: CompiledQuery) {
        yield (await execute(query)) as QueryResult<R>;
      },
    };
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
