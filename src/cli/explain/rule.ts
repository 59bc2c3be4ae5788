import { findCallActions } from '../../access/open.ts';
import { hasSecondFactor } from '../../access/person.ts';
import type { RuleValues } from '../../access/rule-filter.ts';
import { findRuler } from '../../access/rules.ts';
import type { Action } from '../../core/access.ts';
import { isObject, toObject } from '../../core/record.ts';
import { createCompiler } from '../../database/compiler.ts';
import type { Dialect } from '../../database/database.ts';
import type { Model } from '../../model/model.ts';
import { ADMIN, APP, GUEST, parseRoles, splitRoles, USER } from '../../model/role/role.ts';
import type { CompiledPlan } from '../../plan/compile.ts';
import type { CallPlan } from '../../plan/feature.ts';
import { Slot } from '../../store/read/parse/operator.ts';
import { getSearcher } from '../../store/read/searcher.ts';
import type { Application } from '../application.ts';
import { toTable } from '../terminal.ts';

/** What one role says of a call. */
interface RoleRuling {
  readonly role: string;
  readonly action: Action;
  /** As the role's file has it. */
  readonly rule: unknown;
  readonly file: string;
}

/** What roles say of the rows that a call reaches. */
export interface RuleFacts {
  readonly schema: string;
  readonly actions: readonly Action[];
  /** The caller's roles. */
  readonly held: readonly string[];
  readonly rules: readonly RoleRuling[];
  /** The condition on rows for each action; `null` for every row, undefined where the action is refused. */
  readonly conditions: readonly { readonly action: Action; readonly sql: string | null | undefined }[];
}

type Row = Readonly<Record<string, unknown>>;

/** Values of the person, or their names where nobody was named. */
const toValues = (roleNames: readonly string[], me: Row | undefined): RuleValues => ({
  now: () => '$now',
  me: (name) => (name === 'roles' ? roleNames : me === undefined ? `$me.${name}` : me[name]),
});

function listHeld({ definition: { access } }: CallPlan, model: Model, me: Row = {}): string[] {
  if (access === 'public') return [GUEST];
  const own = splitRoles(model, parseRoles(me.auth_type), hasSecondFactor(me)).roles;
  return access === 'app' ? [GUEST, APP] : [GUEST, USER, ...own];
}

function compileRule(plan: CompiledPlan, schema: string, anyOf: readonly Row[], dialect: Dialect): string {
  // `$me.…` and `$now` do not fit a column's type: compile with sample values, then print the names instead.
  const marks = new Map<unknown, string>();
  const sample = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sample);
    if (isObject(value)) return sampleAll(value);
    if (typeof value !== 'string' || !/^\$(?:me\.|now$)/.test(value)) return value;
    const mark = value === '$now' ? '2001-01-01 00:00:00' : 900_000_000 + marks.size;
    marks.set(mark, value);
    return mark;
  };
  const sampleAll = (filter: Row): Row =>
    Object.fromEntries(Object.entries(filter).map(([key, item]) => [key, sample(item)]));
  const rowFilter = getSearcher(plan.model).rowFilter(dialect, schema, { anyOf: anyOf.map(sampleAll) });
  if (rowFilter === undefined) return '';
  const query = rowFilter.test.compile(createCompiler(dialect));
  const values = query.parameters.map((given) => (given instanceof Slot ? rowFilter.values[given.index] : given));
  const shown = values.map((value) => marks.get(value) ?? marks.get(Number(value)) ?? JSON.stringify(value));
  let index = 0;
  return query.sql.replace(/\?|\$\d+/g, () => shown[index++] ?? '?');
}

/**
 * What roles say of a call; undefined where none names its schema.
 *
 * @param me The account and profile of the user who asks, as `auth-detail` gives them.
 */
export function findRules(plan: CompiledPlan, call: CallPlan, me: Row | undefined): RuleFacts | undefined {
  const { model } = plan;
  const ruler = findRuler(model);
  const found = findCallActions(call, model);
  if (ruler === undefined || found === undefined || !ruler.isRuled(found.schema)) return undefined;
  const { schema, actions } = found;
  const roleNames = listHeld(call, model, me);
  const dialect: Dialect = /^postgres/.test(model.settings.database.url) ? 'postgres' : 'sqlite';
  const rules = actions.flatMap((action) =>
    ruler.list(schema, action, roleNames).map(({ role }) => {
      const rule = model.roles.get(role)?.data?.[schema]?.[action];
      return { role, action, rule, file: `config/role/${role}.json` };
    }),
  );
  const isAdmin = roleNames.includes(ADMIN);
  const conditions = actions.map((action) => {
    if (isAdmin) return { action, sql: null };
    const grant = ruler.combine(schema, ruler.list(schema, action, roleNames), toValues(roleNames, me));
    const anyOf = grant?.rows?.anyOf;
    return {
      action,
      sql: grant === undefined ? undefined : anyOf === undefined ? null : compileRule(plan, schema, anyOf, dialect),
    };
  });
  return { schema, actions, held: roleNames, rules, conditions };
}

/** The account and profile of a user, for {@link findRules}. */
export async function readMe(app: Application, email: string): Promise<Row | undefined> {
  const response = await app.emit('auth-detail', { auth_slug: email });
  return response.isError() ? undefined : toObject(response.getResults());
}

/** The rules, a line each, for a person. */
export function toRuleLines({ schema, held: roleNames, rules, conditions }: RuleFacts): string[] {
  return [
    `roles  ${roleNames.join(', ')}`,
    ...toTable(
      rules.map(({ role, action, rule, file }) => ['', `${action} ${schema}`, role, JSON.stringify(rule), file]),
    ),
    ...conditions.map(({ action, sql }) => {
      if (sql === undefined) return `  ${action}: refused with 403, no role allows it`;
      return `  ${action}: ${sql === null ? 'every row' : `rows where ${sql}`}`;
    }),
  ];
}
