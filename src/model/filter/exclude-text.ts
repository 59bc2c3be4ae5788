import type { Exclude } from '../shape.ts';

/** The example that messages and forms show. */
export const EXCLUDE_SAMPLE = 'tool_id:from,until';

const split = (text: string): string[] => text.split(',').map((name) => name.trim());

/**
 * Parses a text such as `tool_id:from,until`, or `from,until` for one timeline of all rows. A message may follow another colon:
 * `tool_id:from,until:Taken`, or `:from,until:Taken`. Undefined if it does not have this form.
 */
export function parseExcludeText(text: string): Exclude | undefined {
  const [, listed = '', period = '', message = ''] =
    /^(?:([^:]*):)?([^:,]+,[^:,]+)$/s.exec(text.trim()) ?? /^([^:]*):([^:,]+,[^:,]+):(.*)$/s.exec(text.trim()) ?? [];
  const columns = listed.trim() === '' ? [] : split(listed);
  const range = split(period);
  if (![...columns, ...range].every((name) => /^[a-z][\w-]*$/i.test(name))) return undefined;
  const said = message.trim();
  return { ...(columns.length === 0 ? {} : { columns }), range, ...(said === '' ? {} : { message: said }) };
}

/** The text of a rule that {@link parseExcludeText} reads. */
export function printExclude({ columns = [], range, message }: Exclude): string {
  const isPlain = columns.length === 0 && message === undefined;
  const same = isPlain ? '' : `${columns.join(',')}:`;
  return `${same}${range.join(',')}${message === undefined ? '' : `:${message}`}`;
}
