import { listRead } from '../expression/reads.ts';
import type { ComputedModel, Model, SchemaModel } from '../model.ts';
import { resolveColumns } from './role-columns.ts';

/** The actions whose rules say what rows show: writes and relations show what `detail` does. */
const SHOWING = ['search', 'detail'] as const;

/** The columns of a schema's own table that a role does not read, though it reads rows. */
function listOwn({ roles }: Model, schema: SchemaModel): Set<string> {
  const hidden = new Set<string>();
  const ids = new Set([schema.primary, ...schema.row.keys.map(({ column }) => column)]);
  for (const { data = {} } of roles.values())
    for (const action of SHOWING) {
      const rule = data[schema.name]?.[action];
      const read = typeof rule === 'object' ? resolveColumns(schema, 'read', rule.read) : undefined;
      if (read === undefined) continue;
      for (const name of schema.row.stored) if (!read.has(name) && !ids.has(name)) hidden.add(name);
    }
  return hidden;
}

/** As {@link listOwn}, with the computed fields that hide because the role does not read all that they are computed of. */
function listHidden(model: Model, schema: SchemaModel): Set<string> {
  const hidden = listOwn(model, schema);
  const isHidden = (computed: ComputedModel): boolean =>
    listRead(computed).some((name) => hidden.has(name)) ||
    computed.related.some((rows) => {
      const other = model.schemas.get(rows.schema);
      if (other === undefined || rows.columns.length === 0) return false;
      const isClosed =
        computed.isStored && [...model.roles.values()].some(({ data }) => data?.[other.name] !== undefined);
      const summed = listOwn(model, other);
      return isClosed || listRead(rows).some((name) => summed.has(name));
    });
  for (const { name, computed } of schema.columns) if (computed !== undefined && isHidden(computed)) hidden.add(name);
  return hidden;
}

/**
 * The columns of a schema's rows that a row may lack, because a role does not read them: its own, and those of its 1:1
 * relations. By their names in the row.
 */
export function listHideable(model: Model, schema: SchemaModel): ReadonlySet<string> {
  const hidden = listHidden(model, schema);
  for (const { name, column, target } of schema.row.flat) {
    const other = model.schemas.get(target);
    if (other && listHidden(model, other).has(column)) hidden.add(name);
  }
  return hidden;
}
