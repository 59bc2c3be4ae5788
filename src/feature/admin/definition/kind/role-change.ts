import type { Action } from '../../../../core/access.ts';
import type { Row } from '../../../../database/database.ts';
import type { Change } from '../../../../edit/change.ts';
import { toDefinitionsAfter } from '../../../../edit/proposal.ts';
import { linkModel } from '../../../../model/link.ts';
import { allowActions } from '../../../../model/role-allow.ts';
import type { Role } from '../../../../model/shape.ts';
import { findClosedCalls } from '../../../../plan/closed-calls.ts';
import type { Context } from '../../../../plan/feature.ts';
import { listOpenActions } from '../../../../plan/open-actions.ts';
import { proposeValues } from '../submit.ts';
import type { FormFacts } from './control.ts';
import { listRuledNames } from './role-matrix.ts';

/** A schema that no role ruled before a change, with what is open of it today. */
export interface NewlyRuled {
  readonly schema: string;
  /** Actions by role. */
  readonly open: ReadonlyMap<string, readonly Action[]>;
}

/** The schemas that a changed role begins to rule: what no role allows is closed from then on. */
export function listNewlyRuled({ definitions, plan }: FormFacts, role: Role): NewlyRuled[] {
  const ruled = listRuledNames(definitions);
  return Object.keys(role.data ?? {})
    .filter((schema) => !ruled.has(schema) && definitions.schema.has(schema))
    .map((schema) => ({ schema, open: listOpenActions(plan, schema) }));
}

/** Actions that a role does not name itself. */
const toUnnamed = (role: Role | undefined, schema: string, actions: readonly Action[]): readonly Action[] =>
  actions.filter((action) => role?.data?.[schema]?.[action] === undefined);

/**
 * The changes of a role and, for schemas that stay open, of the roles that what is open today is written into.
 *
 * @param keeps Names of newly ruled schemas. Everybody who may use them today keeps that access.
 */
export function toRoleChanges(
  { definitions }: FormFacts,
  role: Role,
  { ruled, keeps }: { readonly ruled: readonly NewlyRuled[]; readonly keeps: ReadonlySet<string> },
): Change[] {
  const roles = new Map([...definitions.role.values()].map(({ value }) => [value.slug, value] as const));
  const next = new Map([[role.slug, role] as const]);
  for (const { schema, open } of ruled) {
    if (!keeps.has(schema)) continue;
    for (const [slug, actions] of open) {
      const known = new Map([...roles, ...next]);
      next.set(slug, allowActions(known, slug, schema, toUnnamed(known.get(slug), schema, actions)));
    }
  }
  return [...next].map(([name, value]) => ({ kind: 'role', name, value }));
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
