import { columnType, fieldKinds } from '../../model/field/field-kind.ts';
import type { ColumnModel, Model, SchemaModel } from '../../model/model.ts';
import { listHideable } from '../../model/role/hideable.ts';
import { listRowKeys } from '../../model/row-keys.ts';
import { isSystemSet } from '../../model/server-set.ts';
import { hasEnds } from '../../store/read/parse/aggregate.ts';
import { listBranchNames } from '../../store/read/parse/branch.ts';
import { compileSource, type Source, type SourceColumn } from '../../store/read/source/source.ts';
import { type Member, printInterface, toKey, toLiteral, toUnion } from './print.ts';
import { type FieldsetNames, toChoice, toInputType, toValueType } from './value.ts';

/** Type names of a project. */
export interface TypeNames {
  readonly schemas: ReadonlyMap<string, string>;
  readonly fieldsets: FieldsetNames;
}

interface SchemaContext {
  readonly schema: SchemaModel;
  readonly source: Source;
  readonly model: Model;
  readonly names: TypeNames;
  /** Type name of the schema. */
  readonly name: string;
}

const orNull = (type: string, isNullable: boolean): string => (isNullable ? `${type} | null` : type);

/** True if the database may return null: for a column that is not required, except `active`, which every row has. */
const isNullable = ({ isRequired, field }: ColumnModel): boolean => !isRequired && field.type !== 'active';

/** The field of a row's column; undefined for keys. */
function findModel(column: SourceColumn, { row }: SchemaModel): ColumnModel | undefined {
  if (column.alias === 't') return row.shown.find(({ name }) => name === column.name);
  return row.flat.find(({ name }) => name === column.name)?.model;
}

function buildRowType(context: SchemaContext): string {
  const { source, names, name, schema, model: all } = context;
  const hideable = listHideable(all, schema);
  const members = [...source.columns.values()].map((column): Member => {
    const model = findModel(column, schema);
    // Keys of the other half of a 1:1 are never null; keys of the own table are null if the table allows it.
    if (!model) return { name: column.name, type: orNull('number', column.alias === 't' && column.isNullable) };
    return {
      name: column.name,
      type: orNull(toValueType(model.field, names.fieldsets), isNullable(model) || model.isPrivate),
      // Only some people see it, or everybody only in some rows.
      ...(model.isPrivate || hideable.has(column.name) ? { isOptional: true } : {}),
      description: model.field.description,
    };
  });
  return printInterface({ name: `${name}Row`, members, description: schema.description ?? schema.singular });
}

function buildRelationTypes({ source, names, name, schema }: SchemaContext): string {
  const members = [...source.relations.values()].map((relation): Member => {
    const row = `${names.schemas.get(relation.target)}Row`;
    return { name: relation.name, type: relation.kind === '1:0' ? `${row} | null` : `${row}[]` };
  });
  return printInterface({ name: `${name}Relations`, members: [...members, ...listBranchMembers(schema, name)] });
}

/** What `expand` adds of trees. */
function listBranchMembers({ trees }: SchemaModel, name: string): Member[] {
  const keys = trees.length === 1 ? ['above', 'below'] : [];
  return [...keys, ...trees.flatMap((tree) => [`${tree.name}_above`, `${tree.name}_below`])].map((key) => ({
    name: key,
    type: key.endsWith('above') ? `${name}Row[]` : `(${name}Row & Pick<${name}Relations, ${toLiteral(key)}>)[]`,
    isOptional: true,
    description: key.endsWith('above') ? 'From the root to the parent.' : 'With the rows below each, to a depth.',
  }));
}

/** Names after a relation: its own relations in `expand`, its columns in `fields`. */
const toInner = (name: string): string => `\`\${keyof ${name}Relations}.\${string}\``;

/** The names that `expand` takes. */
function toExpandType({ source, schema, name }: SchemaContext): string {
  const branches = listBranchNames(schema);
  if (branches.length === 0) return `readonly (keyof ${name}Relations | ${toInner(name)})[]`;
  const depths = branches.flatMap((branch) => (branch.endsWith('below') ? [`\`${branch}:\${number}\``] : []));
  return `readonly (${[...[...source.relations.keys(), ...branches].map(toLiteral), ...depths, toInner(name)].join(' | ')})[]`;
}

/** Identifies one row: by its id, or by a unique column, a uuid or a slug. */
function buildKeyType({ schema, names }: SchemaContext): string {
  const unique = schema.columns.filter(
    ({ isUnique, field }) =>
      (isUnique || field.type === 'uuid' || field.type === 'slug') && !fieldKinds[field.type].isSecret,
  );
  const keys = unique.map(({ name, field }) => `{ readonly ${toKey(name)}: ${toValueType(field, names.fieldsets)} }`);
  return [`{ readonly ${toKey(schema.primary)}: number }`, ...keys].join(' | ');
}

/** What names one row for an upsert: its id, a unique column, or the columns of a unique rule, as far as code may set them. */
function buildUniqueType({ schema, names }: SchemaContext): string {
  const keys = listRowKeys(schema).map((columns) => {
    const members = columns.map((name) => {
      const field = schema.byName.get(name)?.field;
      return `readonly ${toKey(name)}: ${field === undefined ? 'number' : toInputType(field, names.fieldsets)}`;
    });
    return `{ ${members.join('; ')} }`;
  });
  return keys.join(' | ');
}

/** True if a new row must include a value. */
function isNeeded({ isRequired, field }: ColumnModel): boolean {
  const isRuled = isRequired || (field.validation ?? []).some(({ method }) => method === 'required');
  const hasDefault = field.default !== undefined && field.default !== null;
  return isRuled && !hasDefault && field.type !== 'checkbox' && field.type !== 'switch';
}

/** Code may also add to a number. */
const toIncrement = ({ field }: ColumnModel): string => {
  if (fieldKinds[field.type].group !== 'number') return '';
  return ` | { readonly increment: ${field.type === 'decimal' ? 'number | string' : 'number'} }`;
};

function buildInputTypes({ schema, names, name, model }: SchemaContext): string {
  const foreign = schema.row.keys;
  const taken = new Set([...foreign.map(({ column }) => column), ...schema.columns.map((column) => column.name)]);
  const values = schema.columns.filter((column) => !isSystemSet(column));
  const toMembers = (isCreating: boolean): Member[] => [
    ...values.map((column): Member => {
      const isFree = !column.isRequired && !(column.field.validation ?? []).some(({ method }) => method === 'required');
      return {
        name: column.name,
        type: orNull(toInputType(column.field, names.fieldsets), isFree) + (isCreating ? '' : toIncrement(column)),
        isOptional: !(isCreating && isNeeded(column)),
        isReadonly: true,
        description: column.field.description,
      };
    }),
    ...foreign.map(
      (key): Member => ({
        name: key.column,
        type: orNull('number', key.isNullable),
        isOptional: !isCreating || key.isNullable,
        isReadonly: true,
      }),
    ),
  ];
  const links = schema.relations.flatMap((relation): Member[] => {
    const target = model.schemas.get(relation.target);
    const isMany = relation.kind === '1:N' || relation.kind === 'N:N';
    if (!isMany || !target || target === schema || taken.has(target.primary)) return [];
    taken.add(target.primary);
    const description = `Links the new row with this ${target.singular.toLowerCase()}.`;
    return [{ name: target.primary, type: 'number', isOptional: true, isReadonly: true, description }];
  });
  return [
    printInterface({ name: `${name}Create`, members: [...toMembers(true), ...links] }),
    printInterface({ name: `${name}Update`, members: toMembers(false) }),
  ].join('\n\n');
}

const FILTERS: Readonly<Record<SourceColumn['type'], string>> = {
  integer: 'NumberFilter',
  number: 'NumberFilter',
  decimal: 'DecimalFilter',
  text: 'TextFilter',
  date: 'TextFilter',
  moment: 'TextFilter',
  flag: 'FlagFilter',
  json: 'ListFilter',
};

const base = { isOptional: true, isReadonly: true } as const;

/** Members for conditions on a column; for a JSON column, also on its keys. */
function toFilter(column: SourceColumn, name: string, owner: SchemaModel | undefined): Member[] {
  const field = owner?.columns.find((other) => other.name === column.column)?.field;
  if (field?.type === 'active') return [{ ...base, name, type: 'ActiveFilter' }];
  const choice = field && column.type === 'text' ? toChoice(field) : 'string';
  const plain = column.tree === undefined ? FILTERS[column.type] : 'TreeFilter';
  const type = choice === 'string' ? plain : `TextFilter<${choice}>`;
  const member = { ...base, name, type };
  if (column.type !== 'json') return [member];
  return [member, { isReadonly: true, name: `[path: \`${name}.\${string}\`]`, type: 'PathFilter' }];
}

/** Members for columns of a related schema, as relation, dot, column, and for the presence of related rows. */
function toRelatedFilters({ source, model }: SchemaContext): Member[] {
  return [...source.related.values()].flatMap((related) => {
    const table = related.through?.table ?? related.table;
    const owner = [...model.schemas.values()].find((schema) => schema.table === table);
    return [
      { ...base, name: related.name, type: 'PresenceFilter' },
      ...[...related.columns.values()].flatMap((column) => toFilter(column, `${related.name}.${column.name}`, owner)),
    ];
  });
}

function buildFilterType(context: SchemaContext): string {
  const { source, schema, model, name } = context;
  const ofJoined = (column: SourceColumn): SchemaModel | undefined => {
    const table = source.joins.find(({ alias }) => alias === column.alias)?.table;
    return [...model.schemas.values()].find((other) => other.table === table);
  };
  const members = [
    ...[...source.filterable.values()].flatMap((column) => toFilter(column, column.name, schema)),
    ...[...source.flat].flatMap(([key, { column }]) =>
      toFilter(column, key, ofJoined(source.columns.get(key) ?? column)),
    ),
    ...[...source.links.keys()].map((link): Member => ({ ...base, name: link, type: 'LinkFilter' })),
    ...toRelatedFilters(context),
  ];
  const seen = new Set<string>();
  const unique = members.filter((member) => !seen.has(member.name) && seen.add(member.name));
  // A relation of that name comes first.
  if (seen.has('or')) return printInterface({ name: `${name}Conditions`, members: unique });
  const isActive = ({ name: member }: Member): boolean => member === schema.active;
  const or = { ...base, name: 'or', type: `readonly ${name}Alternative[]`, description: 'A row meets one of these.' };
  const alternative = printInterface({ name: `${name}Alternative`, members: unique.filter((one) => !isActive(one)) });
  const whole = { name: `${name}Conditions`, base: `${name}Alternative`, members: [...unique.filter(isActive), or] };
  return `${alternative}\n\n${printInterface(whole)}`;
}

function buildSearchType(context: SchemaContext): string {
  const { source, name } = context;
  const words = source.searchable.map((column) => column.name).join(', ');
  const q = { ...base, name: 'q', type: 'string', description: `Words that must all occur in ${words}.` };
  const members: Member[] = [
    ...(words === '' ? [] : [q]),
    { ...base, name: 'filter', type: `${name}Conditions` },
    { ...base, name: 'sort', type: `Sorted<${toUnion([...source.sortable.keys()])}>` },
    { ...base, name: 'fields', type: `readonly (keyof ${name}Row | ${toInner(name)})[]` },
    { ...base, name: 'expand', type: toExpandType(context) },
  ];
  return printInterface({ name: `${name}Search`, members, base: 'PageInput' });
}

/** Columns to group by, add up and count. */
function buildGroupType({ source, name }: SchemaContext): string {
  const pick = (isIn: (type: SourceColumn['type']) => boolean): string =>
    toUnion([...source.columns.values()].filter(({ type }) => isIn(type)).map((column) => column.name));
  const times = pick((type) => type === 'moment' || type === 'date');
  const members: Member[] = [
    { name: 'by', type: pick((type) => type !== 'json'), isReadonly: true },
    { name: 'times', type: times, isReadonly: true },
    {
      name: 'sums',
      type: pick((type) => type === 'number' || type === 'decimal' || type === 'flag'),
      isReadonly: true,
    },
    {
      name: 'ends',
      type: toUnion([...source.columns.values()].filter(hasEnds).map((column) => column.name)),
      isReadonly: true,
    },
  ];
  return printInterface({
    name: `${name}Groups`,
    members,
    description: 'Columns to group by, including times, to sum, and with a least and a greatest value.',
  });
}

/** The columns of the schema's own table as they are stored, for `app.query`. */
function buildStoredType({ schema, name }: SchemaContext): string {
  const keys = new Map(schema.row.keys.map((key) => [key.column, key.isNullable]));
  const columns = new Map(schema.columns.map((column) => [column.name, column]));
  const names = schema.row.stored.filter((column) => columns.get(column)?.computed?.isStored !== false);
  const members = names.map((stored): Member => {
    const column = columns.get(stored);
    const isNumber = column === undefined || /int|real|double|numeric/i.test(columnType(column.field, 'sqlite') ?? '');
    const isFree = column === undefined ? keys.get(stored) === true : !column.isRequired;
    return { name: stored, type: orNull(isNumber ? 'number' : 'string', isFree && stored !== schema.primary) };
  });
  const row = printInterface({ name: `${name}Stored`, members, description: 'The row as it is stored.' });
  const table = `{ readonly name: '${schema.table}'; readonly row: ${name}Stored }`;
  return `${row}\n\nexport type ${name}Table = ${table};`;
}

/** The types of one schema. */
export function printSchema(schema: SchemaModel, model: Model, names: TypeNames): string {
  const name = names.schemas.get(schema.name) ?? '';
  const context = { schema, model, names, name, source: compileSource(model, schema) };
  return [
    buildRowType(context),
    buildRelationTypes(context),
    `export type ${name}Detail = ${name}Row & ${name}Relations;`,
    buildInputTypes(context),
    buildFilterType(context),
    buildSearchType(context),
    buildGroupType(context),
    buildStoredType(context),
    `export type ${name}Key = ${buildKeyType(context)};`,
    `export type ${name}Unique = ${buildUniqueType(context)};`,
  ].join('\n\n');
}

/** The schema's entry in the package's interface of the project's schemas. */
export function printEntry(schema: SchemaModel, names: TypeNames): string {
  const name = names.schemas.get(schema.name) ?? '';
  const parts = ['row', 'relations', 'key', 'unique', 'create', 'update', 'search', 'groups', 'table'].map(
    (part) => `      ${part}: ${name}${part.charAt(0).toUpperCase()}${part.slice(1)};`,
  );
  return [`    ${toKey(schema.name)}: {`, `      primary: ${toLiteral(schema.primary)};`, ...parts, '    };'].join(
    '\n',
  );
}
