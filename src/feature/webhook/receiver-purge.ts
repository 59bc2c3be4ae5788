import { sql } from 'kysely';
import { Request } from '../../core/request.ts';
import { listOf } from '../../database/bound-rows.ts';
import type { Context } from '../../plan/feature.ts';
import { findKnown } from './receiver-state.ts';

/** Receivers per transaction. */
const PART = 500;

/**
 * Removes receivers that have no delivery in the log and that no hook or app names. A named receiver stays
 * however long it is silent, because its row holds whether it is disabled and which secret it knows.
 * @param before Unix seconds; younger ones stay.
 */
export async function forgetReceivers(context: Context, before: number): Promise<void> {
  const { database } = context.services;
  const { dialect, kysely: db } = database;
  const { rows } = await sql<{ receiver: string }>`select receiver from treadle_receiver
    where created_at < ${before}
      and not exists (select 1 from treadle_delivery d where d.receiver = treadle_receiver.receiver)
    order by receiver`.execute(db);
  if (rows.length === 0) return;
  const known = new Set((await findKnown(context, new Request())).map(({ key }) => key));
  const old = rows.map(({ receiver }) => receiver).filter((key) => !known.has(key));
  for (let from = 0; from < old.length; from += PART) {
    const keys = old.slice(from, from + PART);
    await database.write(() =>
      sql`delete from treadle_receiver where receiver in (select l.value from ${listOf(dialect, keys)} l)
        and not exists (select 1 from treadle_delivery d where d.receiver = treadle_receiver.receiver)`.execute(db),
    );
  }
}
