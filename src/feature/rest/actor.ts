import type { Request } from '../../core/request.ts';
import type { Access } from '../../model/shape.ts';

/** Who is asking on a REST call; listeners read it as `request.get('actor')`. */
export interface Actor {
  readonly kind: Access;
  readonly appId?: number;
  readonly clientId?: string;
  readonly authId?: number;
  readonly profileId?: number;
  /** Slugs that the app or the token holds. */
  readonly scopes: readonly string[];
}

export const PUBLIC_ACTOR: Actor = Object.freeze({ kind: 'public', scopes: Object.freeze([]) });

/** What the event `rest-source-app-detail` answers with, parsed at the edge. */
export function toAppActor(results: unknown): Actor {
  const source = toRecord(results);
  return {
    kind: 'app',
    appId: Number(source.app_id),
    clientId: String(source.client_id),
    scopes: toSlugs(source.scopes),
  };
}

/** What the event `rest-source-session-detail` answers with, parsed at the edge. */
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

/** Tells the listeners who is asking. */
export function setActor(request: Request, actor: Actor): void {
  request.set('actor', actor);
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function toSlugs(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((slug) => typeof slug === 'string') : [];
}
