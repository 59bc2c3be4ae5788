import type { Access } from '../core/access.ts';
import type { Access as CallAccess } from '../model/shape.ts';
import type { AccessContext } from './ask.ts';
import { readPerson } from './person.ts';
import { createRoleAccess } from './role-access.ts';
import { findRuler } from './role-rules.ts';

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

/** The caller's access, by its roles. A user call on own rows is also limited to the token's profile. */
export function findCallAccess(context: AccessContext, actor: Actor, isOwn: boolean): Access | Promise<Access> {
  // A user without a profile owns no rows: ids start at 1, so 0 matches none.
  const ownerId = actor.kind === 'user' && isOwn ? (actor.profileId ?? 0) : undefined;
  const asking = { who: actor, ...(ownerId === undefined ? {} : { ownerId }) };
  if (actor.kind !== 'user' || actor.authId === undefined || findRuler(context.plan.model) === undefined)
    return createRoleAccess(context, asking);
  const { authId, profileId } = actor;
  const known = { authId, roles: [], row: {}, ...(profileId === undefined ? {} : { profileId }) };
  return readPerson(context, known).then((person) => createRoleAccess(context, { ...asking, person }));
}
