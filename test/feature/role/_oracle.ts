import type { Row } from '../../../src/database/row-statement.ts';
import { type Action, FIELDS, PRIVATE, type Roles, type RuleFile } from './_world.ts';

/** Who asks, as the rules see them. */
export interface Asker {
  readonly held: readonly string[];
  readonly isAdmin: boolean;
  /** Account and profile; empty for visitors and apps. */
  readonly me: Row;
}

export interface Rule extends RuleFile {
  readonly isVoid: boolean;
  /** True for administrators: nothing is private to them. */
  readonly isWhole?: boolean;
  /** Whether all rows that it reaches are the asker's, some may be, or none is. */
  readonly owned: 'all' | 'some' | 'none';
}

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === '';
const toNumberOr = (value: unknown): unknown =>
  typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;

/** The value of a rule for somebody; undefined where it is missing. */
function toValue(value: unknown, { me, held }: Asker): unknown {
  if (value === '$now') return '2026-11-22 00:00:00';
  if (value === '$me.roles') return held;
  return typeof value === 'string' && value.startsWith('$me.') ? me[value.slice(4)] : value;
}

/** Whether a row matches a filter of the drawn kind. */
export function matches(filter: Row | undefined, row: Row, asker: Asker): boolean {
  return Object.entries(filter ?? {}).every(([column, wanted]) => {
    const pairs: [string, unknown][] =
      typeof wanted === 'object' && wanted !== null ? Object.entries(wanted) : [['eq', wanted]];
    return pairs.every(([operator, raw]) => {
      const [value, have] = [toNumberOr(toValue(raw, asker)), toNumberOr(row[column])];
      if (operator === 'ne') return have !== value;
      if (have === null || have === undefined) return false;
      if (operator === 'in') return (value as unknown[]).map(toNumberOr).includes(have);
      if (operator === 'eq') return have === value;
      const [a, b] = [have, value] as [number, number];
      return operator === 'gte' ? a >= b : operator === 'lte' ? a <= b : a < b;
    });
  });
}

const isVoid = (filter: Row | undefined, asker: Asker): boolean =>
  Object.values(filter ?? {}).some((wanted) =>
    (typeof wanted === 'object' && wanted !== null ? Object.values(wanted) : [wanted]).some((raw) =>
      isMissing(toValue(raw, asker)),
    ),
  );

/**
 * The rules that let somebody do it; none: refused.
 * @param isOwn True for a call that is held to rows of its person.
 */
export function listRules(roles: Roles, asker: Asker, schema: string, action: Action, isOwn = false): Rule[] {
  const isRuled = Object.values(roles).some((data) => data[schema] !== undefined);
  const hasOwner = schema !== 'tag' && !isMissing(asker.me.profile_id);
  const owned = !hasOwner ? 'none' : isOwn ? 'all' : 'some';
  if (asker.isAdmin) return [{ isVoid: false, isWhole: true, owned }];
  if (!isRuled) return [{ isVoid: false, owned }];
  return asker.held.flatMap((slug) => {
    const rule = roles[slug]?.[schema]?.[action];
    if (rule === undefined || rule === false) return [];
    const file = rule === true ? {} : rule;
    return [{ ...file, isVoid: isVoid(file.filter, asker) || isVoid(file.check, asker), owned }];
  });
}

const toField = (column: string): string => column.replace(/^(?:note|tag|profile)_(?!id$)/, '');
/** Whether a list of columns names one. */
export function names(list: readonly string[] | undefined, column: string): boolean {
  if (list === undefined) return true;
  const forms = [column, toField(column)];
  const isIn =
    list.some((name) => name === '*' || forms.includes(name)) ||
    (list.length > 0 && list.every((name) => name.startsWith('-')));
  return isIn && !list.some((name) => name.startsWith('-') && forms.includes(name.slice(1)));
}

const isId = (column: string): boolean => /_id$/.test(column);
export const met = (rules: readonly Rule[]): Rule[] => rules.filter((rule) => !rule.isVoid);

/** The rows of a rule in which it shows a column: all of them, those of the asker, or none. */
function shows(rule: Rule, column: string): 'all' | 'own' | 'none' {
  if (!names(rule.read, column)) return 'none';
  const isNamed = rule.read?.some((name) => name === column || name === toField(column)) === true;
  if (!PRIVATE.includes(column) || rule.isWhole === true || isNamed || rule.owned === 'all') return 'all';
  return rule.owned === 'some' ? 'own' : 'none';
}

/** What of a column somebody sees in any row: `all` rows show it, `some` do, `none`. */
export function sees(rules: readonly Rule[], column: string): 'all' | 'some' | 'none' {
  const known = met(rules).length === 0 ? rules : met(rules);
  if (isId(column)) return 'all';
  const reading = known.filter((rule) => shows(rule, column) !== 'none');
  if (reading.length === 0) return 'none';
  const whole = reading.filter((rule) => shows(rule, column) === 'all');
  const isAlways = whole.some((rule) => Object.keys(rule.filter ?? {}).length === 0) || whole.length === known.length;
  return isAlways ? 'all' : 'some';
}

export const isVisible = (rules: readonly Rule[], row: Row, asker: Asker): boolean =>
  met(rules).some((rule) => matches(rule.filter, row, asker));

/** Whether a row shows a column. */
export function showsIn(rules: readonly Rule[], row: Row, asker: Asker, column: string): boolean {
  if (isId(column)) return true;
  const isOwn = row.profile_id === asker.me.profile_id;
  return met(rules).some((rule) => {
    const where = shows(rule, column);
    return (where === 'all' || (where === 'own' && isOwn)) && matches(rule.filter, row, asker);
  });
}

/** A stored row as the rules show it: without the columns that it hides. */
export const show = (rules: readonly Rule[], row: Row, asker: Asker): Row =>
  Object.fromEntries(Object.entries(row).filter(([column]) => showsIn(rules, row, asker, column)));

export const FIELD_COLUMNS = (schema: string): string[] => (FIELDS[schema] ?? []).map((name) => `${schema}_${name}`);
