import {
  type Access,
  type Action,
  createAccess,
  createOwnerAccess,
  type Grant,
  WHOLE,
  type Who,
} from '../core/access.ts';
import { toStamp } from '../core/clock.ts';
import { ADMIN, APP, GUEST, USER } from '../model/role.ts';
import type { AccessContext } from './ask.ts';
import type { Person } from './person.ts';
import { tallyOf } from './refusal.ts';
import { findRuler, type Ruler } from './role-rules.ts';
import type { RuleValues } from './rule-filter.ts';

/** The caller, before its roles are applied. */
export interface Asking {
  readonly who: Who;
  /** Undefined for visitors and apps. */
  readonly person?: Person | undefined;
  /** Id of the profile that a user call is held to. */
  readonly ownerId?: number | undefined;
}

/** The caller's roles: its own, and the built-in ones of its kind. */
function listHeld({ who, person }: Asking): readonly string[] {
  if (who.kind === 'app') return [GUEST, APP];
  return person === undefined ? [GUEST] : [GUEST, USER, ...person.roles];
}

function toValues({ person }: Asking, held: readonly string[], now: () => number): RuleValues {
  const stamp = toStamp(now());
  return {
    now: () => stamp,
    me(name) {
      if (name === 'roles') return held;
      if (person === undefined) return undefined;
      return name === 'profile_id' ? person.profileId : person.row[name];
    },
  };
}

/** The person's values that the rules of these roles use, as one text. */
function toView(ruler: Ruler, held: readonly string[], values: RuleValues): { view: string; isTimed: boolean } {
  const { names, usesNow } = ruler.uses(held);
  const view = names.length === 0 ? held.join() : JSON.stringify([held, names.map((name) => values.me(name) ?? null)]);
  return { view, isTimed: usesNow };
}

const VISITOR = createAccess({ kind: 'page' });
const PUBLIC = createAccess({ kind: 'public' });

/** The access of a caller that no rule concerns. */
function toPlain(who: Who, ownerId: number | undefined): Access {
  if (ownerId !== undefined) return createOwnerAccess(who, ownerId);
  if (who.kind === 'public') return PUBLIC;
  return who.kind === 'page' && who.authId === undefined ? VISITOR : createAccess(who);
}

const withOwner = (grant: Grant, ownerId: number | undefined): Grant =>
  ownerId === undefined ? grant : { ...grant, rows: { ...grant.rows, owner: ownerId } };

/** The caller's access by the rules of its roles. Schemas without rules are reached completely, or by owner, without what is private. */
export function createRoleAccess({ plan, services }: Pick<AccessContext, 'plan' | 'services'>, asking: Asking): Access {
  const { who, person, ownerId } = asking;
  const ruler = findRuler(plan.model);
  const known = { ...who, ...(person === undefined ? {} : { roles: person.roles }) };
  const isAdmin = who.kind !== 'app' && person?.roles.includes(ADMIN) === true;
  if (ruler === undefined || isAdmin) return toPlain(known, ownerId);
  const held = listHeld(asking);
  const values = toValues(asking, held, () => services.clock.now());
  const grants = new Map<string, Grant | undefined>();
  const find = (schema: string, action: Action, isOwned = false): Grant | undefined => {
    const open = ruler.findOpen(schema);
    if (open === undefined && !ruler.isRuled(schema)) return WHOLE;
    // Without rules every action reaches the same.
    const key = `${isOwned ? 'own ' : ''}${open === undefined ? `${action} ` : ''}${schema}`;
    if (!grants.has(key))
      grants.set(key, ruler.combine(schema, open ?? ruler.list(schema, action, held), values, isOwned));
    return grants.get(key);
  };
  const owned = new Map<Grant, Grant>();
  const grant = (schema: string, action: Action): Grant | undefined => {
    const found = find(schema, action, ownerId !== undefined);
    if (found === undefined || ownerId === undefined) return found;
    const made = owned.get(found) ?? withOwner(found, ownerId);
    owned.set(found, made);
    return made;
  };
  const told = new Set<string>();
  const related = (schema: string): Grant | undefined => {
    const found = find(schema, 'detail');
    // Rows that miss on a page without an error: its author should know that a role closes them.
    if (found === undefined && who.kind === 'page' && !told.has(schema)) {
      told.add(schema);
      services.log.warn('refused-by-roles', { schema, action: 'detail', roles: known.roles ?? [], by: 'relation' });
      tallyOf(services.database).add({ schema, action: 'detail' }, services.clock);
    }
    return found;
  };
  return Object.freeze({ roles: [], scopes: [], ...known, grant, related, ...toView(ruler, held, values) });
}
