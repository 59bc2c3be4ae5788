import { sql } from 'kysely';
import { listOf } from '../../../database/bound-rows.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { LoggedAttempt } from '../../../page/delivery-view.ts';
import type { Context } from '../../../plan/feature.ts';
import { type Test, toWhere } from '../../../plan/table/table.ts';
import { IS_REAL } from '../trial.ts';
import type { LoggedReceiver } from './skip-reason.ts';

const parseHead = (text: unknown): LoggedAttempt['request_head'] =>
  typeof text === 'string' && text !== '' ? JSON.parse(text) : null;

/** The attempts of a delivery, oldest first. */
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

/** A delivery to replay; its lane is the receiver's. */
export interface ChosenDelivery extends LoggedReceiver {
  readonly delivery_id: number;
  readonly receiver: string;
}

/** A receiver and its number of deliveries. */
export interface ReceiverCount extends LoggedReceiver {
  readonly count: number;
}

/** Deliveries that match a filter, oldest first. */
export async function findChosen(context: Context, tests: readonly Test[], limit: number): Promise<ChosenDelivery[]> {
  const { rows } = await sql<ChosenDelivery>`select d.delivery_id, d.receiver, d.hook, d.url, d.client_id
    from treadle_delivery d join treadle_event e on e.event_id = d.event_id
    ${toWhere(tests)} order by d.delivery_id limit ${limit}`.execute(context.services.database.kysely);
  return rows.map((row) => ({ ...row, delivery_id: Number(row.delivery_id) }));
}

/** Number of matching deliveries per receiver, largest first. */
export async function countByReceiver(context: Context, tests: readonly Test[]): Promise<ReceiverCount[]> {
  const { rows } = await sql<ReceiverCount>`select d.hook, d.url, d.client_id, count(*) as count
    from treadle_delivery d join treadle_event e on e.event_id = d.event_id
    ${toWhere(tests)} group by d.hook, d.url, d.client_id
    order by count(*) desc, d.hook, d.url, d.client_id`.execute(context.services.database.kysely);
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

/** Rows of receivers, by their keys. */
export async function findReceiverRows(context: Context, keys: readonly string[]): Promise<Map<string, Row>> {
  if (keys.length === 0) return new Map();
  const { dialect, kysely } = context.services.database;
  const { rows } = await sql<Row>`select * from treadle_receiver
    where receiver in (select l.value from ${listOf(dialect, keys)} l)`.execute(kysely);
  return new Map(rows.map((row) => [String(row.receiver), row]));
}

/** Disabled receivers with the reason. */
export async function findDisabled({ services }: Context): Promise<(LoggedReceiver & Row)[]> {
  const { rows } = await sql<LoggedReceiver & Row>`select hook, url, client_id, disabled_reason from treadle_receiver
    where disabled_at is not null order by hook, url`.execute(services.database.kysely);
  return rows;
}

/** How many of the newest deliveries to search for the last attempt of a receiver. */
const NEWEST = 100;

/** The last response of a failing receiver: a status, or an error. */
export async function findLastAnswer(
  { services }: Context,
  receiver: string,
): Promise<{ readonly status: number | null; readonly error: string | null }> {
  const { rows } = await sql<{ status: number | null; error: string | null }>`select a.status, a.error
    from (select delivery_id, attempts from treadle_delivery d
      where receiver = ${receiver} and state in ('pending', 'failed') and attempts > 0 and ${IS_REAL}
      order by delivery_id desc limit ${NEWEST}) l
    join treadle_attempt a on a.delivery_id = l.delivery_id and a.number = l.attempts
    order by a.at desc, a.attempt_id desc limit 1`.execute(services.database.kysely);
  const [last] = rows;
  const status = last?.status ?? null;
  return { status: status === null ? null : Number(status), error: last?.error ?? null };
}

/**
 * Undelivered deliveries of a receiver by state, and the time of the last delivered one (unix seconds).
 * Failed trials do not count as missed.
 */
export async function findStanding(
  { services }: Context,
  receiver: string,
): Promise<{ readonly counts: ReadonlyMap<string, number>; readonly lastSuccessAt: number | null }> {
  const { kysely } = services.database;
  const { rows } = await sql<{ state: string; n: number }>`select state, count(*) as n from treadle_delivery d
    where receiver = ${receiver} and state in ('pending', 'failed', 'disabled') and (state <> 'failed' or ${IS_REAL})
    group by state`.execute(kysely);
  const last = await sql<{ settled_at: number | null }>`select settled_at from treadle_delivery
    where receiver = ${receiver} and state = 'delivered' order by delivery_id desc limit 1`.execute(kysely);
  const at = last.rows[0]?.settled_at;
  return {
    counts: new Map(rows.map(({ state, n }) => [state, Number(n)])),
    lastSuccessAt: at === null || at === undefined ? null : Number(at),
  };
}
