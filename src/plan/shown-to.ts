import type { Action } from '../core/access.ts';
import type { Model } from '../model/model.ts';
import { APP, GUEST, USER } from '../model/role.ts';
import type { Access as CallAccess } from '../model/shape.ts';
import { findRuler } from './role-rules.ts';

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
export const HELD: Readonly<Record<CallAccess, readonly string[]>> = {
  public: [GUEST],
  app: [GUEST, APP],
  user: [GUEST, USER],
};

const WHOLE: ShownTo = { isEveryRow: true, some: undefined, sure: undefined };
// Nobody in particular asks: rules that need a value of the person show nothing.
const NOBODYS = { me: () => undefined, now: () => '' };

// Own rows have every value that a rule compares with.
const SOMEBODYS = { me: (name: string): unknown => (name === 'roles' ? HELD.user : 1), now: () => '' };

/**
 * What the rules show to every caller of a kind of call; undefined if they refuse the action.
 *
 * @param isOwned True for a call that is held to the rows of its user. Default false.
 */
export function findShownTo(
  model: Model,
  access: CallAccess,
  schema: string,
  action: Action,
  isOwned = false,
): ShownTo | undefined {
  const ruler = findRuler(model);
  const rules = ruler?.isRuled(schema) ? ruler.list(schema, action, HELD[access]) : ruler?.findOpen(schema);
  if (ruler === undefined || rules === undefined) return WHOLE;
  const grant = ruler.combine(schema, rules, isOwned ? SOMEBODYS : NOBODYS, isOwned);
  if (grant === undefined) return undefined;
  return { isEveryRow: grant.rows?.anyOf === undefined, some: grant.read, sure: grant.sure ?? grant.read };
}
