import { type Action, type Grant, markFilled, type RowFilter, type WriteRule } from '../core/access.ts';
import { listRead } from '../model/expression/reads.ts';
import { getSchema, type Model, type SchemaModel } from '../model/model.ts';
import { findOwnerColumn } from '../model/role/owner-column.ts';
import { hasPrivate, listPrivate } from '../model/role/private.ts';
import { findRoleColumn, listRoleColumns, resolveColumns } from '../model/role/role-columns.ts';
import type { RoleRule } from '../model/shape.ts';
import { compileRuleFilter, type RuleFilter, type RuleValues } from './rule-filter.ts';

/** What one role may do with a schema by one action. */
interface Rule {
  readonly role: string;
  readonly index: number;
  /** Absent: every row. */
  readonly filter?: RuleFilter;
  readonly check?: RuleFilter;
  readonly read?: ReadonlySet<string>;
  /** Private columns that it shows only of the caller's rows. */
  readonly own?: ReadonlySet<string>;
  readonly write?: ReadonlySet<string>;
}

/**
 * Which rows private columns are shown of. `own`: the access is limited to the caller's rows. `some`: rows of that
 * person are among them. `none`: none can be.
 */
type Ownership = 'own' | 'some' | 'none';

type Columns = ReadonlySet<string> | undefined;

/** A rule that shows a column; with `isOwn` only in the caller's rows. */
interface ShowRule {
  readonly rule: Rule;
  readonly isOwn: boolean;
}

/** The columns of several rules together. */
interface Shape {
  readonly read: Columns;
  readonly sure: Columns;
  readonly write: Columns;
  /** Columns that some rows show, with the rules that show them. */
  readonly masked: readonly (readonly [string, readonly ShowRule[]])[];
}

const union = (sets: readonly Columns[]): Columns =>
  sets.some((set) => set === undefined) ? undefined : new Set(sets.flatMap((set) => [...(set ?? [])]));

const has = (set: Columns, name: string): boolean => set === undefined || set.has(name);

/** Undefined where nothing is missing. */
const toPart = (columns: Columns, stored: readonly string[]): Columns =>
  stored.every((name) => has(columns, name)) ? undefined : columns;

function toShape(rules: readonly Rule[], { row }: SchemaModel, owned: Ownership): Shape {
  const toRead = ({ read, own }: Rule): Columns =>
    owned === 'own' && own !== undefined ? toPart(union([read, own]), row.stored) : read;
  const toOwn = ({ own }: Rule): Columns => (owned === 'some' ? (own ?? new Set()) : new Set());
  const read = toPart(union([...rules.map(toRead), ...rules.map(toOwn)]), row.stored);
  const write = union(rules.map((rule) => rule.write));
  // A row matches every rule without a filter, and at least one rule.
  const whole = rules.filter(({ filter }) => filter === undefined);
  const always = whole.length === 0 ? new Set<string>() : union(whole.map(toRead));
  const names = row.stored.filter((name) => has(read, name));
  // Ids may always be read.
  const ids = new Set([row.primary, ...row.keys.map(({ column }) => column)]);
  const isSure = (name: string): boolean =>
    ids.has(name) || has(always, name) || rules.every((rule) => has(toRead(rule), name));
  const unsure = names.filter((name) => !isSure(name));
  const listShowing = (name: string): ShowRule[] =>
    rules.flatMap((rule): ShowRule[] => {
      if (has(toRead(rule), name)) return [{ rule, isOwn: false }];
      return has(toOwn(rule), name) ? [{ rule, isOwn: true }] : [];
    });
  return {
    read,
    sure: unsure.length === 0 ? read : new Set(names.filter(isSure)),
    write,
    masked: unsure.map((name) => [name, listShowing(name)] as const),
  };
}

/** The rules of all roles, and what is private without rules. */
export interface Ruler {
  /** Whether any role names the schema: then it is closed to what no role allows. */
  isRuled(schema: string): boolean;
  /** What these roles allow, in the order of their files. */
  list(schema: string, action: Action, roles: readonly string[]): readonly Rule[];
  /** What everybody may do with a schema that no role names; undefined where nothing in it is private. */
  findOpen(schema: string): readonly Rule[] | undefined;
  /**
   * The sum of these rules; undefined without rules.
   *
   * @param isOwned True if the access reaches the caller's rows only. Default false.
   */
  combine(schema: string, rules: readonly Rule[], values: RuleValues, isOwned?: boolean): Grant | undefined;
  /** What the rules of these roles take from the person and the clock. */
  uses(roles: readonly string[]): { readonly names: readonly string[]; readonly usesNow: boolean };
}

/** What a rule shows of every row, and what more of the caller's rows: private columns that it does not name. */
function toReads(schema: SchemaModel, names: readonly string[] | undefined): Pick<Rule, 'read' | 'own'> {
  return withoutHidden(schema, readNames(schema, names));
}

/** A computed value shows only with all that it is computed of: else it would tell what is hidden. */
function withoutHidden(schema: SchemaModel, { read, own }: Pick<Rule, 'read' | 'own'>): Pick<Rule, 'read' | 'own'> {
  const computed = schema.columns.filter((column) => column.computed !== undefined);
  if (read === undefined || computed.length === 0) return { ...(read && { read }), ...(own && { own }) };
  const [every, owned] = [new Set(read), new Set(own)];
  for (const { name, computed: model } of computed) {
    const columns = model === undefined ? [] : listRead(model);
    if (columns.every((column) => read.has(column))) continue;
    const isOwned =
      (every.has(name) || owned.has(name)) && columns.every((column) => read.has(column) || own?.has(column));
    every.delete(name);
    if (isOwned) owned.add(name);
    else owned.delete(name);
  }
  return { read: every, ...(owned.size === 0 ? {} : { own: owned }) };
}

function readNames(schema: SchemaModel, names: readonly string[] | undefined): Pick<Rule, 'read' | 'own'> {
  const hidden = listPrivate(schema);
  // A start reads the file of the columns only if a rule names some.
  if (names === undefined && hidden.length === 0) return {};
  const read = resolveColumns(schema, 'read', names);
  const all = listRoleColumns(schema, 'read');
  const named = new Set((names ?? []).flatMap((name) => findRoleColumn(schema, all, name) ?? []));
  const own = hidden.filter((name) => !named.has(name) && read?.has(name) !== false);
  if (own.length === 0) return read === undefined ? {} : { read };
  return { read: new Set([...(read ?? all)].filter((name) => !own.includes(name))), own: new Set(own) };
}

function compileRule(role: string, index: number, given: RoleRule | undefined, schema: SchemaModel): Rule | undefined {
  if (given === undefined || given === false) return undefined;
  if (given === true) return { role, index, ...toReads(schema, undefined) };
  const { filter, check, read, write } = given;
  const writes = resolveColumns(schema, 'write', write);
  return {
    role,
    index,
    ...(filter === undefined || Object.keys(filter).length === 0 ? {} : { filter: compileRuleFilter(filter) }),
    ...(check === undefined ? {} : { check: compileRuleFilter(check) }),
    ...toReads(schema, read),
    ...(writes === undefined ? {} : { write: writes }),
  };
}

/** Rules of a schema and action by role. */
type Table = ReadonlyMap<string, ReadonlyMap<string, readonly Rule[]>>;

function compileTable({ roles, schemas }: Model): Table {
  const table = new Map<string, Map<string, Rule[]>>();
  let index = 0;
  for (const { slug, data = {} } of roles.values()) {
    for (const [name, actions] of Object.entries(data)) {
      const schema = schemas.get(name);
      if (!schema) continue;
      const byAction = table.get(name) ?? new Map<string, Rule[]>();
      table.set(name, byAction);
      for (const [action, given] of Object.entries(actions)) {
        index += 1;
        const rule = compileRule(slug, index, given, schema);
        if (rule) byAction.set(action, [...(byAction.get(action) ?? []), rule]);
      }
    }
  }
  return table;
}

/** A rule with the values of the caller filled in. */
interface RuleMatch {
  readonly rule: Rule;
  readonly filter: RowFilter | undefined;
  readonly check: RowFilter | undefined;
}

function meet(rule: Rule, values: RuleValues): RuleMatch | undefined {
  const filter = rule.filter?.resolve(values);
  const check = rule.check?.resolve(values);
  const isVoid =
    (rule.filter !== undefined && filter === undefined) || (rule.check !== undefined && check === undefined);
  return isVoid ? undefined : { rule, filter, check };
}

const toWriteRule = ({ rule, filter, check }: RuleMatch): WriteRule => ({
  ...(filter === undefined ? {} : { filter }),
  ...(check === undefined ? {} : { check }),
  ...(rule.write === undefined ? {} : { write: rule.write }),
});

const NO_ROW = Object.freeze({ anyOf: Object.freeze([]) });

/** @param own The filter of the caller's rows; undefined where none can. */
function toGrant(met: readonly RuleMatch[], { read, sure, write, masked }: Shape, own: RowFilter | undefined): Grant {
  const filters = met.flatMap(({ filter }) => (filter === undefined ? [] : [filter]));
  const anyOf = met.length > 0 && filters.length < met.length ? undefined : filters;
  const findFilters = ({ rule, isOwn }: Shape['masked'][number][1][number]): RowFilter[][] =>
    met
      .filter((other) => other.rule === rule)
      .map(({ filter }) => [...(filter === undefined ? [] : [filter]), ...(isOwn && own !== undefined ? [own] : [])]);
  const masks = new Map(masked.map(([name, showing]) => [name, showing.flatMap(findFilters)] as const));
  const isPlain = anyOf === undefined && masks.size === 0;
  const isOne = met.every(({ check }) => check === undefined) && met.length < 2;
  return Object.freeze({
    ...(met.length === 0 ? { rows: NO_ROW } : isPlain ? {} : { rows: { anyOf, masks } }),
    ...(read === undefined ? {} : { read }),
    ...(sure === undefined || sure === read ? {} : { sure }),
    ...(write === undefined ? {} : { write }),
    ...(isOne ? {} : { rules: met.map(toWriteRule) }),
  });
}

function findUses(table: Table, roles: readonly string[], isPrivate: boolean): ReturnType<Ruler['uses']> {
  const rules = [...table.values()].flatMap((byAction) => [...byAction.values()].flat());
  const filters = rules
    .filter(({ role }) => roles.includes(role))
    .flatMap(({ filter, check }) => [filter ?? [], check ?? []].flat());
  const own = isPrivate ? ['profile_id'] : [];
  const names = [...new Set([...own, ...filters.flatMap((filter) => filter.names)])].sort();
  return { names, usesNow: filters.some(({ usesNow }) => usesNow) };
}

/** What everybody may do with a schema that no role names, where something in it is private. */
const compileOpen = ({ schemas }: Model): ReadonlyMap<string, readonly Rule[]> =>
  new Map(
    [...schemas.values()]
      .filter((schema) => listPrivate(schema).length > 0)
      .map((schema) => [schema.name, [{ role: '', index: 0, ...toReads(schema, undefined) }]]),
  );

/** The caller's rows of a schema; undefined where none can, or nothing in it is private. */
function findOwn({ schemas }: Model, name: string, values: RuleValues): RowFilter | undefined {
  const schema = schemas.get(name);
  const owner = schema && listPrivate(schema).length > 0 ? findOwnerColumn(schema) : undefined;
  const id = owner && values.me('profile_id');
  return owner === undefined || id === undefined || id === null ? undefined : markFilled({ [owner]: id });
}

function createRuler(model: Model): Ruler {
  const table = compileTable(model);
  const open = compileOpen(model);
  const shapes = new Map<string, Shape>();
  const known = new Map<string, ReturnType<Ruler['uses']>>();
  const list: Ruler['list'] = (schema, action, roles) =>
    (table.get(schema)?.get(action) ?? []).filter(({ role }) => roles.includes(role));
  const findShape = (schema: string, rules: readonly Rule[], owned: Ownership): Shape => {
    const key = `${owned} ${schema} ${rules.map(({ index }) => index).join()}`;
    const known = shapes.get(key);
    if (known) return known;
    const made = toShape(rules, getSchema(model, schema), owned);
    shapes.set(key, made);
    return made;
  };
  return {
    isRuled: (schema) => table.has(schema),
    list,
    findOpen: (schema) => (table.has(schema) ? undefined : open.get(schema)),
    uses(roles) {
      const key = roles.join();
      const found = known.get(key) ?? findUses(table, roles, open.size > 0);
      known.set(key, found);
      return found;
    },
    combine(schema, rules, values, isOwned = false) {
      if (rules.length === 0) return undefined;
      const met = rules.flatMap((rule) => meet(rule, values) ?? []);
      const own = findOwn(model, schema, values);
      const owned = own === undefined ? 'none' : isOwned ? 'own' : 'some';
      return toGrant(met, findShape(schema, met.length === 0 ? rules : met.map(({ rule }) => rule), owned), own);
    },
  };
}

const rulers = new WeakMap<Model, Ruler | { readonly none: true }>();

/** The rules of a model; undefined where no role names a schema and no column is private. */
export function findRuler(model: Model): Ruler | undefined {
  const known = rulers.get(model);
  if (known) return 'none' in known ? undefined : known;
  const hasData = [...model.roles.values()].some(({ data }) => data !== undefined && Object.keys(data).length > 0);
  const made = hasData || hasPrivate(model) ? createRuler(model) : undefined;
  rulers.set(model, made ?? { none: true });
  return made;
}
