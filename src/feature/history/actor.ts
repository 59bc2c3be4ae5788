import { getAccess } from '../../core/access.ts';
import type { Request } from '../../core/request/request.ts';
import { type Caller, currentScope } from '../../core/scope.ts';
import type { Origin } from './sql.ts';

/**
 * How a change came in. `file`: somebody changed a definition's file. `system`: Treadle itself, as it starts, or a program that
 * uses it.
 */
export const DOORS = ['page', 'admin', 'rest', 'command', 'job', 'file', 'system'] as const;
type HistoryDoor = (typeof DOORS)[number];

export interface Actor {
  /** `auth_id` of the person. */
  readonly authId: number | undefined;
  readonly origin: Origin;
}

const MOST_SOURCE = 200;

const toNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

function toDoor({ path, isApi }: Caller): HistoryDoor {
  if (path === '/admin' || path?.startsWith('/admin/')) return 'admin';
  return isApi ? 'rest' : 'page';
}

/** The person behind Treadle's own work in a request, such as the profile of a changed account. */
const findBehind = (request: Request | undefined, isApi: boolean | undefined): unknown =>
  isApi ? request?.get('actor', 'authId') : request?.getSession('me', 'auth_id');

/** Who changes something now, and by which way. */
export function readActor(): Actor {
  const { request, caller, started } = currentScope.getStore() ?? {};
  const { kind, authId, appId: app } = getAccess();
  if (caller?.id === undefined)
    return { authId, origin: { door: started?.by ?? 'system', source: started?.name, app } };
  const { id, method, path = '', address, isApi } = caller;
  const source = `${method} ${path.slice(0, MOST_SOURCE)}`;
  const person = kind === 'system' ? toNumber(findBehind(request, isApi)) : authId;
  return { authId: person, origin: { door: toDoor(caller), source, app, address, request: id } };
}
