import type { Row } from '../../database/database.ts';

/** Seconds that a refresh token may lie idle, and that all of a consent's live at most. */
export const IDLE_SECONDS = 30 * 86_400;
export const ABSOLUTE_SECONDS = 90 * 86_400;

/** Tokens as they are handed out, this once in clear. */
export interface Issued {
  readonly access: string;
  /** Goes with an access token of the classic door. */
  readonly secret?: string;
  readonly refresh?: string;
  /** Seconds that the access token lives. */
  readonly seconds: number;
  readonly scopes: readonly string[];
}

/** Whose tokens are stored: the columns that code, refresh token and access token share. */
export function toHolder(row: Row): Row {
  const { grant_id, app_id, auth_id, profile_id } = row;
  return { grant_id, app_id, auth_id, profile_id };
}

/** The end of a refresh token that is made now: idle for so long, but never past the end of its consent. */
export const toRefreshEnd = (now: number, grantedAt: number): number =>
  Math.min(now + IDLE_SECONDS, grantedAt + ABSOLUTE_SECONDS);
