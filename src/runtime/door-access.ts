import { type Access, createAccess, NOBODY } from '../core/access.ts';
import type { Request } from '../core/request.ts';
import type { Context, Door } from '../plan/feature.ts';
import { type Person, readPerson, toPerson } from '../plan/person.ts';

const VISITOR = createAccess({ kind: 'page' });
const PUBLIC = createAccess({ kind: 'public' });

function toPersonAccess(person: Person | undefined): Access {
  if (person === undefined) return VISITOR;
  const { authId, profileId, roles } = person;
  return createAccess({ kind: 'page', authId, roles, ...(profileId === undefined ? {} : { profileId }) });
}

function findPerson(request: Request): Person | undefined {
  const me = request.hasSession() ? request.getSession('me') : undefined;
  return typeof me === 'object' && me !== null ? toPerson(me as Record<string, unknown>) : undefined;
}

/** Access of a page request, from the session: the logged-in user, or a visitor. */
export const toPageAccess = (request: Request): Access => toPersonAccess(findPerson(request));

/** As {@link toPageAccess}, with the user's current roles. */
export async function readPageAccess(context: Context, request: Request): Promise<Access> {
  const person = findPerson(request);
  return toPersonAccess(person && (await readPerson(context, person)));
}

/**
 * Initial access of a request. A REST call creates its own access once it knows the caller; until then it reaches
 * nothing. A route of the project's own code outside the pages has public access.
 */
export function toDoorAccess(door: Door, request: Request, isOwn: () => boolean): Access {
  if (door === 'page') return toPageAccess(request);
  return isOwn() ? NOBODY : PUBLIC;
}
