import type { Request } from '../../core/request/request.ts';
import { digest } from '../../core/secret/secret.ts';
import type { Database } from '../../database/database.ts';
import type { SessionFacts } from '../../plan/feature.ts';

/** Where a visit came from, as a session notes it. */
export interface Visitor {
  readonly address: string;
  /** The `User-Agent` header. */
  readonly browser: string;
}

/** Stored characters of a `User-Agent`. */
const BROWSER_MOST = 300;

export const toVisitor = (request: Request): Visitor => ({
  address: String(request.getServer('REMOTE_ADDR') ?? ''),
  browser: String(request.getHeader('user-agent') ?? '').slice(0, BROWSER_MOST),
});

/** Names a session to its user. The key itself, a hash of the cookie, stays inside. */
const toPublicId = (key: string): string => digest(key).slice(0, 16);

/** The sessions of a user that have not ended, the last used first. */
export async function listSessions(
  { kysely }: Database,
  { authId, now, own }: { readonly authId: number; readonly now: number; readonly own: string | undefined },
): Promise<SessionFacts[]> {
  const rows = await kysely
    .selectFrom('treadle_session')
    .select(['key', 'created_at', 'seen_at', 'address', 'browser'])
    .where('auth_id', '=', authId)
    .where('expires_at', '>', now)
    .orderBy('seen_at', 'desc')
    .execute();
  return rows.map((row) => ({
    id: toPublicId(String(row.key)),
    address: String(row.address ?? ''),
    browser: String(row.browser ?? ''),
    createdAt: Number(row.created_at),
    seenAt: Number(row.seen_at),
    isOwn: row.key === own,
  }));
}

/** Ends one session of a user; false if the user has no session with that id. */
export async function endSession({ kysely }: Database, authId: number, id: string): Promise<boolean> {
  const rows = await kysely.selectFrom('treadle_session').select('key').where('auth_id', '=', authId).execute();
  const found = rows.find((row) => toPublicId(String(row.key)) === id);
  if (!found) return false;
  await kysely.deleteFrom('treadle_session').where('key', '=', found.key).execute();
  return true;
}
