import { ACTIONS, type Action } from '../core/access.ts';
import { APP, GUEST, USER } from '../model/role.ts';
import type { Role } from '../model/shape.ts';
import { type ActionsByRole, listHolding, sumDoors } from './open-actions.ts';
import type { Door } from './page-doors.ts';

/** What holders of a role do with a schema before and after a change of roles. */
export interface ReachRow {
  /** Slug of the role: `guest` is everybody, `user` who is logged in, `app` the calls of apps. */
  readonly who: string;
  readonly before: readonly Action[];
  readonly after: readonly Action[];
  readonly loses: readonly Action[];
  readonly gains: readonly Action[];
}

/** What a role's own rules allow, with or without conditions. */
const listAllowed = (role: Role | undefined, schema: string): readonly Action[] =>
  ACTIONS.filter((action) => {
    const rule = role?.data?.[schema]?.[action];
    return rule !== undefined && rule !== false;
  });

const toReach = (roles: ReadonlyMap<string, Role>, schema: string): ActionsByRole =>
  new Map([...roles].map(([slug, role]) => [slug, listAllowed(role, schema)] as const));

const isRuled = (roles: ReadonlyMap<string, Role>, schema: string): boolean =>
  [...roles.values()].some(({ data }) => data?.[schema] !== undefined);

const collect = (reach: ActionsByRole, slug: string): readonly Action[] => {
  const had = listHolding(slug).flatMap((each) => reach.get(each) ?? []);
  return ACTIONS.filter((action) => had.includes(action));
};

/**
 * Who loses and gains what of a schema: for everybody, users, apps, and each role with a file. Before roles rule it, people have
 * what the doors open.
 */
export function compareReach(
  schema: string,
  {
    before,
    after,
    doors,
  }: {
    readonly before: ReadonlyMap<string, Role>;
    readonly after: ReadonlyMap<string, Role>;
    readonly doors: readonly Door[];
  },
): ReachRow[] {
  const was = isRuled(before, schema) ? toReach(before, schema) : sumDoors(doors);
  const is = isRuled(after, schema) ? toReach(after, schema) : sumDoors(doors);
  const slugs = [...new Set([GUEST, USER, APP, ...before.keys(), ...after.keys()])].filter((slug) => slug !== 'admin');
  return slugs.map((who) => {
    const [old, now] = [collect(was, who), collect(is, who)];
    return {
      who,
      before: old,
      after: now,
      loses: old.filter((action) => !now.includes(action)),
      gains: now.filter((action) => !old.includes(action)),
    };
  });
}
