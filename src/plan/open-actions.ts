import type { Action } from '../core/access.ts';
import { APP, GUEST, USER } from '../model/role.ts';
import { findCallActions } from './call-action.ts';
import type { Facts } from './feature.ts';

/** What is open of a schema as long as no role names it: reading, and what the calls do. */
export function listOpenActions(
  { model, calls }: Pick<Facts, 'model' | 'calls'>,
  schema: string,
): ReadonlyMap<string, readonly Action[]> {
  const open = new Map<string, Action[]>([[GUEST, ['search', 'detail']]]);
  for (const call of calls) {
    const found = findCallActions(call, model);
    if (found?.schema !== schema) continue;
    const { access } = call.definition;
    const slug = access === 'public' ? GUEST : access === 'app' ? APP : USER;
    const free = found.actions.filter((action) => !open.get(GUEST)?.includes(action));
    open.set(slug, [...new Set([...(open.get(slug) ?? []), ...free])]);
  }
  return new Map([...open].filter(([, actions]) => actions.length > 0));
}
