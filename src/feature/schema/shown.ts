import type { Database, Row } from '../../database/database.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { Messages } from '../../model/validate.ts';
import type { Context, Plan, Restriction } from '../../plan/feature.ts';
import { findOwnerColumn } from '../../query/source.ts';
import type { ForeignKey } from './row-plan.ts';
import { readColumns } from './sql.ts';

const READS = new Set(['system-model-search', 'system-model-detail']);
const shown = new WeakMap<Plan, ReadonlySet<string>>();

/** Schemas whose rows any user sees: those that a public call, or a user call with `"own": false`, reads. */
function listShown(plan: Plan): ReadonlySet<string> {
  const known = shown.get(plan);
  if (known) return known;
  const names = plan.calls.flatMap(({ schema, definition, isOwn }) => {
    const isOpen = definition.access === 'public' || (definition.access === 'user' && !isOwn);
    return schema !== undefined && isOpen && READS.has(definition.event) ? [schema] : [];
  });
  const made = new Set(names);
  shown.set(plan, made);
  return made;
}

/**
 * The column by which rows that somebody else owns are kept from a user, who may not lead a row of his to them: its
 * detail would show them to him, or theirs would show it to them. Undefined where nobody owns them or everybody sees them.
 */
export function findSecludedBy(
  context: Context,
  schema: SchemaModel,
  restriction: Restriction | undefined,
): string | undefined {
  return restriction && !listShown(context.plan).has(schema.name) ? findOwnerColumn(schema) : undefined;
}

/** Messages for ids in a user's row that lead to what somebody else keeps to himself. */
export async function findSecluded(
  context: Context,
  given: { readonly schema: SchemaModel; readonly foreign: readonly ForeignKey[]; readonly row: Row },
  restriction: Restriction | undefined,
): Promise<Messages> {
  const messages: Messages = {};
  if (!restriction) return messages;
  const owner = findOwnerColumn(given.schema);
  for (const { column, target, message } of given.foreign) {
    const id = given.row[column];
    const by = findSecludedBy(context, target, restriction);
    if (by === undefined || column === owner || typeof id !== 'number') continue;
    if (!(await isReachable(context.services.database, target, { id, by, restriction }))) messages[column] = message;
  }
  return messages;
}

/** Whether a row is the user's own, or nobody's. */
async function isReachable(
  database: Database,
  schema: SchemaModel,
  { id, by, restriction }: { readonly id: number; readonly by: string; readonly restriction: Restriction },
): Promise<boolean> {
  const row = await readColumns(database, schema, { column: schema.primary, value: id }, [by]);
  const holder = row?.[by];
  // One that is not there is told by the database, in the same words.
  return row === undefined || holder === null || Number(holder) === restriction.profileId;
}
