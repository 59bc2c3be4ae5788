import type { Row } from '../../../database/row-statement.ts';

/** Seconds that a refresh token may be idle, and the maximum for all refresh tokens of a consent. */
const IDLE_SECONDS = 30 * 86_400;
export const ABSOLUTE_SECONDS = 90 * 86_400;

/** New tokens in clear; returned only once. */
export interface IssuedToken {
  readonly access: string;
  /** Goes with an access token of the classic door. */
  readonly secret?: string;
  readonly refresh?: string;
  /** Seconds that the access token lives. */
  readonly seconds: number;
  readonly scopes: readonly string[];
}

/** The columns that code, refresh token and access token share. */
export function toHolder(row: Row): Row {
  const { grant_id, app_id, auth_id, profile_id } = row;
  return { grant_id, app_id, auth_id, profile_id };
}

/** Expiry of a new refresh token: the idle limit, but never after the end of its consent. */
export const toRefreshEnd = (now: number, grantedAt: number): number =>
  Math.min(now + IDLE_SECONDS, grantedAt + ABSOLUTE_SECONDS);
