import { hidesRows, WHOLE } from '../../core/access.ts';
import { memoize } from '../../core/memoize.ts';
import type { Messages } from '../../core/request/response.ts';
import type { Row } from '../../database/row-statement.ts';
import type { SchemaModel } from '../../model/model.ts';
import { findOwnerColumn } from '../../model/role/owner-column.ts';
import type { Context, Plan } from '../../plan/feature.ts';
import { getSearcher } from '../../store/read/searcher.ts';
import type { Reach } from '../../store/read/source/view.ts';
import { readColumns } from '../../store/write/row-sql.ts';
import { toMissingMessage } from './errors.ts';
import type { ForeignKey } from './row-plan.ts';

const READS = new Set(['system-model-search', 'system-model-detail']);
/** Schemas that every user can read: by a public call, or by a user call with `"own": false`. */
const listPublic = memoize((plan: Plan): ReadonlySet<string> => {
  const names = plan.calls.flatMap(({ schema, definition, isOwn }) => {
    const isOpen = definition.access === 'public' || (definition.access === 'user' && !isOwn);
    return schema !== undefined && isOpen && READS.has(definition.event) ? [schema] : [];
  });
  return new Set(names);
});

/**
 * Owner column of a schema with private rows. A user may not link to another owner's row, because either detail
 * page would then expose the other. Undefined if rows have no owner, or if everybody may see them.
 */
function findPrivateOwner(context: Context, schema: SchemaModel, { rows }: Reach): string | undefined {
  return rows?.owner !== undefined && !listPublic(context.plan).has(schema.name) ? findOwnerColumn(schema) : undefined;
}

interface ReferringRow {
  readonly schema: SchemaModel;
  readonly foreign: readonly ForeignKey[];
  readonly row: Row;
}

const NONE: Messages = Object.freeze({});

/** Messages for foreign keys that refer to a row which the caller may not see; a promise only if there are such keys. */
export function findInvisible(context: Context, given: ReferringRow, reach: Reach): Messages | Promise<Messages> {
  const { schema, foreign, row } = given;
  if (!foreign.some(({ column }) => typeof row[column] === 'number')) return NONE;
  const owner = findOwnerColumn(schema);
  const foreignKeys = foreign.filter(
    // The access sets the owner's own profile, not the caller.
    ({ column }) => typeof row[column] === 'number' && !(column === owner && reach.rows?.owner !== undefined),
  );
  return foreignKeys.length === 0 ? NONE : listInvisible(context, foreignKeys, row, reach);
}

async function listInvisible(
  context: Context,
  foreignKeys: readonly ForeignKey[],
  row: Row,
  reach: Reach,
): Promise<Messages> {
  const messages: Messages = {};
  for (const { column, target, label } of foreignKeys) {
    const id = Number(row[column]);
    if (!(await isVisible(context, target, id, reach))) messages[column] = toMissingMessage(label, id);
  }
  return messages;
}

/**
 * True if the caller may see a row through a relation. A missing row counts as visible: the foreign key check
 * reports it.
 */
export async function isVisible(context: Context, schema: SchemaModel, id: number, reach: Reach): Promise<boolean> {
  const grant = reach.see ? reach.see(schema.name) : WHOLE;
  if (grant === undefined) return false;
  const { database } = context.services;
  if (hidesRows(grant.rows)) {
    const reached = await getSearcher(context.plan.model).reached(database, schema.name, [id], grant.rows);
    if (!reached.has(id)) return false;
  }
  const by = findPrivateOwner(context, schema, reach);
  if (by === undefined) return true;
  const row = await readColumns(database, schema, { column: schema.primary, value: id }, [by]);
  const holder = row?.[by];
  return row === undefined || holder === null || Number(holder) === reach.rows?.owner;
}
