import { quote, toLiteral } from '../index/literal.ts';
import { compileExpression } from './compile.ts';
import type { MadeTrigger, TriggerSource, TriggerTarget } from './trigger.ts';

/** The body of a function; a backslash is an escape in a plain text if the server says so. */
const printBody = (body: string): string =>
  body.includes('\\') ? `E${toLiteral(body).replaceAll('\\', '\\\\')}` : toLiteral(body);

const isOther = (name: string): string => `new.${quote(name)} is distinct from old.${quote(name)}`;

/** Finds the keys that a written row counts in; returns where it changes nothing. */
function toKeysSql({ key, pairs, watched }: TriggerSource): string {
  if (pairs !== undefined) {
    const list = `select ${quote(key)} from ${quote(pairs.table)} where ${quote(pairs.column)} = new.${quote(pairs.primary)}`;
    return `if not (${watched.map(isOther).join(' or ')}) then return null; end if; keys := array(${list});`;
  }
  const changed = [key, ...watched].map(isOther).join(' or ');
  return `if tg_op = 'INSERT' then keys := array[new.${quote(key)}];
  elsif tg_op = 'DELETE' then keys := array[old.${quote(key)}];
  elsif ${changed} then keys := array[old.${quote(key)}, new.${quote(key)}];
  else return null; end if;`;
}

/**
 * Triggers that compute a column again, in the transaction of the write. They first lock the rows that have the column: a
 * transaction that writes another related row waits here, and the statement after it sees what the first one has written.
 *
 * No trigger names columns in its head: PostgreSQL would not change the type of such a column.
 */
export function createPostgresTriggers(
  { table, primary, column, prefix, expression }: TriggerTarget,
  sources: readonly TriggerSource[],
): MadeTrigger[] {
  const value = compileExpression(expression, { dialect: 'postgres', alias: 't' });
  const own = quote(column);
  return sources.map((source, place): MadeTrigger => {
    const name = `${prefix}_${place}`;
    const isOwn = source.table === table && source.key === source.side;
    const events = source.pairs !== undefined ? 'update' : isOwn ? 'insert or update' : 'insert or update or delete';
    const side = quote(source.side);
    const body = `declare keys bigint[];
begin
  ${toKeysSql(source)}
  perform 1 from ${quote(table)} where ${side} = any(keys) order by ${quote(primary)} for no key update;
  update ${quote(table)} as "t" set ${own} = ${value} where "t".${side} = any(keys) and "t".${own} is distinct from ${value};
  return null;
end`;
    const fn = `${quote(name)}()`;
    return {
      name,
      sql: [
        `create or replace function ${fn} returns trigger language plpgsql as ${printBody(body)}`,
        `drop trigger if exists ${quote(name)} on ${quote(source.table)}`,
        `create trigger ${quote(name)} after ${events} on ${quote(source.table)} for each row execute function ${fn}`,
      ],
    };
  });
}
