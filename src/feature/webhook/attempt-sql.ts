import { sql } from 'kysely';
import { rowsOf } from '../../database/bound-rows.ts';
import type { Database } from '../../database/database.ts';
import type { DeliveryState } from './tables.ts';

/** One attempt, times in unix seconds, and how its delivery stands after it. */
export interface AttemptRow {
  readonly delivery_id: number;
  readonly number: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly milliseconds: number;
  readonly request_head: string | null;
  readonly response_head: string | null;
  readonly response_body: string | null;
  readonly at: number;
  readonly state: DeliveryState;
  readonly next_at: number | null;
  readonly settled_at: number | null;
}

const ATTEMPT = {
  delivery_id: 'bigint',
  number: 'bigint',
  status: 'bigint',
  error: 'text',
  milliseconds: 'bigint',
  request_head: 'text',
  response_head: 'text',
  response_body: 'text',
  at: 'bigint',
} as const;

const STANDING = {
  delivery_id: 'bigint',
  number: 'bigint',
  status: 'bigint',
  error: 'text',
  state: 'text',
  next_at: 'bigint',
  settled_at: 'bigint',
} as const;

const pick = (attempt: AttemptRow, columns: object): Record<string, unknown> =>
  Object.fromEntries(Object.keys(columns).map((name) => [name, attempt[name as keyof AttemptRow]]));

/** Adds attempts and notes in their deliveries what came of them, two statements for however many. */
export async function recordAttempts(database: Database, attempts: readonly AttemptRow[]): Promise<void> {
  const { dialect, kysely: db } = database;
  const logged = attempts.map((attempt) => pick(attempt, ATTEMPT));
  await sql`insert into treadle_attempt
      (delivery_id, number, status, error, milliseconds, request_head, response_head, response_body, at)
    ${rowsOf(dialect, logged, ATTEMPT)}`.execute(db);
  const standing = attempts.map((attempt) => pick(attempt, STANDING));
  await sql`update treadle_delivery set state = l.state, attempts = l.number, next_at = l.next_at, status = l.status,
      error = l.error, settled_at = l.settled_at
    from (${rowsOf(dialect, standing, STANDING)}) l
    where treadle_delivery.delivery_id = l.delivery_id`.execute(db);
}

/** Remembers since when a receiver has answered nothing but failures. */
export async function markFailing(database: Database, receiver: string, now: number): Promise<void> {
  await sql`update treadle_receiver set failing_since = ${now}
    where receiver = ${receiver} and failing_since is null`.execute(database.kysely);
}
