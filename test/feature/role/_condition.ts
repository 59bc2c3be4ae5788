import type { Row } from '../../../src/database/row-statement.ts';
import { type Asker, isVisible, type Rule } from './_oracle.ts';
import type { Action, Random } from './_world.ts';

/** A condition of a write: the tag of the row as the same caller's detail gives it, another, or any. */
export type Condition = 'current' | 'other' | 'any' | 'none';

const CONDITIONS: readonly Condition[] = ['current', 'current', 'other', 'any', 'none'];
const HELD: readonly Action[] = ['update', 'remove', 'restore'];

export const drawCondition = (random: Random, action: Action): Condition | undefined =>
  HELD.includes(action) && random.chance(0.5) ? random.pick(CONDITIONS) : undefined;

/** The headers of a condition. @param tag The ETag of a detail, undefined if the caller sees none. */
export function toHeaders(condition: Condition, tag: string | undefined): Record<string, string> {
  if (condition === 'none') return { 'if-none-match': '*' };
  if (condition === 'any') return { 'if-match': '*' };
  return { 'if-match': condition === 'current' && tag !== undefined ? tag : '"other"' };
}

/**
 * Whether the condition refuses the write: of a row that the caller may change by a rule, whichever columns it may write. Of
 * another row it tells nothing.
 * @param isSeen Whether the caller's detail gave a tag.
 */
export function isUnmet(
  condition: Condition | undefined,
  { row, rules, asker, isSeen }: { row: Row | undefined; rules: readonly Rule[]; asker: Asker; isSeen: boolean },
): boolean {
  if (condition === undefined || row === undefined || !isVisible(rules, row, asker)) return false;
  if (condition === 'current') return !isSeen;
  return condition === 'other' || condition === 'none';
}
