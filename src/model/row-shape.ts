import { fieldKinds } from './field-kind.ts';
import type { ColumnModel, FlatColumn, ForeignKey, RelationModel, RowShape, SchemaModel } from './model.ts';
import { toTable } from './names.ts';

/** As much of a schema as its rows depend on: a linked one, or one that is being linked. */
type RowSource = Pick<SchemaModel, 'name' | 'table' | 'primary' | 'columns' | 'relations' | 'reverse'>;

/** Finds a schema by its name. */
type FindSource<S extends RowSource = RowSource> = (name: string) => S | undefined;

/** Foreign keys in a schema's own table: those of its own 1:1 and 1:0, then those of the parents' 1:N. */
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

/** Primary key, fields and foreign keys of a schema's own table. */
export const listStored = (schema: RowSource): string[] => [
  ...new Set([
    schema.primary,
    ...schema.columns.map(({ name }) => name),
    ...listForeignKeys(schema).map(({ column }) => column),
  ]),
];

/** Whether rows show a column: passwords are stored only. */
const isShown = ({ field }: ColumnModel): boolean =>
  fieldKinds[field.type].sql !== undefined && !fieldKinds[field.type].isSecret;

/** A column of a 1:1 relation; without a name where no name in the row is free. */
type NamedFlat<S extends RowSource> = Omit<FlatColumn, 'name' | 'target'> & {
  readonly name: string | undefined;
  readonly target: S;
};

/**
 * Names the columns of the 1:1 relations as a row has them: by their own name, else, where the row has that already,
 * `<relation>_<field>`, so that two relations to one schema both show.
 *
 * @param taken Names that the row has already; those that are given are added.
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

/** Works out the rows of a schema. */
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
