import type { Action } from '../core/access.ts';
import { isRecord } from '../model/json/json-value.ts';
import type { Model, SchemaModel } from '../model/model.ts';
import { APP, GUEST, USER } from '../model/role/role.ts';
import { resolveColumns } from '../model/role/role-columns.ts';
import type { Access as CallAccess, RoleRule } from '../model/shape.ts';
import { findRuler } from './rules.ts';

/** What everybody who holds these roles sees of a schema, whoever it is. */
export interface ShownTo {
  /** True if every row shows. */
  readonly isEveryRow: boolean;
  /** The columns that some row shows; undefined: all. */
  readonly some: ReadonlySet<string> | undefined;
  /** The columns that every row that shows has; undefined: all. */
  readonly sure: ReadonlySet<string> | undefined;
}

/** The roles that every caller of a call has. */
export const ROLES_BY_ACCESS: Readonly<Record<CallAccess, readonly string[]>> = {
  public: [GUEST],
  app: [GUEST, APP],
  user: [GUEST, USER],
};

const WHOLE: ShownTo = { isEveryRow: true, some: undefined, sure: undefined };
// There is no caller: rules that need a value of the person show nothing.
const NOBODYS = { me: () => undefined, now: () => '' };

// Own rows have every value that a rule compares with.
const SOMEBODYS = { me: (name: string): unknown => (name === 'roles' ? ROLES_BY_ACCESS.user : 1), now: () => '' };

/**
 * What the rules show to every caller of a kind of call; undefined if they refuse the action.
 *
 * @param isOwned True for a call that is limited to the rows of its user. Default false.
 */
export function findShownTo(
  model: Model,
  access: CallAccess,
  schema: string,
  action: Action,
  isOwned = false,
): ShownTo | undefined {
  const ruler = findRuler(model);
  const rules = ruler?.isRuled(schema) ? ruler.list(schema, action, ROLES_BY_ACCESS[access]) : ruler?.findOpen(schema);
  if (ruler === undefined || rules === undefined) return WHOLE;
  const grant = ruler.combine(schema, rules, isOwned ? SOMEBODYS : NOBODYS, isOwned);
  if (grant === undefined) return undefined;
  return { isEveryRow: grant.rows?.anyOf === undefined, some: grant.read, sure: grant.sure ?? grant.read };
}

type RowRule = Exclude<RoleRule, boolean>;
type Filter = NonNullable<RowRule['filter']>;

/** Keys that combine conditions, and a value that shows removed rows too: more of them can mean more rows. */
const WIDENING = new Set(['or', 'and', 'not']);

/** The number 1 and the text "1" are the same value of a filter. */
const toText = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'number' ? String(part) : part)) ?? '';

const isSame = (one: unknown, other: unknown): boolean => toText(one) === toText(other);

/** Whether a filter is at least as strict as another one. In doubt false. */
function isNarrower(filter: Filter = {}, than: Filter = {}): boolean {
  const isWider = Object.entries(filter).some(
    ([key, own]) => (WIDENING.has(key) || own === 'any') && !isSame(own, than[key]),
  );
  if (isWider) return false;
  return Object.entries(than).every(([key, wide]) => {
    const own = filter[key];
    return !WIDENING.has(key) && isRecord(wide) && isRecord(own) ? isNarrower(own, wide) : isSame(own, wide);
  });
}

function isWithin(schema: SchemaModel, list: 'read' | 'write', inner: RowRule, outer: RowRule): boolean {
  const wide = resolveColumns(schema, list, outer[list]);
  if (wide === undefined) return true;
  const narrow = resolveColumns(schema, list, inner[list]);
  return narrow !== undefined && [...narrow].every((name) => wide.has(name));
}

/** Whether a rule reaches every row and column that another one reaches. In doubt false. */
export function rulesAsMuch(schema: SchemaModel, granted: RoleRule | undefined, wanted: RoleRule): boolean {
  if (wanted === false || granted === true) return true;
  if (granted === undefined || granted === false) return false;
  const inner: RowRule = wanted === true ? {} : wanted;
  return (
    isNarrower(inner.filter, granted.filter) &&
    isNarrower(inner.check ?? inner.filter, granted.check ?? granted.filter) &&
    isWithin(schema, 'read', inner, granted) &&
    isWithin(schema, 'write', inner, granted)
  );
}
