import { CompiledQuery } from 'kysely';
import { TreadleError } from '../../core/errors.ts';
import { type FailedCheck, findFailure } from '../health.ts';
import type { Row } from '../row-statement.ts';

type Run = (query: CompiledQuery) => Promise<readonly Row[]>;

/** Reads a catalogue row from a page, and whether the server would accept a write. */
const STATE = CompiledQuery.raw(
  'select current_setting(\'transaction_read_only\') as "readOnly", (select count(*) from pg_namespace) as "schemas"',
);

/** Columns of the schema's ordinary tables, and their indexes. */
const STRUCTURE = CompiledQuery.raw(`select md5(coalesce(string_agg(part, ',' order by part), '')) as version from (
  select concat_ws(' ', attrelid, relname, attnum, attname, atttypid, attnotnull, attisdropped) as part
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0
  union all
  select concat_ws(' ', indexrelid, indrelid, indkey::text, indisunique, indisvalid)
    from pg_index join pg_class on pg_class.oid = indrelid
    where relnamespace = current_schema()::regnamespace) as parts`);

/** Checks whether the server responds and accepts writes. */
export async function checkServerHealth(run: Run): Promise<readonly FailedCheck[]> {
  const rows: Row[] = [];
  const read = await findFailure('read', async () => void rows.push(...(await run(STATE))));
  if (read.length > 0) return read;
  return findFailure('writer', async () => {
    if (rows[0]?.readOnly !== 'off')
      throw new TreadleError('DATABASE_UNWRITABLE', 'The database server accepts no writes.');
  });
}

export const readStructureVersion = async (run: Run): Promise<string> => String((await run(STRUCTURE))[0]?.version);
