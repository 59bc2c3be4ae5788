import { compileNamePattern, isNamePattern } from '../core/pattern.ts';

/** Events whose results are one row of the schema in their stage. */
const ROW_EVENTS: readonly string[] = ['create', 'remove', 'restore', 'update'].map(
  (action) => `system-model-${action}`,
);

/** Whether a hook's data are a row of the schema that its `parameters` name: then its columns are known. */
export function hasRow(event: string): boolean {
  if (!isNamePattern(event)) return ROW_EVENTS.includes(event);
  const pattern = compileNamePattern(event);
  return ROW_EVENTS.some((name) => pattern.test(name));
}

/** What an update has beside the row: as it was, and the names of the columns that are not as they were. */
export const ORIGINAL = 'original';
export const CHANGED = 'changed';
