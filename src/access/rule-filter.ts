import { markFilled, type RowFilter } from '../core/access.ts';
import { isObject } from '../core/record.ts';

/** Values of the caller and the clock for a rule. */
export interface RuleValues {
  /** `profile_id`, `roles`, or a column of the account or its profile. */
  me(name: string): unknown;
  /** `YYYY-MM-DD HH:MM:SS`. */
  now(): string;
}

/** A filter of a role's file. */
export interface RuleFilter {
  /** Names after `$me.` in it. */
  readonly names: readonly string[];
  readonly usesNow: boolean;
  /** The filter with the values; undefined if one is missing. Then no row matches, with any operator. */
  resolve(values: RuleValues): RowFilter | undefined;
}

const ME = /^\$me\.(.+)$/;
const NOW = '$now';

class MissingValueError extends Error {}

const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

function fill(value: unknown, values: RuleValues): unknown {
  if (Array.isArray(value)) return value.flatMap((item) => fill(item, values));
  if (isObject(value)) return fillAll(value, values);
  if (value === NOW) return values.now();
  const name = typeof value === 'string' ? ME.exec(value)?.[1] : undefined;
  if (name === undefined) return value;
  const found = values.me(name);
  if (isMissing(found)) throw new MissingValueError();
  return found;
}

const fillAll = (filter: RowFilter, values: RuleValues): RowFilter =>
  Object.fromEntries(Object.entries(filter).map(([key, item]) => [key, fill(item, values)]));

function* listTexts(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) yield* listTexts(item);
}

/** Compiles a filter. Without `$me` and `$now` it is the same for everybody. */
export function compileRuleFilter(filter: RowFilter): RuleFilter {
  const texts = [...listTexts(filter)];
  const names = texts.flatMap((text) => ME.exec(text)?.[1] ?? []);
  const usesNow = texts.includes(NOW);
  const isFixed = names.length === 0 && !usesNow;
  return {
    names,
    usesNow,
    resolve(values) {
      if (isFixed) return filter;
      try {
        return markFilled(fillAll(filter, values));
      } catch (error) {
        if (error instanceof MissingValueError) return undefined;
        throw error;
      }
    },
  };
}

/** Texts in a filter that look like `$me` or `$now` values but are not, such as `$mee.profile_id` or `$who`. */
export const listOddValues = (filter: RowFilter): string[] =>
  [...listTexts(filter)].filter((text) => /^\$[A-Za-z]/.test(text) && !ME.test(text) && text !== NOW);
