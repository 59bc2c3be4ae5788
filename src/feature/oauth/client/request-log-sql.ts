import type { Database } from '../../../database/database.ts';
import { APP, REQUEST } from '../tables.ts';

/** One answered request of an app. */
export interface LoggedRequest {
  readonly appId: number;
  /** Unix milliseconds of the answer. */
  readonly at: number;
  readonly method: string;
  /** Path without its query, which may have secrets. */
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
  /** The id that the answer's X-Request-Id and the log have. */
  readonly requestId: string;
}

/** Stored requests of an app. */
export const STORED_REQUESTS = 100;

const PATH_CHARACTERS = 500;

/** The newest requests of an app, newest first. */
export async function findRequests({ kysely }: Database, appId: number): Promise<LoggedRequest[]> {
  const rows = await kysely
    .selectFrom(REQUEST)
    .selectAll()
    .where('app_id', '=', appId)
    .orderBy('entry_id', 'desc')
    .limit(STORED_REQUESTS)
    .execute();
  return rows.map((row) => ({
    appId,
    at: Number(row.at),
    method: String(row.method),
    path: String(row.path),
    status: Number(row.status),
    milliseconds: Number(row.milliseconds),
    requestId: String(row.request_id),
  }));
}

/** Adds requests, oldest first, and deletes what is older than the newest hundred of their app. Call it in a write. */
export async function addRequests({ kysely }: Database, requests: readonly LoggedRequest[]): Promise<void> {
  const ids = [...new Set(requests.map(({ appId }) => appId))];
  const rows = await kysely.selectFrom(APP).select('app_id').where('app_id', 'in', ids).execute();
  for (const { app_id: id } of rows) {
    const values = requests
      .filter(({ appId }) => appId === Number(id))
      .slice(-STORED_REQUESTS)
      .map(({ appId, path, requestId, ...more }) => ({
        ...more,
        app_id: appId,
        path: path.slice(0, PATH_CHARACTERS),
        request_id: requestId,
      }));
    if (values.length === 0) continue;
    await kysely.insertInto(REQUEST).values(values).execute();
    const oldest = kysely
      .selectFrom(REQUEST)
      .select('entry_id')
      .where('app_id', '=', Number(id))
      .orderBy('entry_id', 'desc')
      .offset(STORED_REQUESTS)
      .limit(1);
    const last = await oldest.executeTakeFirst();
    if (last === undefined) continue;
    await kysely
      .deleteFrom(REQUEST)
      .where('app_id', '=', Number(id))
      .where('entry_id', '<=', Number(last.entry_id))
      .execute();
  }
}
