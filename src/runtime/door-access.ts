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

/** Who asks for a page, as the session has it: the person who is logged in, else a visitor. */
export const toPageAccess = (request: Request): Access => toPersonAccess(findPerson(request));

/** As {@link toPageAccess}, with the person's roles as they are now. */
export async function readPageAccess(context: Context, request: Request): Promise<Access> {
  const person = findPerson(request);
  return toPersonAccess(person && (await readPerson(context, person)));
}

/**
 * What a request may reach as it enters. A REST call makes its own access once it knows who asks; until then nothing is
 * reached. A route that the project's own code serves beside the pages asks as the public.
 */
export function toDoorAccess(door: Door, request: Request, isOwn: () => boolean): Access {
  if (door === 'page') return toPageAccess(request);
  return isOwn() ? NOBODY : PUBLIC;
}
