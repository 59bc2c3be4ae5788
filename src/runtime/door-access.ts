import { type Access, createAccess, NOBODY } from '../core/access.ts';
import type { Request } from '../core/request.ts';
import type { Door } from '../plan/feature.ts';

const VISITOR = createAccess({ kind: 'page' });
const PUBLIC = createAccess({ kind: 'public' });

/** Who asks for a page: the person who is logged in, else a visitor. */
export function toPageAccess(request: Request): Access {
  if (!request.hasSession()) return VISITOR;
  const authId = request.getSession('me', 'auth_id');
  const profileId = request.getSession('me', 'profile_id');
  if (typeof authId !== 'number') return VISITOR;
  return createAccess({ kind: 'page', authId, ...(typeof profileId === 'number' ? { profileId } : {}) });
}

/**
 * What a request may reach as it enters. A REST call makes its own access once it knows who asks; until then nothing is
 * reached. A route that the project's own code serves beside the pages asks as the public.
 */
export function toDoorAccess(door: Door, request: Request, isOwn: () => boolean): Access {
  if (door === 'page') return toPageAccess(request);
  return isOwn() ? NOBODY : PUBLIC;
}
