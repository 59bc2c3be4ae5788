import type { Action } from '../../core/access.ts';
import { toLabelText } from '../names.ts';
import type { Role } from '../shape.ts';

/** Actions by role. */
export type AllowedActions = ReadonlyMap<string, readonly Action[]>;

/** A role with actions added; a rule that is an object stays as it is. */
export function allowActions(
  roles: ReadonlyMap<string, Role>,
  slug: string,
  schema: string,
  actions: readonly Action[],
): Role {
  const role = roles.get(slug) ?? { slug, name: toLabelText(slug), permissions: [] };
  const before = role.data?.[schema] ?? {};
  const added = actions.filter((action) => typeof before[action] !== 'object').map((action) => [action, true] as const);
  return { ...role, data: { ...role.data, [schema]: { ...before, ...Object.fromEntries(added) } } };
}
