import { type Access, createAccess, createOwnerAccess } from '../../core/access.ts';
import type { Access as CallAccess } from '../../model/shape.ts';

/** Who is asking on a REST call; listeners read it as `request.get('actor')`. */
export interface Actor {
  readonly kind: CallAccess;
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

const PUBLIC_ACCESS = createAccess({ kind: 'public' });

/** What whoever asks may reach: a call of the user's own rows is held to the token's profile. */
export function toAccess(actor: Actor, isOwn: boolean): Access {
  if (actor.kind === 'public') return PUBLIC_ACCESS;
  // A user without a profile owns no rows: ids count from 1.
  return actor.kind === 'user' && isOwn ? createOwnerAccess(actor, actor.profileId ?? 0) : createAccess(actor);
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function toSlugs(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((slug) => typeof slug === 'string') : [];
}
