import type * as z from 'zod';
import { noteRule, type RuleNote } from '../../core/text/rule-note.ts';
import { translate } from '../../core/text/translate.ts';

type Issue = z.core.$ZodRawIssue;

const TYPES: Readonly<Record<string, string>> = {
  string: 'must be text',
  number: 'must be a number',
  int: 'must be a whole number',
  bigint: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
  null: 'must be empty',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'must be an e-mail address such as ann@example.org',
  url: 'must be a web address such as https://example.org/page',
  date: 'must be a date such as 2026-01-31',
  time: 'must be a time such as 09:30:00',
  datetime: 'must be a date and time such as 2026-01-31 09:30:00',
  regex: 'does not have the right form',
};

/** What is counted of a value: nothing of a number. */
const NOUNS: Readonly<Record<string, string>> = { string: ' characters', array: ' entries', set: ' entries' };

/** `must have at least 10 characters`, `must be more than 0`. */
function toBound(issue: Issue & { readonly code: 'too_small' | 'too_big' }): string {
  const { origin, inclusive } = issue;
  const isLeast = issue.code === 'too_small';
  const [bound, words] = isLeast
    ? [issue.minimum, inclusive === false ? 'more than' : 'at least']
    : [issue.maximum, inclusive === false ? 'less than' : 'at most'];
  const noun = NOUNS[origin];
  if (noun !== undefined && isLeast && inclusive !== false && bound === 1) return 'cannot be empty';
  return noun === undefined ? `must be ${words} ${bound}` : `must have ${words} ${bound}${noun}`;
}

/**
 * What is wrong with a value of a hand-written call's body, in the words that fields of schemas have. Undefined where the library's
 * own text is best. A text that the shape itself gives comes first.
 */
export function toShapeWords(issue: Issue): string | undefined {
  const words = toWords(issue);
  return words === undefined ? undefined : noteRule(words, toNote(issue));
}

/** Entries of a list have the one rule for too many or too few. */
function toBoundNote({ origin }: { readonly origin: string }, name: string, params: RuleNote['params']): RuleNote {
  if (NOUNS[origin] === ' entries') return { rule: 'limit', params };
  return { rule: NOUNS[origin] === undefined ? name : `char_${name}`, params };
}

/** The rule of the shape, by the name that a rule of fields has. */
function toNote(issue: Issue): RuleNote {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? { rule: 'required' } : { rule: 'type', params: { type: issue.expected } };
    case 'too_small':
      return toBoundNote(issue, issue.inclusive === false ? 'gt' : 'gte', { min: Number(issue.minimum) });
    case 'too_big':
      return toBoundNote(issue, issue.inclusive === false ? 'lt' : 'lte', { max: Number(issue.maximum) });
    case 'invalid_value':
      return issue.input === undefined ? { rule: 'required' } : { rule: 'one', params: { values: issue.values } };
    case 'unrecognized_keys':
      return { rule: 'unknown', params: { keys: issue.keys } };
    default:
      return { rule: 'shape' };
  }
}

function toWords(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : TYPES[issue.expected];
    case 'too_small':
    case 'too_big':
      return toBound(issue);
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'does not have the right form';
    case 'invalid_value':
      return issue.input === undefined
        ? 'is required'
        : translate('must be one of {list}', { list: issue.values.join(', ') });
    case 'not_multiple_of':
      return translate('must be a multiple of {number}', { number: issue.divisor });
    case 'unrecognized_keys':
      return translate('has unknown keys: {list}', { list: issue.keys.join(', ') });
    default:
      return 'is not valid';
  }
}
