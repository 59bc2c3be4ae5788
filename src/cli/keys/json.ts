import { describeRounded, findRoundedNumber } from '../../model/field/exact-number.ts';
import { createUsageError } from '../failure.ts';

/** Whether a flag's text is JSON: an object, or a list. */
export const isJsonText = (text: string): boolean => /^\s*[[{]/.test(text);

/** @throws CLI_USAGE for a number that `JSON.parse` would change. */
export function refuseRounded(text: string): void {
  const rounded = findRoundedNumber(text);
  if (rounded !== undefined) throw createUsageError(`In the JSON, ${describeRounded(rounded)}.`);
}

/** JSON in a flag's text. @throws CLI_USAGE */
export function parseFlagJson(text: string): unknown {
  refuseRounded(text);
  try {
    return JSON.parse(text);
  } catch {
    throw createUsageError(`${text} is not JSON.`, 'A value that starts with "{" or "[" is read as JSON.');
  }
}
