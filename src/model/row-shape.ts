import { fieldKinds } from './field/field-kind.ts';
import type { ColumnModel, FlatColumn, ForeignKey, RelationModel, RowShape, SchemaModel } from './model.ts';
import { toTable } from './names.ts';

/** The parts of a schema that determine its rows; the schema may still be linking. */
type RowSource = Pick<SchemaModel, 'name' | 'table' | 'primary' | 'columns' | 'relations' | 'reverse'>;

/** Finds a schema by its name. */
type FindSource<S extends RowSource = RowSource> = (name: string) => S | undefined;

/** Foreign keys in a schema's own table: of its own 1:1 and 1:0, then of the parents' 1:N. */
function listForeignKeys(schema: RowSource): ForeignKey[] {
  const own = schema.relations.flatMap((relation): ForeignKey[] =>
    relation.targetColumn === undefined || relation.kind === 'N:N'
      ? []
      : [
          {
            column: relation.targetColumn,
            target: relation.target,
            isNullable: relation.kind !== '1:1',
            origin: 'own',
            relation,
          },
        ],
  );
  const parents = schema.reverse.flatMap((relation): ForeignKey[] =>
    relation.sourceColumn === undefined || relation.kind !== '1:N'
      ? []
      : [{ column: relation.sourceColumn, target: relation.source, isNullable: true, origin: 'parent', relation }],
  );
  const keys = new Map<string, ForeignKey>();
  for (const key of [...own, ...parents]) if (!keys.has(key.column)) keys.set(key.column, key);
  return [...keys.values()];
}

/** Primary key, fields (computed ones, too) and foreign keys: every column of a schema's own rows. */
export const listStored = (schema: RowSource): string[] => [
  ...new Set([
    schema.primary,
    ...schema.columns.map(({ name }) => name),
    ...listForeignKeys(schema).map(({ column }) => column),
  ]),
];

/** True if rows contain a column; passwords are only stored. */
const isShown = ({ field }: ColumnModel): boolean =>
  fieldKinds[field.type].sql !== undefined && !fieldKinds[field.type].isSecret;

/** A column of a 1:1 relation; without a name if every name is taken. */
type NamedFlat<S extends RowSource> = Omit<FlatColumn, 'name' | 'target'> & {
  readonly name: string | undefined;
  readonly target: S;
};

/**
 * Names the columns of 1:1 relations in a row: their own name, or `<relation>_<field>` if that is taken, so
 * that a row can have two relations to one schema.
 *
 * @param taken Names already in the row; the new names are added.
 */
export function* nameFlat<S extends RowSource>(
  schema: S,
  find: FindSource<S>,
  taken: Set<string>,
  isIn: (column: ColumnModel) => boolean = () => true,
): Generator<NamedFlat<S>> {
  for (const relation of schema.relations) {
    const target = relation.kind === '1:1' ? find(relation.target) : undefined;
    if (target === undefined || target === schema) continue;
    for (const model of [undefined, ...target.columns.filter(isIn)]) {
      const column = model?.name ?? target.primary;
      const name = findFree([column, toTable(relation.name) + column.slice(target.table.length)], taken);
      if (name !== undefined) taken.add(name);
      yield { name, relation, target, column, model };
    }
  }
}

const findFree = (names: readonly string[], taken: ReadonlySet<string>): string | undefined =>
  names.find((name) => !taken.has(name));

const inDetail = ({ kind }: RelationModel): boolean => kind !== '1:1';

/** Computes the structure of a schema's rows. */
export function compileRowShape(schema: RowSource, find: FindSource): RowShape {
  const shown = schema.columns.filter(isShown);
  const keys = listForeignKeys(schema);
  const taken = new Set([schema.primary, ...shown.map(({ name }) => name), ...keys.map(({ column }) => column)]);
  const flat = [...nameFlat(schema, find, taken, isShown)].flatMap(({ name, target, ...rest }): FlatColumn[] =>
    name === undefined ? [] : [{ ...rest, name, target: target.name }],
  );
  return Object.freeze({
    primary: schema.primary,
    shown,
    secrets: schema.columns.filter((column) => !isShown(column)),
    keys,
    stored: listStored(schema),
    flat,
    names: taken,
    details: schema.relations.filter(inDetail),
  });
}
