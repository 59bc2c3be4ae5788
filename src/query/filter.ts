import { toDidYouMean } from '../core/suggest.ts';
import { type ActiveWanted, type Draft, describeColumn } from './draft.ts';
import { toOperand, toRawList } from './operand.ts';
import { OPERATOR_NAMES, type OperatorName } from './operator.ts';
import type { SourceColumn, SourceLink } from './source.ts';

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

interface Place {
  /** The parameter as the request wrote it, for messages. */
  readonly parameter: string;
  readonly column: string;
}

function findColumn({ parameter, column: name }: Place, draft: Draft): SourceColumn | SourceLink | undefined {
  const { source } = draft;
  const found = source.filterable.get(name) ?? source.links.get(name);
  if (found) return found;
  if (!draft.isDescribing()) return undefined;
  const usable = new Map<string, unknown>([...source.filterable, ...source.links]);
  draft.faults[parameter] = describeColumn(name, source, usable, 'filterable');
  return undefined;
}

function addCondition(place: Place, operator: string, raw: unknown, draft: Draft): void {
  const column = findColumn(place, draft);
  if (!column) return;
  if (draft.conditions.length >= MAX_CONDITIONS) {
    draft.faults.filter = `"filter" takes at most ${MAX_CONDITIONS} conditions.`;
    return;
  }
  const { parameter } = place;
  if (!OPERATOR_NAMES.includes(operator)) {
    if (!draft.isDescribing()) return;
    draft.faults[parameter] =
      `"${operator.slice(0, 64)}" is not an operator. ${toDidYouMean(operator, OPERATOR_NAMES)}`;
    return;
  }
  const isLink = 'own' in column;
  if (isLink && !LINK_OPERATORS.has(operator)) {
    draft.faults[parameter] = `"${place.column}" is a relation: only eq and in can be asked of it.`;
    return;
  }
  if (operator === 'between') addRange(place, raw, draft);
  else addOne({ place, column, operator: operator as OperatorName, raw }, draft);
}

interface One {
  readonly place: Place;
  readonly column: SourceColumn | SourceLink;
  readonly operator: OperatorName;
  readonly raw: unknown;
}

function addOne({ place, column, operator, raw }: One, draft: Draft): void {
  const operand = toOperand(raw, 'own' in column ? { type: 'integer' } : column, operator);
  if ('fault' in operand) draft.faults[place.parameter] = `"${place.parameter}" ${operand.fault}.`;
  else draft.add(column, operator, operand.value);
}

/** Either end may be left open. */
function addRange(place: Place, raw: unknown, draft: Draft): void {
  const [least, most, ...more] = toRawList(raw);
  const isOpen = (end: unknown): boolean => end === undefined || end === null || end === '';
  if (more.length > 0 || (isOpen(least) && isOpen(most))) {
    draft.faults[place.parameter] = `"${place.parameter}" takes two ends such as 1,9; one may be left out.`;
    return;
  }
  if (!isOpen(least)) addCondition(place, 'gte', least, draft);
  if (!isOpen(most)) addCondition(place, 'lte', most, draft);
}

function addFilter(name: string, wanted: unknown, draft: Draft): void {
  const parameter = `filter[${name}]`;
  if (wanted === undefined) return;
  if (wanted === null) addCondition({ parameter, column: name }, 'null', '1', draft);
  else if (Array.isArray(wanted)) addCondition({ parameter, column: name }, 'in', wanted, draft);
  else if (isRecord(wanted)) {
    for (const operator of Object.keys(wanted)) {
      addCondition({ parameter: `${parameter}[${operator}]`, column: name }, operator, wanted[operator], draft);
    }
  } else addCondition({ parameter, column: name }, 'eq', wanted, draft);
}

/** What the `active` column is asked for; rows that were not removed, where it is not. */
function toActive(wanted: unknown, name: string, draft: Draft): ActiveWanted {
  const plain = isRecord(wanted) && Object.keys(wanted).join() === 'eq' ? wanted.eq : wanted;
  const found = Object.hasOwn(ACTIVE, String(plain)) ? ACTIVE[String(plain)] : undefined;
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
  for (const [name, operator] of OLDER) {
    const given = input[name];
    if (!isRecord(given)) continue;
    for (const column of Object.keys(given)) {
      const isIn = operator === 'in' && draft.source.filterable.get(column)?.type === 'json';
      addCondition({ parameter: `${name}[${column}]`, column }, isIn ? 'has' : operator, given[column], draft);
    }
  }
  for (const name of ['null', 'notnull']) {
    const given = input[name];
    if (typeof given !== 'string' && !Array.isArray(given)) continue;
    for (const column of toRawList(given)) {
      addCondition({ parameter: name, column: String(column) }, 'null', name === 'null' ? 1 : 0, draft);
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
