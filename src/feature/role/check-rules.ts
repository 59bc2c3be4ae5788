import { compileRuleFilter, listOddValues } from '../../access/rule-filter.ts';
import type { RowFilter } from '../../core/access.ts';
import { type Problem, TreadleError } from '../../core/errors.ts';
import { suggest, toDidYouMean } from '../../core/text/suggest.ts';
import type { Model } from '../../model/model.ts';
import { findOptionErrors } from '../../store/read/parse/filter.ts';
import { getSearcher } from '../../store/read/searcher.ts';

/** Columns of an account, besides those of its profile. */
const ACCOUNT = ['auth_id', 'auth_slug', 'auth_type', 'auth_verified', 'auth_created', 'auth_updated'];
/** Values of which one fits any column. */
const SAMPLES = [1, '2026-01-31', 'x'];

/** What is wrong with a filter's grammar; undefined where nothing is. */
function findFilterError(model: Model, schema: string, filter: RowFilter): string | undefined {
  const errors = SAMPLES.map((sample) => {
    const values = { now: () => '2026-01-31 00:00:00', me: (name: string) => (name === 'roles' ? ['x'] : sample) };
    // A copy: a filter with the caller's values would report no error.
    const anyOf = [{ ...compileRuleFilter(filter).resolve(values) }];
    try {
      getSearcher(model).rowFilter('sqlite', schema, { anyOf });
      return undefined;
    } catch (error) {
      if (error instanceof TreadleError && error.code === 'ACCESS_RULE_INVALID') return error.message;
      throw error;
    }
  });
  return errors.includes(undefined) ? undefined : errors[0];
}

interface Place {
  readonly file: string;
  readonly path: string;
}

const VALUES = 'There are $me.profile_id, $me.roles, $me.<column of the account or profile> and $now.';

/** What a value such as `$nwo` or `$user.profile_id` most likely meant. */
function toValueHint(text: string, known: ReadonlySet<string>): string {
  const named = /[.](.+)$/.exec(text)?.[1];
  const values = ['$now', ...[...known].map((name) => `$me.${name}`)];
  const near = named !== undefined && known.has(named) ? `$me.${named}` : suggest(text, values);
  return near === undefined ? VALUES : `Did you mean "${near}"? ${VALUES}`;
}

function checkFilter(model: Model, schema: string, filter: RowFilter, place: Place): Problem[] {
  const code = 'ROLE_FILTER_INVALID';
  const profile = model.schemas.get('profile');
  const known = new Set(['profile_id', 'roles', ...ACCOUNT, ...(profile?.row.stored ?? [])]);
  const odd = listOddValues(filter).map((text) => ({
    ...place,
    code,
    message: `"${text.slice(0, 64)}" is not a value that a rule knows.`,
    hint: toValueHint(text, known),
    // A project may run with another text that begins with $: it is compared as it is written.
    ...(/^\$(?:me|now)/.test(text) ? {} : { severity: 'warning' as const }),
  }));
  const unknown = compileRuleFilter(filter)
    .names.filter((name) => !known.has(name))
    .map((name) => ({
      ...place,
      code,
      message: `"$me.${name.slice(0, 64)}" is not a column of an account or a profile.`,
      hint: toDidYouMean(name, known),
    }));
  if (unknown.length > 0 || odd.some((one) => !('severity' in one))) return [...odd, ...unknown];
  const message = findFilterError(model, schema, filter);
  if (message !== undefined)
    return [...odd, { ...place, code, message, hint: 'See docs/guide/search.md for filters.' }];
  if (odd.length > 0) return odd;
  return findOptionErrors(getSearcher(model).source(schema), withoutCaller(filter)).map((text) => {
    const [, fault = text, hint = ''] = /^(.*?[.]) (.+)$/.exec(text) ?? [];
    return { ...place, code, message: fault, hint, severity: 'warning' };
  });
}

const isCallers = (value: unknown): boolean => typeof value === 'string' && value.startsWith('$');

/** The filter without the values of the caller and the clock, which are known only per request. */
function withoutCaller<T>(value: T): T {
  if (Array.isArray(value)) return value.filter((item) => !isCallers(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const fixedEntries = Object.entries(value).filter(([, item]) => !isCallers(item));
  return Object.fromEntries(fixedEntries.map(([key, item]) => [key, withoutCaller(item)])) as T;
}

/** Problems in the filters of roles. */
export function checkRules(model: Model): Problem[] {
  return [...model.roles.values()].flatMap(({ slug, data = {} }) =>
    Object.entries(data).flatMap(([schema, actions]) =>
      Object.entries(actions).flatMap(([action, rule]) => {
        if (typeof rule !== 'object') return [];
        return (['filter', 'check'] as const).flatMap((key) => {
          const place = { file: `config/role/${slug}.json`, path: `data.${schema}.${action}.${key}` };
          const filter = rule[key];
          return filter === undefined ? [] : checkFilter(model, schema, filter, place);
        });
      }),
    ),
  );
}
