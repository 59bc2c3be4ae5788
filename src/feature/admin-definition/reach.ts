import { addImpliedRoles, opensAsMuch } from '../../access/guard.ts';
import { rulesAsMuch } from '../../access/reach.ts';
import { ACTIONS, type Access, type Action, getAccess } from '../../core/access.ts';
import { translate } from '../../core/text/translate.ts';
import { findDefinitionOf, type ProposedFile } from '../../edit/proposal.ts';
import { isSameJson } from '../../model/json/json-value.ts';
import { parseDefinition } from '../../model/parse.ts';
import { ADMIN, listPermissions } from '../../model/role/role.ts';
import type { Role, RoleRule } from '../../model/shape.ts';
import type { Context, Facts } from '../../plan/feature.ts';
import { mayChangeFiles } from './access.ts';

/** Kinds that decide what everybody reaches, or where data goes: only who opens the whole admin section changes them. */
const WHOLE_KINDS: ReadonlySet<string> = new Set(['rest', 'scope', 'webhook', 'app', 'settings']);

type Permission = Role['permissions'][number];

const WHOLE_ADMIN: Permission = { method: 'all', path: '/admin/**' };

const rolesOf = (access: Access): readonly string[] => addImpliedRoles(access.roles, access.authId !== undefined);

const holds = ({ model }: Facts, roles: readonly string[], wanted: Permission): boolean =>
  listPermissions(model).some((held) => roles.includes(held.role) && opensAsMuch(held, wanted));

/** Whether somebody opens `/admin/**`. Work that no request asked for, such as that of commands, is held by nothing. */
function opensWholeAdmin({ plan }: Context): boolean {
  const access = getAccess();
  return (
    access.kind === 'system' ||
    access.kind === 'none' ||
    (access.kind === 'page' && holds(plan, rolesOf(access), WHOLE_ADMIN))
  );
}

/** Why somebody may not change definitions of a kind at all; undefined if they may. */
export function findKindRefusal(context: Context, kind: string): string | undefined {
  if (!WHOLE_KINDS.has(kind) || opensWholeAdmin(context)) return undefined;
  return translate(
    'Your roles do not open all of /admin/**. REST calls, scopes, web hooks, apps and settings decide what everybody reaches, so only somebody with /admin/** changes them.',
  );
}

/** A role of a file before and after a change; undefined where the file does not exist. */
interface RoleChange {
  readonly before: Role | undefined;
  readonly after: Role | undefined;
}

const toRole = (file: string, text: string | undefined): Role | undefined =>
  text === undefined ? undefined : parseDefinition('role', file, text).source?.value;

/** The permissions that one of the two has and the other one does not have. */
function listPermissionChanges(before: Role | undefined, after: Role | undefined): Permission[] {
  const [was, is] = [before?.permissions ?? [], after?.permissions ?? []];
  const onlyIn = (one: readonly Permission[], other: readonly Permission[]): Permission[] =>
    one.filter(({ method, path }) => !other.some((each) => each.method === method && each.path === path));
  return [...onlyIn(is, was), ...onlyIn(was, is)];
}

interface RuleChange {
  readonly schema: string;
  readonly action: Action;
  readonly rules: readonly RoleRule[];
}

/** The rules that differ, as they were and as they shall be. */
function listRuleChanges(before: Role | undefined, after: Role | undefined): RuleChange[] {
  const [was, is] = [before?.data ?? {}, after?.data ?? {}];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((schema) =>
    ACTIONS.flatMap((action): RuleChange[] => {
      const rules = [was[schema]?.[action], is[schema]?.[action]];
      return isSameJson(...(rules as [unknown, unknown]))
        ? []
        : [{ schema, action, rules: rules.filter((rule): rule is RoleRule => rule !== undefined) }];
    }),
  );
}

/** A second factor that is asked for no longer, or from now on, concerns everything that the role has. */
const hasOtherFactor = ({ before, after }: RoleChange): boolean =>
  before !== undefined && after !== undefined && before.secondFactor !== after.secondFactor;

/** What a person has, who may write no more than that into roles. */
class Holder {
  readonly #facts: Facts;
  readonly #roles: readonly string[];
  constructor(facts: Facts, access: Access) {
    this.#facts = facts;
    this.#roles = rolesOf(access);
  }

  opens(permission: Permission): boolean {
    return holds(this.#facts, this.#roles, permission);
  }

  rules(schema: string, action: Action, wanted: RoleRule): boolean {
    const { model } = this.#facts;
    const found = model.schemas.get(schema);
    if (found === undefined) return false;
    const own = this.#roles.flatMap((slug) =>
      slug === ADMIN ? [] : [model.roles.get(slug)?.data?.[schema]?.[action]],
    );
    return own.some((held) => rulesAsMuch(found, held, wanted)) || wanted === false;
  }
}

/** Schemas that no role rules after the change, or none before it: they open to everybody, or close. */
function listTurned({ model }: Facts, changes: ReadonlyMap<string, RoleChange>): string[] {
  const list = (roles: readonly (Role | undefined)[]): Set<string> =>
    new Set(roles.flatMap((role) => Object.keys(role?.data ?? {})));
  const others = [...model.roles.values()].filter(({ slug }) => !changes.has(slug));
  const before = list([...others, ...[...changes.values()].map((change) => change.before)]);
  const after = list([...others, ...[...changes.values()].map((change) => change.after)]);
  return [...new Set([...before, ...after])].filter((schema) => before.has(schema) !== after.has(schema));
}

function judgeRole(holder: Holder, file: string, change: RoleChange): string | undefined {
  const isWhole = hasOtherFactor(change);
  const before = isWhole ? undefined : change.before;
  const path = listPermissionChanges(before, change.after).find((permission) => !holder.opens(permission));
  if (path !== undefined) {
    return translate(
      '{file}: you may only write what your own roles have, and they do not have the permission {what}.',
      {
        file,
        what: `${path.method}:${path.path}`,
      },
    );
  }
  const rule = listRuleChanges(before, change.after).find(({ schema, action, rules }) =>
    rules.some((each) => !holder.rules(schema, action, each)),
  );
  if (rule === undefined) return undefined;
  return translate(
    '{file}: you may only write what your own roles have, and they may not "{action}" {schema} so widely.',
    {
      file,
      action: rule.action,
      schema: rule.schema,
    },
  );
}

function judgeRoles(context: Context, files: readonly ProposedFile[], access: Access): string | undefined {
  const holder = new Holder(context.plan, access);
  const changes = new Map<string, RoleChange>();
  for (const { file, before, text } of files) {
    const change = { before: toRole(file, before), after: toRole(file, text) };
    const isUnread = (before !== undefined && !change.before) || (text !== undefined && !change.after);
    if (isUnread) return translate('{file} cannot be read, so only somebody with /admin/** changes it.', { file });
    changes.set(findDefinitionOf(file)?.name ?? file, change);
    const refusal = judgeRole(holder, file, change);
    if (refusal !== undefined) return refusal;
  }
  const [turned] = listTurned(context.plan, changes);
  return turned === undefined
    ? undefined
    : translate('Whether roles rule the schema {schema} at all is decided by somebody with /admin/**.', {
        schema: turned,
      });
}

/**
 * Why somebody may not write these files; undefined if they may. Without `/admin/**` a person writes into a role only
 * permissions and rules that they have, also by an undo, a rename or a removal that touches the role's file, and no calls,
 * scopes, web hooks, apps and settings.
 */
export function findReachRefusal(context: Context, files: readonly ProposedFile[]): string | undefined {
  const access = getAccess();
  if (opensWholeAdmin(context)) return undefined;
  if (
    !mayChangeFiles(
      context,
      files.map(({ file }) => file),
    )
  )
    return translate('This changes files that your account may not change.');
  for (const { file } of files) {
    const refusal = findKindRefusal(context, findDefinitionOf(file)?.kind ?? '');
    if (refusal !== undefined) return `${file}: ${refusal}`;
  }
  return judgeRoles(
    context,
    files.filter(({ file }) => findDefinitionOf(file)?.kind === 'role'),
    access,
  );
}
