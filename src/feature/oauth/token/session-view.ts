import type { Row } from '../../../database/row-statement.ts';
import { parseList } from '../client/app-row.ts';

const toNumber = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value));

/** A session, as events tell it. Times are unix seconds. */
export const toSessionView = (row: Row) => ({
  grant_id: Number(row.grant_id),
  auth_id: Number(row.auth_id),
  profile_name: row.profile_name,
  scopes: parseList(row.scopes),
  created_at: Number(row.created_at),
  used_at: toNumber(row.used_at ?? row.granted_used_at),
  expires_at: Number(row.expires_at),
});
