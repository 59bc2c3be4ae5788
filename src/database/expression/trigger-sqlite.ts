import { quote } from '../index/literal.ts';
import { compileExpression } from './compile.ts';
import type { MadeTrigger, TriggerSource, TriggerTarget } from './trigger.ts';

type Event = 'insert' | 'update' | 'delete';

/** The rows of the target that a written row counts in, as the end of a condition. */
function toKeys({ key, pairs }: TriggerSource, event: Event): string {
  if (pairs !== undefined) {
    const own = `new.${quote(pairs.primary)}`;
    return `in (select ${quote(key)} from ${quote(pairs.table)} where ${quote(pairs.column)} = ${own})`;
  }
  const rows = event === 'insert' ? ['new'] : event === 'delete' ? ['old'] : ['old', 'new'];
  return `in (${rows.map((row) => `${row}.${quote(key)}`).join(', ')})`;
}

/** Triggers that compute a column again. SQLite has one writer, so each sees all rows. */
export function createSqliteTriggers(
  { table, column, prefix, expression }: TriggerTarget,
  sources: readonly TriggerSource[],
): MadeTrigger[] {
  // A trigger knows its table by the name alone.
  const value = compileExpression(expression, { dialect: 'sqlite', alias: table });
  return sources.flatMap((source, place) => {
    const isOwn = source.table === table && source.key === source.side;
    const events: readonly Event[] =
      source.pairs !== undefined ? ['update'] : isOwn ? ['insert', 'update'] : ['insert', 'update', 'delete'];
    return events.map((event): MadeTrigger => {
      const name = `${prefix}_${place}_${event}`;
      const columns = [...new Set([...(source.pairs === undefined ? [source.key] : []), ...source.watched])];
      const when = event === 'update' ? `update of ${columns.map(quote).join(', ')}` : event;
      const update = `update ${quote(table)} set ${quote(column)} = ${value} where ${quote(source.side)} ${toKeys(source, event)} and ${quote(column)} is not ${value}`;
      return {
        name,
        sql: [
          `drop trigger if exists ${quote(name)}`,
          `create trigger ${quote(name)} after ${when} on ${quote(source.table)} begin ${update}; end`,
        ],
      };
    });
  });
}
