import { createUsageError } from '../failure.ts';

/** Whether a flag's text is JSON: an object, or a list. */
export const isJsonText = (text: string): boolean => /^\s*[[{]/.test(text);

/** JSON in a flag's text. @throws CLI_USAGE */
export function parseFlagJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw createUsageError(`${text} is not JSON.`, 'A value that starts with "{" or "[" is read as JSON.');
  }
}
