import type { Actor } from '../../access/grant.ts';

export const PUBLIC_ACTOR: Actor = Object.freeze({ kind: 'public', scopes: Object.freeze([]) });

/** The app found by the event `rest-source-app-detail`. */
export function toAppActor(results: unknown): Actor {
  const source = toRecord(results);
  return {
    kind: 'app',
    appId: Number(source.app_id),
    clientId: String(source.client_id),
    scopes: toSlugs(source.scopes),
  };
}

/** The user found by the event `rest-source-session-detail`. */
export function toUserActor(results: unknown): Actor {
  const source = toRecord(results);
  const profileId = Number(source.profile_id ?? Number.NaN);
  return {
    kind: 'user',
    appId: Number(source.app_id),
    clientId: String(source.client_id),
    authId: Number(source.auth_id),
    ...(Number.isInteger(profileId) ? { profileId } : {}),
    scopes: toSlugs(source.scopes),
  };
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function toSlugs(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((slug) => typeof slug === 'string') : [];
}
