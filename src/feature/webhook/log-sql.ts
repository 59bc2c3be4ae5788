import { sql } from 'kysely';
import type { Row } from '../../database/database.ts';
import type { Context } from '../../plan/feature.ts';
import { type DeliveryTests, toWhere } from './delivery-filter.ts';

/** One attempt as people see it: heads as objects. */
export interface LoggedAttempt {
  readonly number: number;
  readonly at: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly milliseconds: number;
  readonly request_head: Readonly<Record<string, string>> | null;
  readonly response_head: Readonly<Record<string, string>> | null;
  readonly response_body: string | null;
}

const parseHead = (text: unknown): LoggedAttempt['request_head'] =>
  typeof text === 'string' && text !== '' ? JSON.parse(text) : null;

/** The attempts of a delivery, the first first. */
export async function findAttempts({ services }: Context, deliveryId: number): Promise<LoggedAttempt[]> {
  const rows = await services.database.kysely
    .selectFrom('treadle_attempt')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    .orderBy('number')
    .execute();
  return rows.map((row) => ({
    number: Number(row.number),
    at: Number(row.at),
    status: row.status === null ? null : Number(row.status),
    error: row.error as string | null,
    milliseconds: Number(row.milliseconds),
    request_head: parseHead(row.request_head),
    response_head: parseHead(row.response_head),
    response_body: row.response_body as string | null,
  }));
}

/** What is sent again: its receiver's lane holds it. */
export interface Chosen {
  readonly delivery_id: number;
  readonly receiver: string;
}

/** Deliveries that a filter finds, the oldest first. */
export async function findChosen(context: Context, tests: DeliveryTests, limit: number): Promise<Chosen[]> {
  const { rows } = await sql<Chosen>`select d.delivery_id, d.receiver
    from treadle_delivery d join treadle_event e on e.event_id = d.event_id
    ${toWhere(tests)} order by d.delivery_id limit ${limit}`.execute(context.services.database.kysely);
  return rows.map(({ delivery_id, receiver }) => ({ delivery_id: Number(delivery_id), receiver }));
}

/** How many deliveries a filter finds. */
export async function countChosen(context: Context, tests: DeliveryTests): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n
    from treadle_delivery d join treadle_event e on e.event_id = d.event_id
    ${toWhere(tests)}`.execute(context.services.database.kysely);
  return Number(rows[0]?.n ?? 0);
}

/** What is known of receivers, by their keys. */
export async function findReceiverRows(context: Context, keys: readonly string[]): Promise<Map<string, Row>> {
  if (keys.length === 0) return new Map();
  const { rows } = await sql<Row>`select * from treadle_receiver where receiver in (${sql.join(keys)})`.execute(
    context.services.database.kysely,
  );
  return new Map(rows.map((row) => [String(row.receiver), row]));
}

/** Deliveries of a receiver that are not delivered, by state, and when one last was (unix seconds). */
export async function findStanding(
  { services }: Context,
  receiver: string,
): Promise<{ readonly counts: ReadonlyMap<string, number>; readonly lastSuccessAt: number | null }> {
  const { kysely } = services.database;
  const { rows } = await sql<{ state: string; n: number }>`select state, count(*) as n from treadle_delivery
    where receiver = ${receiver} and state in ('pending', 'failed', 'disabled') group by state`.execute(kysely);
  const last = await sql<{ settled_at: number | null }>`select settled_at from treadle_delivery
    where receiver = ${receiver} and state = 'delivered' order by delivery_id desc limit 1`.execute(kysely);
  const at = last.rows[0]?.settled_at;
  return {
    counts: new Map(rows.map(({ state, n }) => [state, Number(n)])),
    lastSuccessAt: at === null || at === undefined ? null : Number(at),
  };
}
