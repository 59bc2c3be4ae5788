import { sql } from 'kysely';
import type { Database } from '../../../database/database.ts';
import { APP, TRAFFIC } from '../tables.ts';

/** Responses to an app within an hour. */
export interface Traffic {
  readonly appId: number;
  /** Start of the hour in unix seconds. */
  readonly hour: number;
  /** Statuses below 400. */
  readonly succeeded: number;
  /** 400 to 499. */
  readonly refused: number;
  /** 500 and more. */
  readonly failed: number;
  /** Unix second of the last one. */
  readonly lastAt: number;
}

/** Adds counts to their hours; skips removed apps. Call it in a write. */
export async function addTraffic({ kysely }: Database, counts: readonly Traffic[]): Promise<void> {
  const ids = [...new Set(counts.map(({ appId }) => appId))];
  const rows = await kysely.selectFrom(APP).select('app_id').where('app_id', 'in', ids).execute();
  const known = new Set(rows.map(({ app_id: id }) => Number(id)));
  for (const { appId, hour, succeeded, refused, failed, lastAt } of counts) {
    if (!known.has(appId)) continue;
    const added = (column: string) =>
      sql<number>`${sql.ref(`${TRAFFIC}.${column}`)} + ${sql.ref(`excluded.${column}`)}`;
    await kysely
      .insertInto(TRAFFIC)
      .values({ app_id: appId, hour, succeeded, refused, failed, last_at: lastAt })
      .onConflict((conflict) =>
        conflict.columns(['app_id', 'hour']).doUpdateSet({
          succeeded: added('succeeded'),
          refused: added('refused'),
          failed: added('failed'),
          last_at: lastAt,
        }),
      )
      .execute();
  }
}

/** Counts of an app since a time, oldest first. */
export async function findTraffic({ kysely }: Database, appId: number, since: number): Promise<Traffic[]> {
  const rows = await kysely
    .selectFrom(TRAFFIC)
    .selectAll()
    .where('app_id', '=', appId)
    .where('hour', '>=', since)
    .orderBy('hour')
    .execute();
  return rows.map((row) => ({
    appId,
    hour: Number(row.hour),
    succeeded: Number(row.succeeded),
    refused: Number(row.refused),
    failed: Number(row.failed),
    lastAt: Number(row.last_at),
  }));
}

/** For the list of apps: requests since a time, and the time of the last one. */
export async function sumTraffic(
  { kysely }: Database,
  appIds: readonly number[],
  since: number,
): Promise<Map<number, { readonly count: number; readonly lastAt: number }>> {
  if (appIds.length === 0) return new Map();
  const recent = sql<number>`sum(case when hour >= ${since} then succeeded + refused + failed else 0 end)`;
  const rows = await kysely
    .selectFrom(TRAFFIC)
    .select(['app_id', recent.as('count'), (select) => select.fn.max('last_at').as('last_at')])
    .where('app_id', 'in', appIds)
    .groupBy('app_id')
    .execute();
  return new Map(rows.map((row) => [Number(row.app_id), { count: Number(row.count), lastAt: Number(row.last_at) }]));
}

/** Whether there are hours before this time, without a write. */
export async function hasOldTraffic({ kysely }: Database, before: number): Promise<boolean> {
  const found = await kysely.selectFrom(TRAFFIC).select('hour').where('hour', '<', before).limit(1).execute();
  return found.length > 0;
}

/** Deletes hours before this time. */
export async function deleteOldTraffic({ kysely }: Database, before: number): Promise<void> {
  await kysely.deleteFrom(TRAFFIC).where('hour', '<', before).execute();
}
