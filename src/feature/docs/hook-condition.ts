import { toLocalText, translate } from '../../core/text/translate.ts';
import { ORIGINAL } from '../../model/hook-event.ts';
import { isBlank, isRecord } from '../../model/json/json-value.ts';
import type { HookModel } from '../../model/model.ts';

/** A condition on a hook's data, in words: `article_words` "is at least" `100`. */
export interface Condition {
  readonly name: string;
  readonly phrase: string;
  /** As JSON. */
  readonly values: readonly string[];
  /** The word between two values. */
  readonly joint: string;
}

const WORDS: Readonly<Record<string, string>> = {
  ...{ eq: 'is', ne: 'is not', lt: 'is less than', lte: 'is at most', gt: 'is more than', gte: 'is at least' },
  ...{ contains: 'contains', starts: 'starts with', ends: 'ends with', has: 'has' },
};

type HookParameters = Readonly<Record<string, unknown>>;

/** Parses a list as a search does: also a text with commas. */
const toList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [value];

const toCondition = (name: string, phrase: string, values: readonly unknown[], joint = ','): Condition => ({
  name,
  phrase: toLocalText(phrase),
  values: values.map((value) => JSON.stringify(value)),
  joint,
});

function toBetween(name: string, value: unknown): Condition {
  const [least, most] = toList(value);
  if (isBlank(most)) return toCondition(name, 'is at least', [least]);
  if (isBlank(least)) return toCondition(name, 'is at most', [most]);
  return toCondition(name, 'is between', [least, most], ` ${translate('and')}`);
}

/** An operator in words; an unknown one stays as written. */
function describeCondition(name: string, operator: string, value: unknown): Condition {
  if (operator === 'null') return toCondition(name, Number(value) === 1 ? 'is' : 'is not', [null]);
  if (operator === 'between') return toBetween(name, value);
  if (operator === 'in') return toCondition(name, 'is one of', toList(value));
  if (operator === 'nin') return toCondition(name, 'is none of', toList(value));
  return toCondition(name, WORDS[operator] ?? operator, [value]);
}

/** The conditions of a hook's filter; all must match. */
export function listConditions({ definition }: HookModel): Condition[] {
  const list = (filter: HookParameters, before = ''): Condition[] =>
    Object.entries(filter).flatMap(([key, wanted]) => {
      if (key === ORIGINAL && before === '' && isRecord(wanted)) return list(wanted, `${ORIGINAL}.`);
      const name = before + key;
      if (Array.isArray(wanted)) return [describeCondition(name, 'in', wanted)];
      if (!isRecord(wanted)) return [describeCondition(name, 'eq', wanted)];
      return Object.entries(wanted).map(([operator, value]) => describeCondition(name, operator, value));
    });
  return list(definition.filter ?? {});
}
