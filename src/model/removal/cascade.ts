import { toObject } from '../../core/record.ts';
import { type Definitions, getSources } from '../definitions.ts';
import { isSameJson } from '../json/json-value.ts';
import { listChanges, type RenameChange, replaceDefinition, withKey } from '../rename/apply.ts';
import { listMentions, type Mention } from '../rename/mention.ts';
import { hasWord } from '../rename/words.ts';
import {
  DEFINITION_KINDS,
  type DefinitionKind,
  type DefinitionOf,
  type Field,
  type Format,
  type Hook,
  type Rest,
  type Role,
  type Schema,
} from '../shape.ts';
import { createMeans, type Means } from './reference.ts';
import { findLost, type Target, takeAway } from './target.ts';

export interface Cascade {
  readonly definitions: Definitions;
  readonly changes: readonly RenameChange[];
  /** The definitions, fields and relations that were removed completely, in order. */
  readonly removed: readonly Target[];
}

/**
 * Removes a target with all references to it. A place that only shows it is shortened (a list of columns, a
 * label). A definition that would allow more without it (a call or hook with a condition on it) is removed
 * completely.
 */
export function removeWithReferences(definitions: Definitions, target: Target): Cascade {
  const removed: Target[] = [];
  let present = definitions;
  const queue = [target];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    // What depends on several of the removed is met several times.
    if (removed.some((other) => isSameJson(other, next))) continue;
    removed.push(next);
    const after = takeAway(present, next);
    const means = createMeans(next, findLost(present, after));
    present = mend(after, means, queue);
  }
  const changes = listChanges(definitions, present, []);
  const { home } = present.settings.value;
  const isHome = home !== definitions.settings.value.home;
  return { definitions: present, changes: isHome ? changes.map(withoutHome) : changes, removed: removed.slice(1) };
}

/** Without the key, the built-in home page is used. */
function withoutHome(change: RenameChange): RenameChange {
  if (change.kind !== 'settings') return change;
  const { home: _, ...value } = toObject(change.value);
  return { ...change, value };
}

/** @param whole Gets what must be removed completely. */
function mend(definitions: Definitions, means: Means, whole: Target[]): Definitions {
  const next = DEFINITION_KINDS.reduce((all, kind) => mendKind(all, kind, means, whole), definitions);
  const isHome = listMentions('settings', next.settings.value).some(means);
  if (!isHome) return next;
  return { ...next, settings: { ...next.settings, value: { ...next.settings.value, home: '/' } } };
}

function mendKind<K extends DefinitionKind>(
  definitions: Definitions,
  kind: K,
  means: Means,
  whole: Target[],
): Definitions {
  let next = definitions;
  for (const [name, { value }] of getSources(definitions, kind)) {
    const mentions = listMentions(kind, value).filter(means);
    if (mentions.length === 0) continue;
    const mended = MENDERS[kind](value, mentions);
    if (mended === undefined) whole.push({ kind, name });
    else next = replaceDefinition(next, kind, name, mended);
    const owner: DefinitionKind = kind;
    if (owner === 'schema' || owner === 'fieldset') {
      const fields = definitions[owner].get(name)?.value.fields ?? [];
      for (const field of listWholeFields(fields, mentions))
        whole.push({ kind: 'field', owner, of: name, name: field });
    }
  }
  return next;
}

/** A definition without what the mentions name; undefined if it must be removed completely. */
type Mender<K extends DefinitionKind> = (
  value: DefinitionOf[K],
  mentions: readonly Mention[],
) => DefinitionOf[K] | undefined;

const MENDERS: { readonly [K in DefinitionKind]: Mender<K> } = {
  schema: mendSchema,
  fieldset: (group, mentions) => ({ ...group, fields: mendFields(group.fields, mentions) }),
  rest: (call, mentions) => (mentions.some(isCondition) ? undefined : mendRest(call, mentions)),
  scope: (scope, mentions) => ({ ...scope, calls: leave(scope.calls, 'calls', mentions) }),
  webhook: (hook, mentions) =>
    isShortened(hook, mentions) ? { ...hook, fields: leave(hook.fields ?? [], 'fields', mentions) } : undefined,
  app: (app, mentions) => {
    const scoped = withKey(app, 'scopes', leaveSome(app.scopes, 'scopes', mentions));
    return withKey(scoped, 'hooks', leaveSome(app.hooks, 'hooks', mentions));
  },
  role: mendRole,
};

/** True if a hook can stay with fewer columns. With an empty list it would send all columns. */
const isShortened = ({ fields = [] }: Hook, mentions: readonly Mention[]): boolean =>
  mentions.every(({ path }) => path[0] === 'fields') && mentions.length < fields.length;

/** True if a call uses the removed name to choose its rows or its target. */
const isCondition = ({ subject, role, path }: Mention): boolean =>
  subject === 'schema' || subject === 'relation' || path[0] === 'path' || role === 'filter';

/** A call without the removed columns that it showed, sorted by or set. */
function mendRest(call: Rest, mentions: readonly Mention[]): Rest {
  const words = new Set(mentions.map(({ name }) => name));
  const left = Object.entries(call.parameters ?? {}).flatMap(([key, value]) => {
    if (words.has(key)) return [];
    const isNamed = mentions.some(({ path }) => path[1] === key);
    const part = isNamed ? withoutWords(value, words) : value;
    return part === undefined ? [] : [[key, part] as const];
  });
  return withKey(call, 'parameters', left.length === 0 ? undefined : Object.fromEntries(left));
}

/** A list of columns (comma-separated, array, or keys) without these words; undefined if it becomes empty. */
function withoutWords(value: unknown, words: ReadonlySet<string>): unknown {
  if (typeof value === 'string') {
    const left = value.split(',').filter((part) => !hasWord(part, words));
    return left.length === 0 ? undefined : left.join(',');
  }
  if (Array.isArray(value)) {
    const left = value.map((item) => withoutWords(item, words)).filter((item) => item !== undefined);
    return left.length === 0 ? undefined : left;
  }
  if (typeof value !== 'object' || value === null) return value;
  const left = Object.entries(value).filter(([key]) => !hasWord(key, words));
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/** Fields of a removed fieldset, and those that are computed of what is removed; they cannot exist without it. */
const listWholeFields = (fields: readonly Field[], mentions: readonly Mention[]): Set<string> =>
  new Set(
    mentions.flatMap(({ subject, path }) => {
      const isWhole = subject === 'fieldset' || path[2] === 'expression';
      const field = isWhole ? fields[Number(path[1])] : undefined;
      return field === undefined ? [] : [field.name];
    }),
  );

/** The entries of a list that no mention names. */
const leave = <T>(list: readonly T[], key: string, mentions: readonly Mention[]): T[] =>
  list.filter((_, index) => !mentions.some(({ path }) => path[0] === key && path[1] === index));

/** The same; undefined if no entry is left. */
function leaveSome<T>(list: readonly T[] | undefined, key: string, mentions: readonly Mention[]): T[] | undefined {
  const left = leave(list ?? [], key, mentions);
  return left.length === 0 ? undefined : left;
}

const mendFields = (fields: readonly Field[], mentions: readonly Mention[]): Field[] =>
  fields.map((field, index) => {
    const own = mentions.filter(({ path }) => path[0] === 'fields' && path[1] === index);
    return own.length === 0 ? field : mendField(field, own);
  });

/** A schema without the places that refer to the removed name. */
function mendSchema(schema: Schema, bad: readonly Mention[]): Schema {
  const isUnnamed = bad.some(({ path }) => path[0] === 'display');
  const mended = { ...schema, fields: mendFields(schema.fields, bad) };
  const named = isUnnamed ? withKey(mended, 'display', undefined) : mended;
  const addressed = bad.some(({ path }) => path[0] === 'page') ? withKey(named, 'page', undefined) : named;
  const shown = withKey(addressed, 'unique', leaveSome(schema.unique, 'unique', bad));
  const apart = withKey(shown, 'exclude', leaveSome(schema.exclude, 'exclude', bad));
  const found = withKey(apart, 'indexes', leaveSome(schema.indexes, 'indexes', bad));
  // Without the field that sorts it, a tree stays one.
  const isOrder = ({ path }: Mention): boolean => path[2] === 'order';
  const gone = bad.filter((mention) => mention.path[0] === 'relations' && !isOrder(mention));
  const relations = schema.relations
    ?.filter((_, index) => !gone.some(({ path }) => path[1] === index))
    .map((relation, index) =>
      bad.some((mention) => mention.path[0] === 'relations' && mention.path[1] === index && isOrder(mention))
        ? withKey(relation, 'order', undefined)
        : relation,
    );
  return withKey(found, 'relations', relations?.length === 0 ? undefined : relations);
}

function mendField(field: Field, mentions: readonly Mention[]): Field {
  const rules = field.validation?.filter(
    (_, index) => !mentions.some(({ path }) => path[2] === 'validation' && path[3] === index),
  );
  const format = (key: 'list' | 'detail'): Format | undefined =>
    mentions.some(({ path }) => path[2] === key) ? undefined : field[key];
  const ruled = withKey(field, 'validation', rules === undefined || rules.length === 0 ? undefined : rules);
  return withKey(withKey(ruled, 'list', format('list')), 'detail', format('detail'));
}

type Rules = NonNullable<Role['data']>[string];

/** The rules of a schema without a removed column. One whose filter names it allows nothing: without the filter it would allow more. */
function mendRules(rules: Rules, mentions: readonly Mention[]): Rules {
  const mended = Object.entries(rules).map(([action, rule]) => {
    const own = mentions.filter(({ path }) => path[2] === action);
    if (own.length === 0 || typeof rule !== 'object') return [action, rule] as const;
    if (own.some(({ path }) => path[3] === 'filter' || path[3] === 'check')) return [action, false] as const;
    const left = (key: 'read' | 'write'): Partial<typeof rule> => {
      const list = rule[key]?.filter((_, index) => !own.some(({ path }) => path[3] === key && path[4] === index));
      return list === undefined ? {} : { [key]: list };
    };
    return [action, { ...rule, ...left('read'), ...left('write') }] as const;
  });
  return Object.fromEntries(mended);
}

/** A role without the permissions and rules that refer to the removed name. */
function mendRole(role: Role, mentions: readonly Mention[]): Role {
  const mended = { ...role, permissions: leave(role.permissions, 'permissions', mentions) };
  if (role.data === undefined) return mended;
  const data = Object.entries(role.data).flatMap(([schema, rules]) => {
    const own = mentions.filter(({ path }) => path[0] === 'data' && path[1] === schema);
    return own.some(({ path }) => path.length === 2) ? [] : [[schema, mendRules(rules, own)] as const];
  });
  return withKey(mended, 'data', data.length === 0 ? undefined : Object.fromEntries(data));
}
