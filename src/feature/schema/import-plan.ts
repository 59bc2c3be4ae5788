import type { ZodType } from 'zod';
import type { Row } from '../../database/row-statement.ts';
import { findColumnName } from '../../model/column-name.ts';
import { columnType, fieldKinds } from '../../model/field/field-kind.ts';
import { readDecimalShape } from '../../model/field/field-kind-decimal.ts';
import { listLinkKeys } from '../../model/link-keys.ts';
import type { ColumnModel, Model, RelationModel, SchemaModel } from '../../model/model.ts';
import { isSystemSet } from '../../model/server-set.ts';
import type { Source } from '../../store/read/source/source.ts';
import type { TypedColumn } from '../../store/write/bulk.ts';
import type { ForeignKey, RowPlan } from './row-plan.ts';

/** An N:N relation in a file: a list of ids under the relation's name. */
export interface LinkColumn {
  readonly relation: RelationModel;
  readonly target: SchemaModel;
  readonly key: string;
}

/** A column that identifies an existing row. */
export interface KeyColumn extends TypedColumn {
  readonly model: ColumnModel | undefined;
}

/** How rows of a schema are imported; computed once per plan. */
export interface ImportPlan {
  readonly rows: RowPlan;
  /** Meaning of each key of a row. `ignored` are columns of 1:1 relations, which searched rows also contain. */
  readonly keys: ReadonlyMap<string, KeyMeaning>;
  /** Every column of the table, in the order of the insert. */
  readonly columns: readonly TypedColumn[];
  /** Columns that take their values from the rows. */
  readonly open: readonly ColumnModel[];
  /** Columns that only Treadle sets, with the shape of their values. */
  readonly system: readonly { readonly model: ColumnModel; readonly shape: ZodType }[];
  /** Password columns. */
  readonly secret: readonly ColumnModel[];
  /** The primary key, then the unique columns. */
  readonly matches: readonly KeyColumn[];
  readonly links: readonly LinkColumn[];
  /** Foreign keys to the same table, by column. */
  readonly own: ReadonlyMap<string, ForeignKey>;
  /** Columns with stored values that the validation of a change needs. */
  readonly compared: readonly string[];
  /** Columns that decide whether the periods of two rows overlap. */
  readonly periods: ReadonlySet<string>;
}

type KeyMeaning =
  | { readonly kind: 'column'; readonly column: string }
  | { readonly kind: 'links'; readonly links: LinkColumn }
  | { readonly kind: 'ignored' };

function listLinks(model: Model, schema: SchemaModel): LinkColumn[] {
  return schema.relations.flatMap((relation) => {
    const target = model.schemas.get(relation.target);
    const [key] = listLinkKeys(schema, relation);
    return relation.kind === 'N:N' && target && key !== undefined ? [{ relation, target, key }] : [];
  });
}

function listKeys({ schema }: RowPlan, links: readonly LinkColumn[], source: Source): Map<string, KeyMeaning> {
  const keys = new Map<string, KeyMeaning>();
  for (const name of source.columns.keys()) keys.set(name, { kind: 'ignored' });
  for (const link of links) {
    for (const key of listLinkKeys(schema, link.relation)) keys.set(key, { kind: 'links', links: link });
  }
  for (const name of [...schema.row.stored, ...schema.byName.keys()]) {
    const column = findColumnName(schema, name);
    if (column === undefined) continue;
    const isComputed = schema.byName.get(column)?.computed !== undefined;
    keys.set(name, isComputed ? { kind: 'ignored' } : { kind: 'column', column });
  }
  return keys;
}

/** Columns that take part in rules such as `column_gt`, on either side, or that are an end of a period. */
function listCompared({ columns, byName, exclude }: SchemaModel): string[] {
  const names = new Set<string>(exclude.flatMap(({ range }) => range));
  for (const { name, field } of columns) {
    for (const { method, parameters } of field.validation ?? []) {
      const other = byName.get(String(parameters))?.name;
      if (method.startsWith('column_') && other !== undefined) names.add(name).add(other);
    }
  }
  return [...names];
}

export function compileImportPlan(model: Model, rows: RowPlan, source: Source): ImportPlan {
  const { schema, foreign, unique } = rows;
  const links = listLinks(model, schema);
  const typeOf = new Map([[schema.primary, 'bigint']]);
  for (const { name, field, computed } of schema.columns) {
    const type = columnType(field, 'postgres');
    if (type !== undefined && computed === undefined) typeOf.set(name, type);
  }
  for (const { column } of foreign) typeOf.set(column, 'bigint');
  const typed = (name: string): TypedColumn => {
    const field = schema.columns.find((column) => column.name === name)?.field;
    const scale = field?.type === 'decimal' ? { scale: readDecimalShape(field).scale } : {};
    return { name, type: typeOf.get(name) ?? 'text', ...scale };
  };
  return {
    rows,
    keys: listKeys(rows, links, source),
    columns: [...typeOf.keys()].map(typed),
    open: schema.columns.filter((column) => !isSystemSet(column)),
    system: schema.columns
      .filter(({ field, computed }) => fieldKinds[field.type].isSystem && computed === undefined)
      .map((model) => ({ model, shape: fieldKinds[model.field.type].shape(model.field) })),
    secret: schema.row.secrets,
    matches: [
      { ...typed(schema.primary), model: undefined },
      ...unique
        .filter(({ field, computed }) => {
          const { isSecret, isJson } = fieldKinds[field.type];
          return !isSecret && !isJson && computed === undefined;
        })
        .map((column) => ({ ...typed(column.name), model: column })),
    ],
    links,
    own: new Map(foreign.filter(({ target }) => target === schema).map((key) => [key.column, key])),
    compared: listCompared(schema),
    periods: listPeriods(schema),
  };
}

function listPeriods({ exclude, active }: SchemaModel): Set<string> {
  const columns = exclude.flatMap(({ columns: own, range }) => [...own, ...range]);
  return new Set(columns.length === 0 || active === undefined ? columns : [...columns, active]);
}

/**
 * Changed rows that one statement may write. A row whose period changes is alone: which of two rows of a statement is in the other's
 * way depends on their order in it, which is the database's own.
 */
export function splitGroups<R extends { readonly values: Row }>(
  groups: Iterable<readonly R[]>,
  { periods }: ImportPlan,
): (readonly R[])[] {
  return [...groups].flatMap((group) => {
    const isMoving = periods.size > 0 && Object.keys(group[0]?.values ?? {}).some((name) => periods.has(name));
    return isMoving ? group.map((row) => [row]) : [group];
  });
}
