import { toDidYouMean } from '../core/suggest.ts';
import { type ActiveWanted, type Draft, toPlain } from './draft.ts';
import { toJsonOperand, toOperand, toRawList } from './operand.ts';
import { OPERATOR_NAMES, type OperatorName } from './operator.ts';
import { describePlace, findPlace, type Place } from './place.ts';

type Input = Readonly<Record<string, unknown>>;

const MAX_CONDITIONS = 30;
const LINK_OPERATORS: ReadonlySet<string> = new Set(['eq', 'in']);
const ACTIVE: Readonly<Record<string, ActiveWanted>> = {
  any: 'any',
  '-1': 'any',
  '0': 'removed',
  false: 'removed',
  '1': 'only',
  true: 'only',
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One comparison as it was asked for. */
interface Asked {
  /** The parameter as the request wrote it, for messages. */
  readonly parameter: string;
  readonly name: string;
  readonly operator: string;
  readonly raw: unknown;
}

function addCondition(asked: Asked, draft: Draft): void {
  const { parameter, name, operator } = asked;
  const place = findPlace(name, draft);
  if (!place) {
    if (draft.isDescribing()) draft.faults[parameter] = describePlace(name, draft);
    return;
  }
  if (draft.conditions.length >= MAX_CONDITIONS) {
    draft.faults.filter = `"filter" takes at most ${MAX_CONDITIONS} conditions.`;
    return;
  }
  if (!OPERATOR_NAMES.includes(operator)) {
    if (!draft.isDescribing()) return;
    draft.faults[parameter] =
      `"${operator.slice(0, 64)}" is not an operator. ${toDidYouMean(operator, OPERATOR_NAMES)}`;
    return;
  }
  if (place.isLink && !LINK_OPERATORS.has(operator)) {
    draft.faults[parameter] = `"${name}" is a relation: only eq and in can be asked of it.`;
    return;
  }
  if (operator === 'between') addRange(asked, draft);
  else addOne(place, operator as OperatorName, asked, draft);
}

/** Reads the value and keeps the condition; tells why it cannot be. */
function findFault(place: Place, operator: OperatorName, { name, raw }: Asked, draft: Draft): string | undefined {
  const { column, within, path } = place;
  const base = within === undefined ? { column } : { column, within };
  if (column === undefined) {
    if (operator !== 'null') return `is a relation: name a column after a dot, or ask filter[${name}][null]`;
    const flag = toOperand(raw, { type: 'flag' }, operator);
    if ('fault' in flag) return flag.fault;
    draft.add({ ...base, operator, isOn: flag.value === 1 }, undefined);
    return undefined;
  }
  if (column.type === 'json') {
    const hasPath = path !== undefined;
    const operand = toJsonOperand(raw, operator, hasPath);
    if ('fault' in operand) return operand.fault;
    // A list is asked for an item.
    const meant = !hasPath && operator === 'eq' ? 'has' : operator;
    const isOn = operator === 'null' ? { isOn: operand.text === 1 } : {};
    draft.add({ ...base, operator: meant, hasPath, ...isOn }, path ?? '$', operand.text, operand.number);
    return undefined;
  }
  const operand = toOperand(raw, column, operator);
  if ('fault' in operand) return operand.fault;
  const isOn = operator === 'null' ? { isOn: operand.value === 1 } : {};
  draft.add({ ...base, operator: operand.operator ?? operator, ...isOn }, operand.value);
  return undefined;
}

function addOne(place: Place, operator: OperatorName, asked: Asked, draft: Draft): void {
  const fault = findFault(place, operator, asked, draft);
  if (fault !== undefined) draft.faults[asked.parameter] = `"${asked.parameter}" ${fault}.`;
}

/** Either end may be left open. */
function addRange({ parameter, name, raw }: Asked, draft: Draft): void {
  const [least, most, ...more] = toRawList(raw);
  const isOpen = (end: unknown): boolean => end === undefined || end === null || end === '';
  if (more.length > 0 || (isOpen(least) && isOpen(most))) {
    draft.faults[parameter] = `"${parameter}" takes two ends such as 1,9; one may be left out.`;
    return;
  }
  if (!isOpen(least)) addCondition({ parameter, name, operator: 'gte', raw: least }, draft);
  if (!isOpen(most)) addCondition({ parameter, name, operator: 'lte', raw: most }, draft);
}

/** Keys within a record that may follow one another: `filter[meta][size][width]`. */
const MOST_NESTED = 8;

function addFilter(name: string, wanted: unknown, draft: Draft, parameter = `filter[${name}]`, depth = 0): void {
  if (wanted === undefined) return;
  if (wanted === null) addCondition({ parameter, name, operator: 'null', raw: '1' }, draft);
  else if (Array.isArray(wanted)) addCondition({ parameter, name, operator: 'in', raw: wanted }, draft);
  else if (!isRecord(wanted)) addCondition({ parameter, name, operator: 'eq', raw: wanted }, draft);
  else {
    for (const key of Object.keys(wanted)) {
      const inner = `${parameter}[${key}]`;
      const isOperator = OPERATOR_NAMES.includes(key) || !isOpen(name, draft) || depth >= MOST_NESTED;
      if (isOperator) addCondition({ parameter: inner, name, operator: key, raw: wanted[key] }, draft);
      else addFilter(`${name}.${key}`, wanted[key], draft, inner, depth + 1);
    }
  }
}

/** Whether a key may follow a name: it is a JSON column's, or a relation's. */
function isOpen(name: string, draft: Draft): boolean {
  const place = findPlace(name, draft);
  return place !== undefined && (place.column === undefined || place.column.type === 'json');
}

/** What the `active` column is asked for; rows that were not removed, where it is not. */
function toActive(wanted: unknown, name: string, draft: Draft): ActiveWanted {
  const plain = isRecord(wanted) && Object.keys(wanted).join() === 'eq' ? wanted.eq : wanted;
  const found = Object.hasOwn(ACTIVE, toPlain(plain)) ? ACTIVE[toPlain(plain)] : undefined;
  if (!found) draft.faults[`filter[${name}]`] = `"filter[${name}]" takes 1, 0 or any.`;
  return found ?? 'only';
}

const OLDER: readonly (readonly [string, OperatorName | 'between'])[] = [
  ['like', 'contains'],
  ['in', 'in'],
  ['span', 'between'],
];

/** The older system's `like`, `in`, `span`, `null` and `notnull`. */
function parseOlder(input: Input, draft: Draft): void {
  for (const [parameter, operator] of OLDER) {
    const given = input[parameter];
    if (!isRecord(given)) continue;
    for (const name of Object.keys(given)) {
      addCondition({ parameter: `${parameter}[${name}]`, name, operator, raw: given[name] }, draft);
    }
  }
  for (const parameter of ['null', 'notnull']) {
    const given = input[parameter];
    if (typeof given !== 'string' && !Array.isArray(given)) continue;
    for (const name of toRawList(given)) {
      addCondition({ parameter, name: toPlain(name), operator: 'null', raw: parameter === 'null' ? 1 : 0 }, draft);
    }
  }
}

/** Adds a search's conditions to the draft; tells whether removed rows are among those wanted. */
export function parseFilters(input: Input, draft: Draft): ActiveWanted {
  const { filter } = input;
  const activeName = draft.source.active?.name;
  let active: ActiveWanted = activeName === undefined ? 'any' : 'only';
  if (isRecord(filter)) {
    for (const name of Object.keys(filter)) {
      if (name === activeName) active = toActive(filter[name], name, draft);
      else addFilter(name, filter[name], draft);
    }
  } else if (filter !== undefined && filter !== null && filter !== '') {
    draft.faults.filter = '"filter" takes columns: filter[column]=value.';
  }
  parseOlder(input, draft);
  return active;
}
