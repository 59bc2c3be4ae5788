import type { Access } from '../../core/access.ts';
import type { Access as CallAccess } from '../../model/shape.ts';
import type { Context } from '../../plan/feature.ts';
import { readPerson } from '../../plan/person.ts';
import { createRoleAccess } from '../../plan/role-access.ts';
import { findRuler } from '../../plan/role-rules.ts';

/** The caller of a REST call; listeners read it as `request.get('actor')`. */
export interface Actor {
  readonly kind: CallAccess;
  readonly appId?: number;
  readonly clientId?: string;
  readonly authId?: number;
  readonly profileId?: number;
  /** Slugs of the scopes that the app or the token holds. */
  readonly scopes: readonly string[];
}

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

/** The caller's access, by its roles. A user call on own rows is also limited to the token's profile. */
export function findAccess(context: Context, actor: Actor, isOwn: boolean): Access | Promise<Access> {
  // A user without a profile owns no rows: ids start at 1, so 0 matches none.
  const ownerId = actor.kind === 'user' && isOwn ? (actor.profileId ?? 0) : undefined;
  const asking = { who: actor, ...(ownerId === undefined ? {} : { ownerId }) };
  if (actor.kind !== 'user' || actor.authId === undefined || findRuler(context.plan.model) === undefined)
    return createRoleAccess(context, asking);
  const { authId, profileId } = actor;
  const known = { authId, roles: [], row: {}, ...(profileId === undefined ? {} : { profileId }) };
  return readPerson(context, known).then((person) => createRoleAccess(context, { ...asking, person }));
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function toSlugs(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((slug) => typeof slug === 'string') : [];
}
