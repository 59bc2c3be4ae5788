import { MAX_DEPTH, MAX_KEYS, MAX_VALUES, measureJson } from '../model/json/json-value.ts';

/** Levels of a row: a column's value may have {@link MAX_DEPTH}. */
const ROW_DEPTH = MAX_DEPTH + 1;

/** Why a row of a file that somebody sent is not parsed: it would hold the server. Undefined if it is as small as a body. */
export function findSizeError(text: string): string | undefined {
  const { depth, keys, commas } = measureJson(text);
  if (keys > MAX_KEYS || commas >= MAX_VALUES)
    return `The row has more than ${MAX_KEYS} keys, or more than ${MAX_VALUES} keys and items.`;
  return depth > ROW_DEPTH ? `The row is nested more than ${ROW_DEPTH} levels deep.` : undefined;
}
