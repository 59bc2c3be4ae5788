import { CompiledQuery } from 'kysely';
import { TreadleError } from '../core/errors.ts';

const STARTS = /^[\s(]*(select|with|values|explain)\b/i;
/** Texts, quoted names and comments, which may contain any word. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\//g;
/** Statements and functions that write, lock, or change the connection. */
const WRITES =
  /\b(?:insert|update|delete|merge|create|drop|alter|truncate|grant|revoke|copy|call|attach|pragma|vacuum|nextval|setval|set_config|load_extension|pg_(?:try_)?advisory\w*|pg_notify|pg_terminate\w*|lo_\w+|dblink\w*)\b/i;

/** Refuses a query that does not only read. The connection is read-only, too. @throws QUERY_WRITES */
export function assertReads({ sql }: CompiledQuery): void {
  const bare = sql.replace(QUOTED, ' ');
  if (STARTS.test(bare) && !WRITES.test(bare)) return;
  throw new TreadleError('QUERY_WRITES', 'app.query only reads.', {
    hint: 'Change rows with events, such as system-model-update: rules, web hooks and histories depend on it.',
    detail: { sql },
  });
}

export const raw = (text: string): CompiledQuery => CompiledQuery.raw(text);
