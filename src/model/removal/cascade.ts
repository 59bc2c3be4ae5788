import type { Definitions } from '../definitions.ts';
import { isSameJson } from '../json/json-value.ts';
import { listChanges, type RenameChange, replaceDefinition, withKey } from '../rename/apply.ts';
import { listMentions, type Mention } from '../rename/mention.ts';
import { hasWord } from '../rename/words.ts';
import {
  type App,
  DEFINITION_KINDS,
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
  for (const queue = [target]; queue.length > 0; ) {
    const next = queue.shift() as Target;
    // What depends on several of the removed is met several times.
    if (removed.some((other) => isSameJson(other, next))) continue;
    removed.push(next);
    const after = takeAway(present, next);
    const means = createMeans(next, findLost(present, after));
    const { definitions: mended, whole } = mend(after, means);
    present = mended;
    queue.push(...whole);
  }
  const changes = listChanges(definitions, present, []);
  const { home } = present.settings.value;
  const isHome = home !== definitions.settings.value.home;
  return { definitions: present, changes: isHome ? changes.map(withoutHome) : changes, removed: removed.slice(1) };
}

/** Without the key, the built-in home page is used. */
function withoutHome(change: RenameChange): RenameChange {
  if (change.kind !== 'settings') return change;
  const { home: _, ...value } = change.value as Record<string, unknown>;
  return { ...change, value };
}

interface RemainingDefinitions {
  readonly definitions: Definitions;
  /** What must be removed completely. */
  readonly whole: readonly Target[];
}

function mend(definitions: Definitions, means: Means): RemainingDefinitions {
  const whole: Target[] = [];
  let next = definitions;
  for (const kind of DEFINITION_KINDS) {
    for (const [name, { value }] of definitions[kind]) {
      const mentions = listMentions(kind, value as never).filter(means);
      if (mentions.length === 0) continue;
      if (kind === 'webhook' && isShortened(value as Hook, mentions)) {
        next = replaceDefinition(next, kind, name, mendLists(value, mentions) as never);
      } else if (kind === 'webhook' || (kind === 'rest' && mentions.some(isCondition))) whole.push({ kind, name });
      else if (kind === 'rest') next = replaceDefinition(next, kind, name, mendRest(value as Rest, mentions));
      else if (kind === 'schema' || kind === 'fieldset') {
        const fields = findWholeFields(value as Schema, mentions);
        whole.push(...[...fields].map((field) => ({ kind: 'field', owner: kind, of: name, name: field }) as const));
        next = replaceDefinition(next, kind, name, mendSchema(value as Schema, means, kind === 'fieldset') as never);
      } else if (kind === 'role') next = replaceDefinition(next, kind, name, mendRole(value as Role, mentions));
      else next = replaceDefinition(next, kind, name, mendLists(value, mentions) as never);
    }
  }
  const home = listMentions('settings', next.settings.value).some(means);
  if (home) next = { ...next, settings: { ...next.settings, value: { ...next.settings.value, home: '/' } } };
  return { definitions: next, whole };
}

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
const findWholeFields = (schema: Schema, mentions: readonly Mention[]): Set<string> =>
  new Set(
    mentions.flatMap(({ subject, path }) => {
      const isWhole = subject === 'fieldset' || path[2] === 'expression';
      const field = isWhole ? schema.fields[Number(path[1])] : undefined;
      return field === undefined ? [] : [field.name];
    }),
  );

/** A schema or fieldset without the places that refer to the removed name. */
function mendSchema(schema: Schema, means: Means, isGroup: boolean): Schema {
  const at = (path: Mention['path'], start: string, index?: number): boolean =>
    path[0] === start && (index === undefined || path[1] === index);
  const bad = listMentions(isGroup ? 'fieldset' : 'schema', schema as never).filter(means);
  const fields = schema.fields.map((field, index) => {
    const own = bad.filter(({ path }) => at(path, 'fields', index));
    return own.length === 0 ? field : mendField(field, own);
  });
  const isUnnamed = bad.some(({ path }) => at(path, 'display'));
  const mended = { ...schema, fields };
  const named = isUnnamed ? withKey(mended, 'display', undefined) : mended;
  const left = <T>(key: string, list: readonly T[] | undefined): T[] | undefined => {
    const remaining = list?.filter((_, index) => !bad.some(({ path }) => at(path, key, index)));
    return remaining?.length === 0 ? undefined : remaining;
  };
  const shown = withKey(named, 'unique', left('unique', schema.unique));
  const apart = withKey(shown, 'exclude', left('exclude', schema.exclude));
  const found = withKey(apart, 'indexes', left('indexes', schema.indexes));
  // Without the field that sorts it, a tree stays one.
  const isOrder = ({ path }: Mention): boolean => path[2] === 'order';
  const gone = bad.filter((mention) => mention.path[0] === 'relations' && !isOrder(mention));
  const relations = schema.relations
    ?.filter((_, index) => !gone.some(({ path }) => path[1] === index))
    .map((relation, index) =>
      bad.some((mention) => at(mention.path, 'relations', index) && isOrder(mention))
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
  const lists = mentions.filter(({ path }) => path[0] === 'permissions');
  const mended = lists.length === 0 ? role : (mendLists(role, lists) as Role);
  if (role.data === undefined) return mended;
  const data = Object.entries(role.data).flatMap(([schema, rules]) => {
    const own = mentions.filter(({ path }) => path[0] === 'data' && path[1] === schema);
    return own.some(({ path }) => path.length === 2) ? [] : [[schema, mendRules(rules, own)] as const];
  });
  return withKey(mended, 'data', data.length === 0 ? undefined : Object.fromEntries(data));
}

/** Scopes, apps and roles: removes entries of lists. */
function mendLists(value: object, mentions: readonly Mention[]): object {
  const lists = new Set(mentions.map(({ path }) => String(path[0])));
  const changed = [...lists].map((key) => {
    const list = (value as Record<string, unknown>)[key] as unknown[];
    const gone = new Set(mentions.filter(({ path }) => path[0] === key).map(({ path }) => path[1]));
    return [key, list.filter((_, index) => !gone.has(index))] as const;
  });
  const next = { ...value, ...Object.fromEntries(changed) } as unknown as App;
  // An app needs no list; a scope and a role have one, even if empty.
  for (const key of ['scopes', 'hooks'] as const) if (next[key]?.length === 0) delete next[key];
  return next;
}
