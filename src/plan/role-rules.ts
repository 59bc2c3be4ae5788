import type { Action, Grant, RowFilter, WriteRule } from '../core/access.ts';
import type { Model, SchemaModel } from '../model/model.ts';
import { resolveColumns } from '../model/role-columns.ts';
import type { RoleRule } from '../model/shape.ts';
import { compileRuleFilter, type RuleFilter, type RuleValues } from './rule-filter.ts';

/** What one role may do with a schema by one action. */
export interface Rule {
  readonly role: string;
  readonly index: number;
  /** Absent: every row. */
  readonly filter?: RuleFilter;
  readonly check?: RuleFilter;
  readonly read?: ReadonlySet<string>;
  readonly write?: ReadonlySet<string>;
}

/** The rules of all roles. */
export interface Ruler {
  /** Whether any role names the schema: then it is closed to what no role allows. */
  isRuled(schema: string): boolean;
  /** What these roles allow, in the order of their files. */
  list(schema: string, action: Action, roles: readonly string[]): readonly Rule[];
  /** The sum of these rules; undefined without rules. */
  combine(schema: string, rules: readonly Rule[], values: RuleValues): Grant | undefined;
  /** What the rules of these roles take from the person and the clock. */
  uses(roles: readonly string[]): { readonly names: readonly string[]; readonly usesNow: boolean };
}

type Columns = ReadonlySet<string> | undefined;

/** The columns of several rules together. */
interface Shape {
  readonly read: Columns;
  readonly sure: Columns;
  readonly write: Columns;
  /** Columns that some rows show, with the rules that show them. */
  readonly masked: readonly (readonly [string, readonly Rule[]])[];
}

const union = (sets: readonly Columns[]): Columns =>
  sets.some((set) => set === undefined) ? undefined : new Set(sets.flatMap((set) => [...(set ?? [])]));

const has = (set: Columns, name: string): boolean => set === undefined || set.has(name);

function toShape(rules: readonly Rule[], { row }: SchemaModel): Shape {
  const read = union(rules.map((rule) => rule.read));
  const write = union(rules.map((rule) => rule.write));
  // A row matches every rule without a filter, and at least one rule.
  const whole = rules.filter(({ filter }) => filter === undefined);
  const always = whole.length === 0 ? new Set<string>() : union(whole.map((rule) => rule.read));
  const names = row.stored.filter((name) => has(read, name));
  // Ids may always be read.
  const ids = new Set([row.primary, ...row.keys.map(({ column }) => column)]);
  const isSure = (name: string): boolean =>
    ids.has(name) || has(always, name) || rules.every((rule) => has(rule.read, name));
  const unsure = names.filter((name) => !isSure(name));
  return {
    read,
    sure: unsure.length === 0 ? read : new Set(names.filter(isSure)),
    write,
    masked: unsure.map((name) => [name, rules.filter((rule) => has(rule.read, name))] as const),
  };
}

function compileRule(role: string, index: number, given: RoleRule | undefined, schema: SchemaModel): Rule | undefined {
  if (given === undefined || given === false) return undefined;
  if (given === true) return { role, index };
  const { filter, check, read, write } = given;
  const [reads, writes] = [resolveColumns(schema, 'read', read), resolveColumns(schema, 'write', write)];
  return {
    role,
    index,
    ...(filter === undefined || Object.keys(filter).length === 0 ? {} : { filter: compileRuleFilter(filter) }),
    ...(check === undefined ? {} : { check: compileRuleFilter(check) }),
    ...(reads === undefined ? {} : { read: reads }),
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
interface Met {
  readonly rule: Rule;
  readonly filter: RowFilter | undefined;
  readonly check: RowFilter | undefined;
}

function meet(rule: Rule, values: RuleValues): Met | undefined {
  const filter = rule.filter?.resolve(values);
  const check = rule.check?.resolve(values);
  const isVoid =
    (rule.filter !== undefined && filter === undefined) || (rule.check !== undefined && check === undefined);
  return isVoid ? undefined : { rule, filter, check };
}

const toWriteRule = ({ rule, filter, check }: Met): WriteRule => ({
  ...(filter === undefined ? {} : { filter }),
  ...(check === undefined ? {} : { check }),
  ...(rule.write === undefined ? {} : { write: rule.write }),
});

const NO_ROW = Object.freeze({ anyOf: Object.freeze([]) });

function toGrant(met: readonly Met[], { read, sure, write, masked }: Shape): Grant {
  const filters = met.flatMap(({ filter }) => (filter === undefined ? [] : [filter]));
  const anyOf = met.length > 0 && filters.length < met.length ? undefined : filters;
  const findFilter = (rule: Rule): RowFilter[] =>
    met.flatMap((other): RowFilter[] => (other.rule === rule && other.filter !== undefined ? [other.filter] : []));
  const masks = new Map(masked.map(([name, rules]) => [name, rules.flatMap(findFilter)] as const));
  const isPlain = anyOf === undefined && masks.size === 0;
  const isOne = met.every(({ check }) => check === undefined) && met.length < 2;
  return Object.freeze({
    ...(met.length === 0 ? { rows: NO_ROW } : isPlain ? {} : { rows: { anyOf, masks } }),
    ...(read === undefined ? {} : { read }),
    ...(sure === undefined || sure === read ? {} : { sure }),
    ...(write === undefined ? {} : { write }),
    ...(isOne ? {} : { rules: met.map(toWriteRule) }),
  } as Grant);
}

function findUses(table: Table, roles: readonly string[]): ReturnType<Ruler['uses']> {
  const rules = [...table.values()].flatMap((byAction) => [...byAction.values()].flat());
  const filters = rules
    .filter(({ role }) => roles.includes(role))
    .flatMap(({ filter, check }) => [filter ?? [], check ?? []].flat());
  const names = [...new Set(filters.flatMap((filter) => filter.names))].sort();
  return { names, usesNow: filters.some(({ usesNow }) => usesNow) };
}

function createRuler(model: Model): Ruler {
  const table = compileTable(model);
  const shapes = new Map<string, Shape>();
  const known = new Map<string, ReturnType<Ruler['uses']>>();
  const list: Ruler['list'] = (schema, action, roles) =>
    (table.get(schema)?.get(action) ?? []).filter(({ role }) => roles.includes(role));
  const findShape = (schema: string, rules: readonly Rule[]): Shape => {
    const key = rules.map(({ index }) => index).join();
    const known = shapes.get(key);
    if (known) return known;
    const made = toShape(rules, model.schemas.get(schema) as SchemaModel);
    shapes.set(key, made);
    return made;
  };
  return {
    isRuled: (schema) => table.has(schema),
    list,
    uses(roles) {
      const key = roles.join();
      const found = known.get(key) ?? findUses(table, roles);
      known.set(key, found);
      return found;
    },
    combine(schema, rules, values) {
      if (rules.length === 0) return undefined;
      const met = rules.flatMap((rule) => meet(rule, values) ?? []);
      return toGrant(met, findShape(schema, met.length === 0 ? rules : met.map(({ rule }) => rule)));
    },
  };
}

const rulers = new WeakMap<Model, Ruler | { readonly none: true }>();

/** The rules of a model; undefined where no role names a schema. */
export function findRuler(model: Model): Ruler | undefined {
  const known = rulers.get(model);
  if (known) return 'none' in known ? undefined : known;
  const hasData = [...model.roles.values()].some(({ data }) => data !== undefined && Object.keys(data).length > 0);
  const made = hasData ? createRuler(model) : undefined;
  rulers.set(model, made ?? { none: true });
  return made;
}
