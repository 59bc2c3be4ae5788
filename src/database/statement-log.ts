import type { CompiledQuery, QueryResult } from 'kysely';
import type { Log } from '../core/log/log.ts';
import { currentScope } from '../core/scope.ts';
import type { Database } from './database.ts';
import { createKysely } from './kysely.ts';
import { countRows, type Row } from './row-statement.ts';

/** A statement is one line of the log. */
const LINES = /\s*\n\s*/g;

interface StatementLog {
  readonly log: Pick<Log, 'info'>;
  /** Milliseconds, with fractions. */
  readonly now: () => number;
}

/** Writes a line for each statement. Its values are left out: they may be secrets, or personal. */
function createTeller({ log, now }: StatementLog) {
  return async <R>(sql: string, run: () => Promise<R>, count: (result: R) => number): Promise<R> => {
    const { caller, started } = currentScope.getStore() ?? {};
    // Treadle's own work beside requests looks at its tables each second.
    if (caller === undefined && started === undefined) return run();
    const begunAt = now();
    const tell = (rows: number | undefined): void =>
      log.info('sql', {
        ms: Math.round((now() - begunAt) * 10) / 10,
        ...(rows === undefined ? { failed: true } : { rows }),
        ...(caller?.id === undefined ? {} : { request: caller.id }),
        ...(started === undefined ? {} : { [started.by]: started.name }),
        statement: sql.replace(LINES, ' '),
      });
    try {
      const result = await run();
      tell(count(result));
      return result;
    } catch (error) {
      tell(undefined);
      throw error;
    }
  };
}

/**
 * The same database, which logs each statement of a request, a job or a command, with its milliseconds (those that it
 * waited for its turn included), its rows and the id of the request. For development: it makes each statement slower.
 */
export function logStatements(database: Database, options: StatementLog): Database {
  const tell = createTeller(options);
  const countResult = ({ rows, numAffectedRows }: QueryResult<Row>): number =>
    rows.length > 0 ? countRows(rows) : Number(numAffectedRows ?? 0);
  const wrap = (kysely: Database['kysely']): Database['kysely'] => {
    const executor = kysely.getExecutor();
    return createKysely({
      createAdapter: () => executor.adapter,
      createCompiler: () => ({ compileQuery: (node, id) => executor.compileQuery(node, id) }),
      createIntrospector: () => kysely.introspection,
      execute: (query: CompiledQuery) => tell(query.sql, () => kysely.executeQuery<Row>(query), countResult),
    });
  };
  const own: Partial<Database> = {
    kysely: wrap(database.kysely),
    reader: wrap(database.reader),
    run: <R = Row>(...all: Parameters<Database['run']>): Promise<R[]> =>
      tell(
        all[0].sql,
        () => database.run<R>(...all),
        (rows) => countRows(rows as readonly Row[]),
      ),
    writeRow: (statement) => tell(statement.query.sql, () => database.writeRow(statement), countRows),
  };
  return new Proxy(database, {
    get(target, name) {
      const found: unknown = Object.hasOwn(own, name) ? Reflect.get(own, name) : Reflect.get(target, name, target);
      // Private members are those of the database itself.
      return typeof found === 'function' && !Object.hasOwn(own, name) ? found.bind(target) : found;
    },
  });
}
