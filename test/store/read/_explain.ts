import { CompiledQuery } from 'kysely';
import type { Database } from '../../../src/database/database.ts';
import { toLiteral } from '../../../src/database/table-sql.ts';
import { SERVER } from '../../database/_where.ts';

/** A statement that was run, and the values that it bound. */
export interface Read {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** The database, with a list of what is read. */
export function record(database: Database): { readonly recorded: Database; readonly reads: Read[] } {
  const reads: Read[] = [];
  const recorded = Object.create(database, {
    run: {
      value: (query: CompiledQuery, values: readonly unknown[], ...more: []) => {
        reads.push({ sql: query.sql, values });
        return database.run(query, values, ...more);
      },
    },
  }) as Database;
  return { recorded, reads };
}

/**
 * What the plan of a statement reads and sorts, line by line, without what differs between versions of a database. On
 * PostgreSQL it is the plan of a prepared statement for any values, which is used after five runs.
 */
export async function explain({ sql, values }: Read, database: Database): Promise<string[]> {
  if (database.dialect === 'sqlite') {
    const lines = await database.run(CompiledQuery.raw(`explain query plan ${sql}`), values);
    return lines.map(({ detail }) => String(detail)).filter((line) => /INDEX|SCAN|SEARCH|B-TREE/.test(line));
  }
  const [where] = await database.run(CompiledQuery.raw('select current_schema()::text as name'));
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: SERVER, options: `-c search_path=${String(where?.name)}` });
  await client.connect();
  try {
    await client.query('set plan_cache_mode = force_generic_plan');
    await client.query(`prepare treadle_plan as ${sql}`);
    const bound = values.map((value) => toLiteral(value as string | number)).join(', ');
    const { rows } = await client.query<Record<string, string>>(
      `explain (costs off) execute treadle_plan${bound === '' ? '' : `(${bound})`}`,
    );
    const lines = rows.map((row) => (row['QUERY PLAN'] ?? '').replace(/^[\s>-]+/, ''));
    return lines.filter((line) => /Scan|Sort|Index Cond/.test(line) && !/^Sort Key|^Presorted/.test(line));
  } finally {
    await client.end();
  }
}
