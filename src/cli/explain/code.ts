import { type ErrorEntry, readErrorCatalog } from '../../core/error-catalog.ts';
import { suggest } from '../../core/text/suggest.ts';
import { CODES_PAGE, createUsageError } from '../failure.ts';
import type { Outcome } from '../spec.ts';

/** Whether a word is a code, such as `ROW_MISSING`: a method of HTTP has no underscore. */
export const isCode = (word: string): boolean => /^[a-z]+(?:_[a-z0-9]+)+$/i.test(word);

/** A text without the marks of code. */
const toPlain = (text: string): string => text.replaceAll('`', '');

function toLines({ code, status, meaning, remedy }: ErrorEntry, docs: string): string[] {
  return [
    status === undefined ? code : `${code} (HTTP ${status})`,
    toPlain(meaning),
    ...(remedy === undefined ? [] : [`What to do: ${toPlain(remedy)}`]),
    `Docs: ${docs}`,
  ];
}

/**
 * What an error code means, and what to do. A code that callers of HTTP meet has a page among the developer docs of a site.
 * @throws CLI_USAGE with a "did you mean" for a code that Treadle does not have.
 */
export function explainCode(word: string): Outcome {
  const codes = readErrorCatalog();
  const wanted = word.toUpperCase();
  const entry = codes.get(wanted);
  if (entry === undefined) {
    const near = suggest(wanted, codes.keys());
    const none = `${CODES_PAGE} lists all. A code of your own is explained by your code.`;
    const hint = near === undefined ? none : `Did you mean "${near}"?`;
    throw createUsageError(`Treadle has no error code ${wanted}.`, hint);
  }
  const { code, status = null, meaning, remedy = null } = entry;
  const docs = status === null ? CODES_PAGE : `/developer/docs/errors/${code}`;
  return { data: { code, status, meaning, remedy, docs }, lines: toLines(entry, docs) };
}
