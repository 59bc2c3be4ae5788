import type { Action } from '../core/access.ts';
import { findOwnerColumn } from '../model/owner-column.ts';
import { APP, GUEST, USER } from '../model/role.ts';
import { findCallActions } from './call-action.ts';
import type { Facts } from './feature.ts';

/** What pages of the project may show of a schema: rows with an owner are nobody else's affair. */
function listShown({ schemas }: Facts['model'], name: string): Action[] {
  const schema = schemas.get(name);
  return schema !== undefined && findOwnerColumn(schema) !== undefined ? [] : ['search', 'detail'];
}

/**
 * What stays open of a schema as a role begins to rule it: what the calls do, and reading by visitors, unless its rows have an
 * owner and no public call reads them.
 */
export function listOpenActions(
  { model, calls }: Pick<Facts, 'model' | 'calls'>,
  schema: string,
): ReadonlyMap<string, readonly Action[]> {
  const open = new Map<string, Action[]>([[GUEST, listShown(model, schema)]]);
  for (const call of calls) {
    const found = findCallActions(call, model);
    if (found?.schema !== schema) continue;
    const { access } = call.definition;
    const slug = access === 'public' ? GUEST : access === 'app' ? APP : USER;
    open.set(slug, [...new Set([...(open.get(slug) ?? []), ...found.actions])]);
  }
  const ofGuest = open.get(GUEST) ?? [];
  const free = [...open].map(
    ([slug, actions]) => [slug, slug === GUEST ? actions : actions.filter((each) => !ofGuest.includes(each))] as const,
  );
  return new Map(free.filter(([, actions]) => actions.length > 0));
}
