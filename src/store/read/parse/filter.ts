import type { RowFilter } from '../../../core/access.ts';
import { toDidYouMean } from '../../../core/text/suggest.ts';
import { findOptionError, listNames, toJsonOperand, toOperand, toRawList } from '../../../model/filter/operand.ts';
import { isOperatorName, isTreeOperator, OPERATOR_NAMES, type OperatorName } from '../../../model/filter/operator.ts';
import { toPlain } from '../../../model/filter/plain.ts';
import { isRecord } from '../../../model/json/json-value.ts';
import type { Source } from '../source/source.ts';
import { type ActiveOption, Draft, type ErrorsByParameter } from './draft.ts';
import { describePlace, type FilterTarget, findHidden, findPlace } from './filter-target.ts';

type Input = Readonly<Record<string, unknown>>;

const MAX_CONDITIONS = 30;
const LINK_OPERATORS: ReadonlySet<string> = new Set(['eq', 'in']);
const ACTIVE: Readonly<Record<string, ActiveOption>> = {
  any: 'any',
  '-1': 'any',
  '0': 'removed',
  false: 'removed',
  '1': 'only',
  true: 'only',
};

/** One requested comparison. */
interface RequestedComparison {
  /** The parameter as the request wrote it, for messages. */
  readonly parameter: string;
  /** Path of the value in the input. */
  readonly path: [string, ...string[]];
  readonly name: string;
  readonly operator: string;
  readonly raw: unknown;
}

/** True if the condition on `active` keeps only active rows. */
const comparesActive = (operator: string, raw: unknown): boolean =>
  operator === 'eq' && (raw === true || toPlain(raw) === '1' || toPlain(raw) === 'true');

/**
 * True for a parameter that a request sends without a value: many tools send every parameter they know. An empty list of `in` or
 * `nin` is a value, so that a client with nothing to look for does not get every row.
 */
const isLeftEmpty = ({ raw, operator, path }: RequestedComparison, draft: Draft): boolean =>
  raw === '' && operator !== 'in' && operator !== 'nin' && draft.isFromClient(...path);

function addCondition(comparison: RequestedComparison, draft: Draft): void {
  const { parameter, path, name, operator, raw } = comparison;
  const place = findPlace(name, draft) ?? (draft.isFromClient(...path) ? undefined : findHidden(name, draft));
  const isHidden = place?.within?.isBack === true && draft.isFromClient(...path);
  if (!place || isHidden) {
    if (draft.isDescribing())
      draft.errors[parameter] = describePlace(name, draft, isHidden || draft.isFromClient(...path));
    return;
  }
  if (place.column?.isActive && !comparesActive(operator, raw) && draft.refusesRemoved(parameter, path)) return;
  if (draft.countConditions() >= MAX_CONDITIONS) {
    draft.errors.filter = `"filter" takes at most ${MAX_CONDITIONS} conditions.`;
    return;
  }
  if (isTreeOperator(operator) && place.column?.tree === undefined) {
    if (draft.isDescribing()) draft.errors[parameter] = describeTrees(operator, name, draft.source);
    return;
  }
  if (!OPERATOR_NAMES.includes(operator) && !isTreeOperator(operator)) {
    if (!draft.isDescribing()) return;
    draft.errors[parameter] =
      `"${operator.slice(0, 64)}" is not an operator. ${toDidYouMean(operator, OPERATOR_NAMES)}`;
    return;
  }
  if (place.isLink && !LINK_OPERATORS.has(operator)) {
    draft.errors[parameter] = `"${name}" is a relation: use eq or in.`;
    return;
  }
  if (isLeftEmpty(comparison, draft)) return;
  if (operator === 'between') addRange(comparison, draft);
  else if (isOperatorName(operator)) addOne(place, operator, comparison, draft);
}

/** Parses the value and adds the condition, or gives the error. */
function findComparisonError(
  place: FilterTarget,
  operator: OperatorName,
  { name, raw, path: at }: RequestedComparison,
  draft: Draft,
): string | undefined {
  const { column, within, path } = place;
  if (column?.options && path === undefined && (draft.isStrict || draft.isFromClient(...at))) {
    const error = findOptionError(column, operator, raw);
    if (error !== undefined) return error;
  }
  const base = within === undefined ? { column } : { column, within };
  if (column === undefined) {
    if (operator !== 'null') return `is a relation: add a column after a dot, or use filter[${name}][null]`;
    const flag = toOperand(raw, { type: 'flag' }, operator);
    if ('error' in flag) return flag.error;
    draft.add({ ...base, operator, isOn: flag.value === 1 }, undefined);
    return undefined;
  }
  if (column.type === 'json') {
    const hasPath = path !== undefined;
    const operand = toJsonOperand(raw, operator, hasPath);
    if ('error' in operand) return operand.error;
    // Comparing a list means comparing its items.
    const meant = !hasPath && operator === 'eq' ? 'has' : operator;
    const isOn = operator === 'null' ? { isOn: operand.text === 1 } : {};
    draft.add({ ...base, operator: meant, hasPath, ...isOn }, path ?? '$', operand.text, operand.number);
    return undefined;
  }
  const operand = toOperand(raw, column, operator);
  if ('error' in operand) return operand.error;
  const isOn = operator === 'null' ? { isOn: operand.value === 1 } : {};
  draft.add({ ...base, operator: operand.operator ?? operator, ...isOn }, operand.value);
  return undefined;
}

/** Why a name cannot be walked from. */
function describeTrees(operator: string, name: string, { schema }: Source): string {
  const keys = schema.trees.map(({ column }) => column);
  const remedy =
    keys.length === 0
      ? `${schema.name} has none: its definition needs a relation to itself with "tree": true.`
      : `${schema.name} has ${keys.join(', ')}.`;
  return `"${operator}" is for the key of a tree, and "${name.slice(0, 64)}" is none. ${remedy}`;
}

function addOne(place: FilterTarget, operator: OperatorName, comparison: RequestedComparison, draft: Draft): void {
  const error = findComparisonError(place, operator, comparison, draft);
  if (error !== undefined)
    draft.errors[comparison.parameter] = `"${comparison.parameter}" ${error}${/[.?]$/.test(error) ? '' : '.'}`;
}

/** Either end may be missing. */
function addRange(comparison: RequestedComparison, draft: Draft): void {
  const { parameter, raw } = comparison;
  const ends = toRawList(raw);
  const [least, most] = ends;
  const isOpen = (end: unknown): boolean => end === undefined || end === null || end === '';
  if (ends.length !== 2 || (isOpen(least) && isOpen(most))) {
    draft.errors[parameter] = `"${parameter}" must be two values such as 1,9; one may be empty, as in 1, or ,9.`;
    return;
  }
  if (!isOpen(least)) addCondition({ ...comparison, operator: 'gte', raw: least }, draft);
  if (!isOpen(most)) addCondition({ ...comparison, operator: 'lte', raw: most }, draft);
}

/** Maximum nested keys: `filter[meta][size][width]`. */
const MOST_NESTED = 8;

type Filter = Pick<RequestedComparison, 'parameter' | 'path' | 'name'>;

function addFilter(filter: Filter, wanted: unknown, draft: Draft): void {
  const { parameter, path, name } = filter;
  if (wanted === undefined) return;
  if (wanted === null) addCondition({ ...filter, operator: 'null', raw: '1' }, draft);
  else if (Array.isArray(wanted)) addCondition({ ...filter, operator: 'in', raw: wanted }, draft);
  else if (!isRecord(wanted)) addCondition({ ...filter, operator: 'eq', raw: wanted }, draft);
  else {
    for (const key of Object.keys(wanted)) {
      const inner: Filter = { parameter: `${parameter}[${key}]`, path: [...path, key], name };
      const isOperator =
        OPERATOR_NAMES.includes(key) || isTreeOperator(key) || !isOpen(name, draft) || path.length > MOST_NESTED;
      if (isOperator) addCondition({ ...inner, operator: key, raw: wanted[key] }, draft);
      else addFilter({ ...inner, name: `${name}.${key}` }, wanted[key], draft);
    }
  }
}

/** True if a key may follow the name: it is a JSON column or a relation. */
function isOpen(name: string, draft: Draft): boolean {
  const place = findPlace(name, draft) ?? findHidden(name, draft);
  return place !== undefined && (place.column === undefined || place.column.type === 'json');
}

/** True if the search may ask by a column of the table itself. */
const isAskable = (name: string, path: RequestedComparison['path'], draft: Draft): boolean =>
  draft.source.filterable.has(name) || !draft.isFromClient(...path);

/** The key of alternatives in a filter: `filter[or][0][price][lt]=5`. */
const OR = 'or';
const MOST_ALTERNATIVES = 10;
/** The number of an alternative, as a name has it. */
const NUMBER = /^\d{1,6}$/;

/** True if a filter's key stands for alternatives. A relation of that name comes first, and rules have no alternatives. */
const isOr = (name: string, draft: Draft): boolean =>
  name === OR && !draft.isRule && findPlace(name, draft) === undefined && findHidden(name, draft) === undefined;

/** The alternatives by their number; undefined if they are not numbered. */
function listAlternatives(wanted: unknown): [string, unknown][] | undefined {
  if (Array.isArray(wanted)) return wanted.map((item, index) => [String(index), item]);
  if (!isRecord(wanted)) return undefined;
  const entries = Object.entries(wanted);
  return entries.every(([key]) => NUMBER.test(key)) ? entries : undefined;
}

/** Adds the conditions of one alternative, all of which must hold. */
function addAlternative(number: string, wanted: unknown, draft: Draft): void {
  const parameter = `filter[${OR}][${number}]`;
  const fail = (name: string, message: string): void => {
    draft.errors[`${parameter}${name === '' ? '' : `[${name}]`}`] = message;
  };
  const before = Object.keys(draft.errors).length;
  const conditions = draft.beginAlternative();
  for (const [name, value] of isRecord(wanted) ? Object.entries(wanted) : []) {
    if (isOr(name, draft))
      fail(name, '"filter[or]" stands once, beside the columns: an alternative has none of its own.');
    else if (name === draft.source.active?.name && isAskable(name, ['filter', OR, number, name], draft)) {
      const remedy = `It holds for the whole search: write filter[${name}] beside it.`;
      fail(name, `"${name}" cannot stand within "filter[or]". ${remedy}`);
    } else addFilter({ parameter: `${parameter}[${name}]`, path: ['filter', OR, number, name], name }, value, draft);
  }
  // One without a condition would find every row.
  if (conditions.length === 0 && Object.keys(draft.errors).length === before)
    fail('', `"${parameter}" has no condition: write ${parameter}[column]=value.`);
}

/** Adds alternatives: a row must meet all conditions of one of them. */
function addAlternatives(wanted: unknown, draft: Draft): void {
  if (wanted === undefined) return;
  const all = listAlternatives(wanted);
  if (all === undefined || all.length === 0) {
    draft.errors['filter[or]'] = '"filter[or]" takes numbered alternatives: filter[or][0][column]=value.';
  } else if (all.length > MOST_ALTERNATIVES) {
    draft.errors['filter[or]'] = `"filter[or]" takes at most ${MOST_ALTERNATIVES} alternatives.`;
  } else {
    draft.beginAlternatives();
    for (const [number, conditions] of all) addAlternative(number, conditions, draft);
    draft.endAlternatives();
  }
}

/** Which rows the condition on `active` asks for. Default: active rows only. */
function readActive(wanted: unknown, name: string, draft: Draft): ActiveOption {
  const plain = isRecord(wanted) && Object.keys(wanted).join() === 'eq' ? wanted.eq : wanted;
  const found = Object.hasOwn(ACTIVE, toPlain(plain)) ? ACTIVE[toPlain(plain)] : undefined;
  const parameter = `filter[${name}]`;
  const path: RequestedComparison['path'] = plain === wanted ? ['filter', name] : ['filter', name, 'eq'];
  if (found !== 'only' && draft.refusesRemoved(parameter, path)) return 'only';
  if (!found) draft.errors[parameter] = `"${parameter}" must be 1, 0 or any.`;
  return found ?? 'only';
}

const OLDER: readonly (readonly [string, OperatorName | 'between'])[] = [
  ['like', 'contains'],
  ['in', 'in'],
  ['span', 'between'],
];

/** `like`, `in`, `span`, `null` and `notnull` of the older system. */
function parseOlder(input: Input, draft: Draft): void {
  for (const [parameter, operator] of OLDER) {
    const given = input[parameter];
    if (!isRecord(given)) continue;
    for (const name of Object.keys(given)) {
      const path: RequestedComparison['path'] = [parameter, name];
      addCondition({ parameter: `${parameter}[${name}]`, path, name, operator, raw: given[name] }, draft);
    }
  }
  for (const parameter of ['null', 'notnull']) {
    const given = input[parameter];
    if (typeof given !== 'string' && !Array.isArray(given)) continue;
    for (const name of listNames(given)) {
      const raw = parameter === 'null' ? 1 : 0;
      addCondition({ parameter, path: [parameter], name, operator: 'null', raw }, draft);
    }
  }
}

/** Adds the search's conditions to the draft. Gives which rows (active, removed, both) it asks for. */
export function parseFilters(input: Input, draft: Draft): ActiveOption {
  const { filter } = input;
  const activeName = draft.isRule ? undefined : draft.source.active?.name;
  let active: ActiveOption = activeName === undefined ? 'any' : 'only';
  if (isRecord(filter)) {
    for (const name of Object.keys(filter)) {
      const isEmpty = filter[name] === '' && draft.isFromClient('filter', name);
      if (name === activeName && isAskable(name, ['filter', name], draft))
        active = isEmpty ? active : readActive(filter[name], name, draft);
      else if (isOr(name, draft)) addAlternatives(isEmpty ? undefined : filter[name], draft);
      else addFilter({ parameter: `filter[${name}]`, path: ['filter', name], name }, filter[name], draft);
    }
  } else if (filter !== undefined && filter !== null && filter !== '') {
    draft.errors.filter = '"filter" must name columns: filter[column]=value.';
  }
  parseOlder(input, draft);
  return active;
}

/** Options in a valid filter of a rule that their columns do not have: the rule then matches no row. One sentence or two each. */
export function findOptionErrors(source: Source, filter: RowFilter): readonly string[] {
  const errors: ErrorsByParameter = {};
  parseFilters({ filter }, new Draft(source, errors, { dialect: 'sqlite', isRule: true, isStrict: true }));
  return Object.values(errors).filter((error) => error.includes('has no option'));
}
