import { addImpliedRoles, compilePathGuard, listSpellings } from '../../access/guard.ts';
import type { Model } from '../../model/model.ts';
import { parseRoles, type RolePermission, splitRoles } from '../../model/role/role.ts';
import type { Application } from '../application.ts';
import { toTable } from '../terminal.ts';
import { readUser, type Verdict } from './verdict.ts';

/** Who may open a guarded path. */
export interface GuardFacts {
  /** The permissions that guard the path. */
  readonly guards: readonly RolePermission[];
  /** Slugs of the roles that may open it with the method. */
  readonly roles: readonly string[];
}

/** The permissions for a path, in any spelling that they match; undefined if no role guards it. */
export function findGuard(model: Model, method: string, path: string): GuardFacts | undefined {
  const guard = compilePathGuard(model);
  const guards = listSpellings(path).flatMap((spelling) => guard.judge(spelling, method, [])?.guards ?? []);
  if (guards.length === 0) return undefined;
  const slugs = [...new Set(guards.map(({ role }) => role))];
  const opens = (role: string): boolean =>
    listSpellings(path).every((spelling) => {
      const verdict = guard.judge(spelling, method, [role]);
      return verdict === undefined || verdict.by !== undefined;
    });
  return { guards: [...new Set(guards)], roles: slugs.filter(opens) };
}

/** Decides a user's request to a guarded path. @throws CLI_USAGE for an unknown user. */
export async function judgePath(running: Application, { roles }: GuardFacts, email: string): Promise<Verdict> {
  const user = await readUser(running, email);
  if (!user.isActive) return { passes: false, reasons: [`302: ${email} is disabled and cannot log in.`] };
  const { roles: own, waiting } = splitRoles(running.plan.model, parseRoles(user.type), user.hasSecondFactor);
  const roleSet = addImpliedRoles(own, true);
  const opening = roleSet.filter((role) => roles.includes(role));
  if (opening.length > 0) return { passes: true, reasons: [`${email} holds ${opening.join(', ')}, which opens it.`] };
  const late = waiting.filter((role) => roles.includes(role));
  if (late.length > 0) {
    const reason = `303: the role ${late.join(', ')} requires a second factor, and ${email} has none: /auth/second-factor.`;
    return { passes: false, reasons: [reason] };
  }
  const needed = roles.length === 0 ? 'no role opens it by this method' : `it takes ${roles.join(' or ')}`;
  return { passes: false, reasons: [`403: ${email} holds ${roleSet.join(', ')}; ${needed}.`] };
}

/** The guard of a path, one line per permission. */
export function toGuardLines({ guards, roles }: GuardFacts, verdict: Verdict | undefined): string[] {
  const rows = guards.map(({ method, path, role, file }) => ['', `${method}:${path}`, role, file ?? 'built in']);
  const opened = roles.length === 0 ? 'nobody, by this method' : roles.join(', ');
  return [
    'guarded by',
    ...toTable(rows),
    `opened to  ${opened}`,
    ...(verdict === undefined
      ? []
      : [`verdict  ${verdict.passes ? 'passes' : 'is refused'}`, ...verdict.reasons.map((reason) => `  ${reason}`)]),
  ];
}
