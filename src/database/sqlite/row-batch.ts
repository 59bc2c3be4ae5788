import { MANY_KEY, type Row } from '../row-statement.ts';
import { RowTicket, type Ticket } from './ticket.ts';
import type { WriterSession } from './writer-session.ts';

/** Writes of one statement. */
export type RowTickets = readonly [RowTicket, ...RowTicket[]];

/** Rows of a statement: each size is a statement of its own, which SQLite prepares once. */
const SIZES = [2, 4, 8, 16];
const MOST_ROWS = 16;

/**
 * Takes the writes out of the queue that one statement can do with the first: those of the same text before the next unit,
 * no two of the same row.
 */
export function takeLike(first: RowTicket, queue: Ticket[], most: number): RowTicket[] {
  const { many, key } = first.write;
  if (many === undefined) return [];
  const keys = new Set(key === undefined ? [] : [key]);
  const taken: RowTicket[] = [];
  const size = Math.min(most, many.most, MOST_ROWS);
  for (let at = 0; at < queue.length && taken.length + 1 < size; ) {
    const next = queue[at];
    if (!(next instanceof RowTicket)) break;
    const { write } = next;
    if (write.many !== many || (write.key !== undefined && keys.has(write.key))) {
      at += 1;
      continue;
    }
    if (write.key !== undefined) keys.add(write.key);
    queue.splice(at, 1);
    taken.push(next);
  }
  return taken;
}

/** The row of each write. @throws Error if the statement did not write the rows that it was given. */
function splitRows(found: readonly Row[], tickets: readonly RowTicket[]): Row[][] {
  const rows = new Map(found.map((row) => [Number(row[MANY_KEY]), row]));
  if (tickets[0]?.write.key !== undefined) {
    return tickets.map(({ write: { key } }) => {
      const row = key === undefined ? undefined : rows.get(key);
      return row === undefined ? [] : [row];
    });
  }
  // SQLite counts the keys of new rows up in the order of `values`; `returning` promises no order.
  const inserted = [...rows].sort(([one], [other]) => one - other);
  if (inserted.length !== tickets.length)
    throw new Error(`${inserted.length} of ${tickets.length} rows were inserted.`);
  return inserted.map(([, row]) => [row]);
}

/**
 * Writes the rows of several writes by one statement. False if that fails: SQLite has undone all of it, unless the session is
 * broken.
 */
export async function writeTogether(session: WriterSession, tickets: RowTickets): Promise<boolean> {
  const { many, parameters } = tickets[0].write;
  const size = SIZES.find((rows) => rows >= tickets.length);
  if (many === undefined || size === undefined) return false;
  const values = tickets.flatMap(({ write }) => write.parameters);
  for (let left = (size - tickets.length) * parameters.length; left > 0; left -= 1) values.push(null);
  let found: Row[];
  try {
    found = await session.execute(many.toText(size), [...values, tickets.length]);
  } catch {
    return false;
  }
  return session.keep(() => {
    const rows = splitRows(found, tickets);
    return tickets.every((ticket, index) => ticket.take(session, rows[index] ?? []));
  });
}
