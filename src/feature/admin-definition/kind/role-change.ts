import { listDoors, listOpenActions, type OpenAnswer } from '../../../access/open.ts';
import type { Door } from '../../../access/page-doors.ts';
import { findClosedCalls } from '../../../check/closed-call.ts';
import type { Action } from '../../../core/access.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Change } from '../../../edit/change.ts';
import { toDefinitionsAfter } from '../../../edit/proposal.ts';
import { linkModel } from '../../../model/link.ts';
import { allowActions } from '../../../model/role/role-allow.ts';
import type { Role } from '../../../model/shape.ts';
import type { Context } from '../../../plan/feature.ts';
import { readTextFiles } from '../../../project/rename/text-files.ts';
import { proposeValues } from '../submit.ts';
import type { FormFacts } from './control.ts';
import { listRuledNames } from './role-matrix.ts';

/** A schema that no role ruled before a change, with the doors by which people reach its rows today. */
export interface NewlyRuled {
  readonly schema: string;
  readonly doors: readonly Door[];
}

/** The schemas that a changed role begins to rule: what no role allows is closed from then on. */
export async function listNewlyRuled(
  { services }: Context,
  { definitions, plan }: FormFacts,
  role: Role,
): Promise<NewlyRuled[]> {
  const ruled = listRuledNames(definitions);
  const names = Object.keys(role.data ?? {}).filter((schema) => !ruled.has(schema) && definitions.schema.has(schema));
  if (names.length === 0) return [];
  const files = await readTextFiles(services.root);
  return names.map((schema) => ({ schema, doors: listDoors(plan, files, schema) }));
}

export const toRoles = ({ definitions }: FormFacts): ReadonlyMap<string, Role> =>
  new Map([...definitions.role.values()].map(({ value }) => [value.slug, value] as const));

/** Actions that a role does not name itself. */
const toUnnamed = (role: Role | undefined, schema: string, actions: readonly Action[]): readonly Action[] =>
  actions.filter((action) => role?.data?.[schema]?.[action] === undefined);

/**
 * The roles after a change: the changed one and, for schemas that stay open, those that what is open today is written into.
 *
 * @param answers What stays open of each newly ruled schema. Default: everybody keeps what they have today.
 */
export function toRolesAfter(
  facts: FormFacts,
  role: Role,
  { ruled, answers }: { readonly ruled: readonly NewlyRuled[]; readonly answers: ReadonlyMap<string, OpenAnswer> },
): ReadonlyMap<string, Role> {
  const next = new Map(toRoles(facts)).set(role.slug, role);
  for (const { schema, doors } of ruled) {
    for (const [slug, actions] of listOpenActions(doors, answers.get(schema) ?? 'keep', role.slug)) {
      const missing = toUnnamed(next.get(slug), schema, actions);
      if (missing.length > 0) next.set(slug, allowActions(next, slug, schema, missing));
    }
  }
  return next;
}

/** The files of roles that differ. */
export function listRoleChanges(facts: FormFacts, after: ReadonlyMap<string, Role>): Change[] {
  const before = toRoles(facts);
  return [...after]
    .filter(([slug, role]) => before.get(slug) !== role)
    .map(([name, value]) => ({ kind: 'role', name, value }));
}

/** The calls that would begin to fail, because no role of their callers allows what they do. */
export async function listClosing(context: Context, facts: FormFacts, changes: readonly Change[]): Promise<Row[]> {
  const proposal = await proposeValues(context, changes);
  const { model } = linkModel(toDefinitionsAfter(facts.definitions, proposal), { leavesCalls: true });
  if (model === undefined) return [];
  const { plan } = context;
  const before = new Set(findClosedCalls(plan.model, plan.calls).map(({ message }) => message));
  return findClosedCalls(model, plan.calls)
    .filter(({ message }) => !before.has(message))
    .map(({ message, file }) => ({ message, file }));
}
