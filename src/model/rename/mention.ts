import { isObject } from '../../core/record.ts';
import { CHANGED } from '../hook-event.ts';
import { toTable } from '../names.ts';
import type {
  App,
  DefinitionOf,
  Exclude,
  Field,
  FileKind,
  Format,
  Hook,
  Index,
  Rest,
  Role,
  Schema,
  Scope,
  Unique,
} from '../shape.ts';
import { replaceExpressionNames } from './expression-names.ts';
import { replaceTemplateWords, replaceWords } from './words.ts';

type Path = readonly (string | number)[];

/** What is named. A `word` in a text or a stage may be a column, a relation, or anything else. */
type Subject = 'schema' | 'fieldset' | 'call' | 'scope' | 'hook' | 'field' | 'relation' | 'word' | 'path';

/** A place where a definition names something else. */
export interface Mention {
  readonly subject: Subject;
  readonly name: string;
  readonly path: Path;
  /** Schemas (or the fieldset) with the rows that the place is about; empty if unknown. */
  readonly schemas: readonly string[];
  /** Inside `{{` and `}}`, or in a list of keys: names of relations and computed values count. */
  readonly isExpression: boolean;
  /** The purpose of a `word`: to show, to set a value, or to choose rows. */
  readonly role?: 'show' | 'value' | 'filter';
}

/** Called for each mention; its result replaces the name. */
export type See = (mention: Mention) => string;

/** Stage keys with values and keys that name columns and relations. */
const KEY_LISTS = new Set('filter sort order fields expand group sum average least greatest'.split(' '));

class Walk {
  readonly #see: See;
  readonly #schemas: readonly string[];

  constructor(see: See, schemas: readonly string[]) {
    this.#see = see;
    this.#schemas = schemas;
  }

  name(subject: Subject, name: string, path: Path): string {
    return this.#see({ subject, name, path, schemas: this.#schemas, isExpression: true });
  }

  word(name: string, path: Path, isExpression: boolean, role: Mention['role'] = 'show'): string {
    return this.#see({ subject: 'word', name, path, schemas: this.#schemas, isExpression, role });
  }

  text(text: string | undefined, path: Path): string {
    return replaceWords(text ?? '', (word) => this.word(word, path, false));
  }

  template(text: string, path: Path): string {
    return replaceTemplateWords(text, (word, isExpression) => this.word(word, path, isExpression));
  }
}

/** Replaces only keys that the definition has. */
function replaceKeys<T extends object>(value: T, keys: Partial<T>): T {
  const found = Object.entries(keys).filter(([key, part]) => part !== undefined && Object.hasOwn(value, key));
  return found.length === 0 ? value : { ...value, ...Object.fromEntries(found) };
}

function walkFormat(walk: Walk, format: Format, path: Path): Format {
  if (format.parameters === undefined) return format;
  const parameters = format.parameters.map((each, index) =>
    typeof each === 'string' ? walk.template(each, [...path, 'parameters', index]) : each,
  );
  return { ...format, parameters };
}

function walkField(walk: Walk, field: Field, path: Path): Field {
  const validation = field.validation?.map((rule, index) => {
    const at = [...path, 'validation', index, 'parameters'];
    const isColumn = rule.method.startsWith('column_') && typeof rule.parameters === 'string';
    return isColumn ? { ...rule, parameters: walk.name('field', String(rule.parameters), at) } : rule;
  });
  const attributes = Object.entries(field.attributes ?? {}).map(([key, value]) => {
    return [key, typeof value === 'string' ? walk.text(value, [...path, 'attributes', key]) : value] as const;
  });
  return replaceKeys<Field>(field, {
    description: walk.text(field.description, [...path, 'description']),
    attributes: Object.fromEntries(attributes),
    ...(field.fieldset === undefined ? {} : { fieldset: walk.name('fieldset', field.fieldset, [...path, 'fieldset']) }),
    ...(validation === undefined ? {} : { validation }),
    ...(field.list === undefined ? {} : { list: walkFormat(walk, field.list, [...path, 'list']) }),
    ...(field.detail === undefined ? {} : { detail: walkFormat(walk, field.detail, [...path, 'detail']) }),
  });
}

/** The names in the expressions of computed fields. */
function walkExpressions(see: See, value: Schema, fields: readonly Field[]): Field[] {
  const own = new Walk(see, [value.name]);
  return fields.map((field, index) => {
    if (field.expression === undefined) return field;
    const path = ['fields', index, 'expression'];
    const expression = replaceExpressionNames(field.expression, value, {
      column: (schema, name) => walkColumn(new Walk(see, [schema]), schema, name, path),
      other: (subject, name) => own.name(subject, name, path),
    });
    return { ...field, expression };
  });
}

const walkFields = (walk: Walk, fields: readonly Field[]): Field[] =>
  fields.map((field, index) => walkField(walk, field, ['fields', index]));

const walkUnique = (walk: Walk, rules: readonly Unique[]): Unique[] =>
  rules.map((rule, index) => ({
    ...rule,
    columns: rule.columns.map((name, at) => walk.word(name, ['unique', index, 'columns', at], true, 'filter')),
  }));

/** A column or relation's key by its full name, or a field by its own. */
function walkColumn(walk: Walk, schema: string, name: string, path: Path): string {
  const isColumn = name.startsWith(`${toTable(schema)}_`) || name.endsWith('_id');
  return isColumn ? walk.word(name, path, true, 'filter') : walk.name('field', name, path);
}

const walkIndexes = (walk: Walk, schema: string, indexes: readonly Index[]): Index[] =>
  indexes.map((index, place) => {
    const columns = index.columns.map((written, at) => {
      const [sign, name] = written.startsWith('-') ? ['-', written.slice(1)] : ['', written];
      return sign + walkColumn(walk, schema, name, ['indexes', place, 'columns', at]);
    });
    if (index.where === undefined) return { ...index, columns };
    const where = Object.entries(index.where).map(
      ([name, wanted]) => [walkColumn(walk, schema, name, ['indexes', place, 'where', name]), wanted] as const,
    );
    return { ...index, columns, where: Object.fromEntries(where) };
  });

const walkExclude = (walk: Walk, schema: string, rules: readonly Exclude[]): Exclude[] =>
  rules.map((rule, index) => {
    const list = (key: 'columns' | 'range', names: readonly string[]): string[] =>
      names.map((name, at) => walkColumn(walk, schema, name, ['exclude', index, key, at]));
    const columns = rule.columns === undefined ? {} : { columns: list('columns', rule.columns) };
    return { ...rule, ...columns, range: list('range', rule.range) };
  });

function walkSchema(value: Schema, see: See): Schema {
  const walk = new Walk(see, [value.name]);
  const relations = value.relations?.map((relation, index) => {
    const schema = walk.name('schema', relation.schema, ['relations', index, 'schema']);
    if (relation.order === undefined) return { ...relation, schema };
    return { ...relation, schema, order: walk.name('field', relation.order, ['relations', index, 'order']) };
  });
  return replaceKeys<Schema>(value, {
    description: walk.text(value.description, ['description']),
    ...(value.display === undefined ? {} : { display: walk.template(value.display, ['display']) }),
    fields: walkExpressions(see, value, walkFields(walk, value.fields)),
    ...(relations === undefined ? {} : { relations }),
    ...(value.unique === undefined ? {} : { unique: walkUnique(walk, value.unique) }),
    ...(value.exclude === undefined ? {} : { exclude: walkExclude(walk, value.name, value.exclude) }),
    ...(value.indexes === undefined ? {} : { indexes: walkIndexes(walk, value.name, value.indexes) }),
  });
}

/** The words of a text or a key in a stage. */
function walkStageText(walk: Walk, text: string, path: Path, list: string | undefined): string {
  const role = list === 'filter' ? 'filter' : list === undefined ? 'value' : 'show';
  return replaceWords(text, (word) => walk.word(word, path, list !== undefined, role));
}

/** Walks a part of a stage: its keys are columns or relations; in a list of keys its texts are too. */
function walkStage(walk: Walk, value: unknown, path: Path, list: string | undefined): unknown {
  // The values of a filter and of a column are data; only their keys are names.
  if (typeof value === 'string') return list === 'filter' ? value : walkStageText(walk, value, path, list);
  if (Array.isArray(value)) return value.map((item, index) => walkStage(walk, item, [...path, index], list));
  return isObject(value) ? walkStageKeys(walk, value, path, list) : value;
}

type Parameters = Readonly<Record<string, unknown>>;

function walkStageKeys(walk: Walk, stage: Parameters, path: Path, list: string | undefined): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(stage).map(([key, part]) => {
      const at = [...path, key];
      return [walkStageText(walk, key, at, list), walkStage(walk, part, at, list)];
    }),
  );
}

function walkParameters(walk: Walk, parameters: Parameters, role: 'value' | 'filter'): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(parameters).map(([key, value]) => {
      const at = ['parameters', key];
      if (/^schema[12]?$/.test(key) && typeof value === 'string') return [key, walk.name('schema', value, at)];
      if (key === 'relation' && typeof value === 'string') return [key, walk.name('relation', value, at)];
      if (KEY_LISTS.has(key)) return [key, walkStage(walk, value, at, key)];
      return [walk.word(key, at, false, role), value];
    }),
  );
}

/** Schemas that a call or a hook uses. */
export const readSchemas = ({ parameters = {} }: Rest | Hook): string[] =>
  ['schema', 'schema1', 'schema2'].map((key) => parameters[key]).filter((name) => typeof name === 'string');

function walkRest(value: Rest, see: See): Rest {
  const walk = new Walk(see, readSchemas(value));
  const path = value.path.replace(
    /:([A-Za-z0-9_]+)/g,
    (_, name: string) => `:${walk.word(name, ['path'], false, 'value')}`,
  );
  return replaceKeys<Rest>(value, {
    path: walk.name('path', path, ['path']),
    ...(value.parameters === undefined ? {} : { parameters: walkParameters(walk, value.parameters, 'value') }),
    description: walk.text(value.description, ['description']),
  });
}

/** Like a search's filter, except that the values of `changed` are columns. */
function walkHookFilter(walk: Walk, filter: Parameters): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(filter).flatMap(([key, value]) => {
      const list = key === CHANGED ? 'fields' : 'filter';
      return Object.entries(walkStageKeys(walk, { [key]: value }, ['filter'], list));
    }),
  );
}

function walkHook(value: Hook, see: See): Hook {
  const walk = new Walk(see, readSchemas(value));
  return replaceKeys<Hook>(value, {
    ...(value.parameters === undefined ? {} : { parameters: walkParameters(walk, value.parameters, 'filter') }),
    ...(value.filter === undefined ? {} : { filter: walkHookFilter(walk, value.filter) }),
    ...(value.fields === undefined
      ? {}
      : { fields: value.fields.map((name, index) => walk.word(name, ['fields', index], true)) }),
    description: walk.text(value.description, ['description']),
  });
}

const walkList = (walk: Walk, subject: Subject, list: readonly string[] | undefined, key: string) =>
  list === undefined ? undefined : list.map((name, index) => walk.name(subject, name, [key, index]));

function walkApp(value: App, see: See): App {
  const walk = new Walk(see, []);
  const scopes = walkList(walk, 'scope', value.scopes, 'scopes');
  const hooks = walkList(walk, 'hook', value.hooks, 'hooks');
  return replaceKeys<App>(value, { ...(scopes ? { scopes } : {}), ...(hooks ? { hooks } : {}) });
}

/** A filter's keys are columns; of its values only `$me.<column>` names one, of the profile. */
function walkRuleFilter(walk: Walk, me: Walk, filter: Parameters, path: Path): Parameters {
  const walkMe = (value: unknown, at: Path): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => walkMe(item, [...at, index]));
    if (isObject(value)) return walkAll(value, at);
    const name = typeof value === 'string' ? /^\$me\.(.+)$/.exec(value)?.[1] : undefined;
    return name === undefined ? value : `$me.${me.word(name, at, true, 'filter')}`;
  };
  const walkAll = (values: Parameters, at: Path): Parameters =>
    Object.fromEntries(Object.entries(values).map(([key, item]) => [key, walkMe(item, [...at, key])]));
  return walkAll(walkStageKeys(walk, filter, path, 'filter'), path);
}

/** A list of columns, or of fields by their own names; `-` takes one out. */
function walkRoleColumns(walk: Walk, schema: string, list: readonly string[], path: Path): string[] {
  return list.map((entry, index) => {
    if (entry === '*') return entry;
    const [sign, name] = entry.startsWith('-') ? ['-', entry.slice(1)] : ['', entry];
    const at = [...path, index];
    const isColumn = name.startsWith(`${toTable(schema)}_`) || name.endsWith('_id');
    return sign + (isColumn ? walk.word(name, at, true) : walk.name('field', name, at));
  });
}

function walkRole(value: Role, see: See): Role {
  const plain = new Walk(see, []);
  const me = new Walk(see, ['profile']);
  const permissions = value.permissions.map((permission, index) => {
    return { ...permission, path: plain.name('path', permission.path, ['permissions', index, 'path']) };
  });
  if (value.data === undefined) return { ...value, permissions };
  const data = Object.entries(value.data).map(([schema, actions]) => {
    const walk = new Walk(see, [schema]);
    const rules = Object.entries(actions).map(([action, rule]) => {
      if (typeof rule !== 'object') return [action, rule] as const;
      const at: Path = ['data', schema, action];
      const { filter, check, read, write } = rule;
      const walked = replaceKeys<typeof rule>(rule, {
        ...(filter === undefined ? {} : { filter: walkRuleFilter(walk, me, filter, [...at, 'filter']) }),
        ...(check === undefined ? {} : { check: walkRuleFilter(walk, me, check, [...at, 'check']) }),
        ...(read === undefined ? {} : { read: walkRoleColumns(walk, schema, read, [...at, 'read']) }),
        ...(write === undefined ? {} : { write: walkRoleColumns(walk, schema, write, [...at, 'write']) }),
      });
      return [action, walked] as const;
    });
    return [plain.name('schema', schema, ['data', schema]), Object.fromEntries(rules)] as const;
  });
  return { ...value, permissions, data: Object.fromEntries(data) };
}

type Walkers = { readonly [K in FileKind]: (value: DefinitionOf[K], see: See) => DefinitionOf[K] };

const WALKERS: Walkers = {
  schema: walkSchema,
  fieldset: (value, see) => ({ ...value, fields: walkFields(new Walk(see, [toGroup(value.name)]), value.fields) }),
  rest: walkRest,
  scope: (value: Scope, see) => {
    const walk = new Walk(see, []);
    return replaceKeys<Scope>(value, {
      description: walk.text(value.description, ['description']),
      calls: walkList(walk, 'call', value.calls, 'calls') ?? [],
    });
  },
  webhook: walkHook,
  app: walkApp,
  role: walkRole,
  settings: (value, see) => ({ ...value, home: new Walk(see, []).name('path', value.home, ['home']) }),
};

/** The name of a fieldset among the schemas of a place; no schema can have this name. */
export const toGroup = (fieldset: string): string => `fieldset/${fieldset}`;

/** A definition with the results of `see` as names; the same object if nothing changed. */
export function replaceMentions<K extends FileKind>(kind: K, value: DefinitionOf[K], see: See): DefinitionOf[K] {
  return WALKERS[kind](value, see);
}

/** Every name in a definition. */
export function listMentions<K extends FileKind>(kind: K, value: DefinitionOf[K]): Mention[] {
  const found: Mention[] = [];
  replaceMentions(kind, value, (mention) => {
    found.push(mention);
    return mention.name;
  });
  return found;
}

/** True if a rule's parameter means this field, by its own name or its column. */
export const isField = (parameter: string, field: string, column: string | undefined): boolean =>
  parameter === field || toTable(parameter) === (column ?? '');
