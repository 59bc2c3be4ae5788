import { type Definitions, getSources } from '../definitions.ts';
import { toColumn, toLabelText, toPlural } from '../names.ts';
import type { DefinitionKind, DefinitionOf } from '../shape.ts';
import {
  listChanges,
  moveNames,
  type NameChange,
  type RenamedDefinitions,
  replaceAll,
  replaceDefinition,
  toLabel,
  toWas,
  withKey,
} from './apply.ts';
import { isField, type Mention, readSchemas, toGroup } from './mention.ts';
import { compareRowKeys, noRenames, type Renames, toPresent } from './renames.ts';

type Value<K extends DefinitionKind> = DefinitionOf[K];

export interface SchemaRenameOptions {
  /** True to rename paths and names of REST calls too; clients of the API must be told. Default false. */
  readonly isWithPaths?: boolean;
}

function toRenamedSchema(schema: Value<'schema'>, to: string): Value<'schema'> {
  const { name: from } = schema;
  return withKey({ ...schema, name: to, ...toLabels(schema, from, to) }, 'was', toWas(schema.was, from, to));
}

const ADMIN = '/admin/system/model/';

/** A schema's admin pages have its name in their path. */
const toAdminPath = (path: string, from: string, to: string): string =>
  path === ADMIN + from || path.startsWith(`${ADMIN}${from}/`)
    ? ADMIN + to + path.slice(ADMIN.length + from.length)
    : path;

const toSegments = (path: string, from: string, to: string): string =>
  path
    .split('/')
    .map((segment) => (segment === from ? to : segment))
    .join('/');

/** Calls with the names that `rest generate` gives. */
function listNamedCalls(definitions: Definitions, from: string, to: string): NameChange[] {
  return [...definitions.rest].flatMap(([name, { value }]): NameChange[] => {
    const start = `${value.access}-${from}-`;
    if (!name.startsWith(start) || !readSchemas(value).includes(from)) return [];
    return [{ kind: 'rest', from: name, to: `${value.access}-${to}-${name.slice(start.length)}` }];
  });
}

/** Renames a schema, and everything that names it, its columns or its lists. */
export function renameSchema(
  definitions: Definitions,
  from: string,
  to: string,
  options: SchemaRenameOptions = {},
): RenamedDefinitions {
  const schema = definitions.schema.get(from);
  if (schema === undefined) throw new TypeError(`There is no schema ${from}.`);
  const isWithPaths = options.isWithPaths === true;
  const moved: NameChange[] = [
    { kind: 'schema', from, to },
    ...(isWithPaths ? listNamedCalls(definitions, from, to) : []),
  ];
  const started = replaceDefinition(definitions, 'schema', from, toRenamedSchema(schema.value, to));
  const middle = moveNames(started, moved);
  const toFormer = (name: string): string => (name === to ? from : name);
  const renames = compareRowKeys(definitions, middle, toFormer);
  const after = replaceAll(middle, (mention) => {
    if (mention.subject !== 'path') return toRowWord(renames, mention, toFormer);
    const path = toAdminPath(mention.name, from, to);
    const isCall = mention.schemas.includes(to) || path.startsWith('/rest/');
    return isWithPaths && isCall ? toSegments(path, from, to) : path;
  });
  return { changes: listChanges(definitions, after, moved), definitions: after, renames };
}

function toRowWord(renames: Renames, mention: Mention, toFormer: (schema: string) => string): string {
  const { subject, name } = mention;
  const schemas = mention.schemas.map(toFormer);
  const isExpression = subject === 'word' && mention.isExpression;
  if (subject === 'word' || subject === 'field') return toPresent(renames, name, { schemas, isExpression });
  if (subject !== 'relation') return name;
  const found = schemas.map((schema) => renames.bySchema.get(schema)?.relations.get(name));
  return found.find((present) => present !== undefined) ?? name;
}

/** Renames a field of a schema, and everything that names it or its column. */
export function renameField(
  definitions: Definitions,
  schemaName: string,
  from: string,
  to: string,
): RenamedDefinitions {
  const schema = definitions.schema.get(schemaName);
  if (schema === undefined) throw new TypeError(`There is no schema ${schemaName}.`);
  const fields = schema.value.fields.map((field) => (field.name === from ? toRenamedField(field, to) : field));
  const middle = replaceDefinition(definitions, 'schema', schemaName, { ...schema.value, fields });
  const renames = compareRowKeys(definitions, middle, (name) => name);
  const column = toColumn(schemaName, from);
  const after = replaceAll(middle, (mention) => {
    const isOwn = mention.subject === 'field' && mention.schemas.includes(schemaName);
    if (isOwn && isField(mention.name, from, undefined)) return to;
    if (isOwn && isField(mention.name, from, column)) return toColumn(schemaName, to);
    return toRowWord(renames, mention, (name) => name);
  });
  return { changes: listChanges(definitions, after, []), definitions: after, renames };
}

type AnyField = Value<'schema'>['fields'][number];

function toRenamedField(field: AnyField, to: string): AnyField {
  const label = field.label === undefined ? undefined : toLabel(field.label, toLabelText(field.name), toLabelText(to));
  const renamed = withKey({ ...field, name: to }, 'label', label);
  return field.type === 'none' ? renamed : withKey(renamed, 'was', toWas(field.was, field.name, to));
}

/** Renames a field of a fieldset. Stored groups keep the former name in their JSON. */
export function renameGroupField(
  definitions: Definitions,
  fieldset: string,
  from: string,
  to: string,
): RenamedDefinitions {
  const source = definitions.fieldset.get(fieldset);
  if (source === undefined) throw new TypeError(`There is no fieldset ${fieldset}.`);
  const fields = source.value.fields.map((field) => (field.name === from ? toRenamedField(field, to) : field));
  const middle = replaceDefinition(definitions, 'fieldset', fieldset, { ...source.value, fields });
  const group = toGroup(fieldset);
  const after = replaceAll(middle, ({ subject, name, schemas, isExpression }) => {
    const isOwn = schemas.includes(group) && (subject === 'field' || (subject === 'word' && isExpression));
    return isOwn && name === from ? to : name;
  });
  return { changes: listChanges(definitions, after, []), definitions: after, renames: toGroupRenames(group, from, to) };
}

/** A field's own name is too common a word to be replaced in texts: it is only searched for. */
const toGroupRenames = (group: string, from: string, to: string): Renames => ({
  ...noRenames,
  bySchema: new Map([[group, { columns: new Map(), relations: new Map(), computed: new Map([[from, to]]) }]]),
});

/** Renames a relation of a schema, and everything that names it or its key. */
export function renameRelation(
  definitions: Definitions,
  schemaName: string,
  from: string,
  to: string,
): RenamedDefinitions {
  const schema = definitions.schema.get(schemaName);
  if (schema === undefined) throw new TypeError(`There is no schema ${schemaName}.`);
  const relations = (schema.value.relations ?? []).map((relation) => {
    if ((relation.name ?? relation.schema) !== from) return relation;
    const named = withKey(relation, 'name', to === relation.schema ? undefined : to);
    return withKey(named, 'was', toWas(relation.was, from, to));
  });
  const middle = replaceDefinition(definitions, 'schema', schemaName, { ...schema.value, relations });
  const renames = compareRowKeys(definitions, middle, (name) => name);
  const after = replaceAll(middle, (mention) => toRowWord(renames, mention, (name) => name));
  return { changes: listChanges(definitions, after, []), definitions: after, renames };
}

/** Renames a definition other than a schema, and the entries of lists that name it. */
export function renameDefinition(definitions: Definitions, { kind, from, to }: NameChange): RenamedDefinitions {
  const started = renameOwn(definitions, kind, { from, to });
  const after = moveNames(started, [{ kind, from, to }]);
  return { changes: listChanges(definitions, after, [{ kind, from, to }]), definitions: after, renames: noRenames };
}

/** Receivers verify with a secret derived from the hook's name, so a rename must not change the secret. */
const keepSecret = (hook: Value<'webhook'>, from: string, to: string): Value<'webhook'> => {
  const name = hook.secretName ?? from;
  return withKey(hook, 'secretName', name === to ? undefined : name);
};

/** Labels of a schema or fieldset: those that were made from the name follow it. */
const toLabels = (
  { singular, plural }: Pick<Value<'fieldset'>, 'singular' | 'plural'>,
  from: string,
  to: string,
): Pick<Value<'fieldset'>, 'singular' | 'plural'> => ({
  singular: toLabel(singular, toLabelText(from), toLabelText(to)),
  plural: toLabel(plural, toPlural(toLabelText(from)), toPlural(toLabelText(to))),
});

type Renamers = { readonly [K in DefinitionKind]: (value: Value<K>, from: string, to: string) => Value<K> };

const RENAMERS: Renamers = {
  schema: (value, _, name) => ({ ...value, name }),
  fieldset: (value, from, name) => ({ ...value, name, ...toLabels(value, from, name) }),
  rest: (value) => value,
  scope: (value, _, slug) => ({ ...value, slug }),
  webhook: keepSecret,
  app: (value) => value,
  role: (value, _, slug) => ({ ...value, slug }),
};

/** A definition's own names; those of the lists that name it stay. */
function renameOwn<K extends DefinitionKind>(
  definitions: Definitions,
  kind: K,
  { from, to }: Pick<NameChange, 'from' | 'to'>,
): Definitions {
  const source = getSources(definitions, kind).get(from);
  if (source === undefined) throw new TypeError(`There is no ${kind} ${from}.`);
  return replaceDefinition(definitions, kind, from, RENAMERS[kind](source.value, from, to));
}
