import { type Access, getAccess } from '../../core/access.ts';
import { memoize } from '../../core/memoize.ts';
import type { Context } from '../../plan/feature.ts';
import { compilePathGuard, toHeld } from '../../plan/path-guard.ts';

const guardOf = memoize((context: Context) => compilePathGuard(context.plan.model));

/** True if the roles of a person open an admin path by that method. Default: the person who asks. */
export function mayOpen(context: Context, path: string, method = 'GET', access: Access = getAccess()): boolean {
  const verdict = guardOf(context).judge(path, method, toHeld(access.roles, access.authId !== undefined));
  return verdict === undefined || verdict.by !== undefined;
}
