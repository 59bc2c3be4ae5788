import { ACTIONS, type Action } from '../core/access.ts';
import type { Model } from '../model/model.ts';
import { findOwnerColumn } from '../model/role/owner-column.ts';
import { ADMIN, APP, GUEST, USER } from '../model/role/role.ts';
import type { Role } from '../model/shape.ts';
import type { TextFile } from '../project/rename/text-files.ts';
import type { Call } from './ask.ts';
import { compilePathGuard } from './guard.ts';
import { type Door, listPageDoors } from './page-doors.ts';

const MODEL = /^system-model-(search|detail|create|update|remove|restore|import)$/;
const LINKS = /^system-relation-(?:link|unlink|unlink-all)$/;
const BATCH: readonly Action[] = ['create', 'update', 'remove', 'restore'];

/** What a call does with a schema's rows, by its definition. */
export interface CallActions {
  readonly schema: string;
  readonly actions: readonly Action[];
}

/** Undefined where the definition does not say: a handler answers, or the request names the schema. */
export function findCallActions(
  { definition, handler, schema }: Call,
  { schemas }: Pick<Model, 'schemas'>,
): CallActions | undefined {
  const { event, parameters = {} } = definition;
  if (handler !== undefined) return undefined;
  const word = MODEL.exec(event)?.[1];
  const action = ACTIONS.find((each) => each === word);
  if (schema !== undefined && action !== undefined) return { schema, actions: [action] };
  if (schema !== undefined && event === 'system-model-batch') return { schema, actions: BATCH };
  if (!LINKS.test(event)) return undefined;
  // Checked on the schema that declares the relation.
  const [first, second] = [parameters.schema1, parameters.schema2].map((name) => schemas.get(String(name)));
  const declares = first?.relations.some(({ target }) => target === second?.name);
  const declaring = declares === true ? first : second;
  return declaring && { schema: declaring.name, actions: ['link'] };
}

interface OpenFacts {
  readonly model: Model;
  readonly calls: readonly Call[];
}

/** What stays open of a schema as roles begin to rule it. */
export const OPEN_ANSWERS = ['keep', 'calls', 'none'] as const;
export type OpenAnswer = (typeof OPEN_ANSWERS)[number];

const READS: readonly Action[] = ['search', 'detail'];

function listCallDoors({ model, calls }: OpenFacts): Door[] {
  return calls.flatMap((call): Door[] => {
    const found = findCallActions(call, model);
    if (found === undefined) return [];
    const { access } = call.definition;
    const role = access === 'public' ? GUEST : access === 'app' ? APP : USER;
    return [{ role, schema: found.schema, actions: found.actions, kind: 'call', by: call.name }];
  });
}

/** Roles that open the admin's pages of a schema's rows: without rules they reach every row there. */
function listAdminDoors({ model }: OpenFacts, schema: string): Door[] {
  const guard = compilePathGuard(model);
  const path = `/admin/system/model/${schema}/search`;
  return [USER, ...model.roles.keys()]
    .filter((slug, index, all) => all.indexOf(slug) === index && slug !== ADMIN)
    .filter((slug) => guard.judge(path, 'GET', [slug])?.by !== undefined)
    .map((role) => ({ role, schema, actions: ACTIONS, kind: 'admin', by: path }));
}

/** Who sees rows of a schema through a relation of another schema that they read, at any distance. */
function listRelationDoors({ model }: OpenFacts, doors: readonly Door[], schema: string): Door[] {
  const seen = new Set([schema]);
  const found: Door[] = [];
  for (const name of seen) {
    for (const { name: source, relations } of model.schemas.values()) {
      if (!relations.some(({ target, source: declaring }) => target === name && declaring === source)) continue;
      seen.add(source);
      const readers = doors.filter(
        (door) => door.schema === source && door.actions.some((each) => READS.includes(each)),
      );
      for (const { role, by } of readers)
        found.push({ role, schema, actions: READS, kind: 'relation', by: `${source}, ${by}` });
    }
  }
  return found;
}

/**
 * By which doors people reach rows of a schema that no role rules: calls, the pages and other code of the project, relations
 * of rows that they read, the admin's pages of rows, and the download of one's own data.
 *
 * @param files The project's text files: see `readTextFiles`.
 */
export function listDoors(known: OpenFacts, files: readonly TextFile[], schema: string): readonly Door[] {
  const { model } = known;
  const all = [...listCallDoors(known), ...listPageDoors(model, files)];
  const found = model.schemas.get(schema);
  const isOwned = found !== undefined && findOwnerColumn(found) !== undefined;
  return [
    ...all.filter((door) => door.schema === schema),
    ...listRelationDoors(known, all, schema),
    ...listAdminDoors(known, schema),
    ...(isOwned ? [{ role: USER, schema, actions: ['detail'], kind: 'own', by: '/auth/data' } as const] : []),
  ];
}

/** Roles whose rules a role's holders have besides their own. */
function listHolding(slug: string): readonly string[] {
  if (slug === GUEST) return [GUEST];
  return slug === APP || slug === USER ? [GUEST, slug] : [GUEST, USER, slug];
}

/** Actions by role. */
export type ActionsByRole = ReadonlyMap<string, readonly Action[]>;

const inOrder = (actions: Iterable<Action>): Action[] => {
  const set = new Set(actions);
  return ACTIONS.filter((each) => set.has(each));
};

/** What each role reaches by some doors. Whoever reads in one way keeps both ways of reading, as of one page of comments. */
function sumDoors(doors: readonly Door[]): ActionsByRole {
  const sum = new Map<string, Action[]>();
  for (const { role, actions, kind } of doors) {
    const isReading = kind !== 'call' && kind !== 'own' && actions.some((each) => READS.includes(each));
    sum.set(role, inOrder([...(sum.get(role) ?? []), ...actions, ...(isReading ? READS : [])]));
  }
  return sum;
}

/**
 * What is written into roles, so that a schema stays open to others as an answer says. What everybody has is not written again
 * for users.
 *
 * @param ruling The role that gets rules for the schema. Those rules decide what the role may do on the schema's admin pages, so
 *   what the role may do there today is not written down.
 */
export function listOpenActions(doors: readonly Door[], answer: OpenAnswer, ruling: string): ActionsByRole {
  const kept = doors.filter(({ kind, role }) =>
    answer === 'none' ? false : answer === 'calls' ? kind === 'call' : kind !== 'admin' || role !== ruling,
  );
  const sum = sumDoors(kept);
  const free = [...sum].map(([slug, actions]) => {
    const others = listHolding(slug).filter((each) => each !== slug);
    const had = others.flatMap((each) => sum.get(each) ?? []);
    return [slug, actions.filter((action) => !had.includes(action))] as const;
  });
  const rank = (slug: string): number => [GUEST, APP, USER].indexOf(slug) + 1 || 9;
  return new Map(free.filter(([, actions]) => actions.length > 0).sort(([a], [b]) => rank(a) - rank(b)));
}

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

const listAllowedByRole = (roles: ReadonlyMap<string, Role>, schema: string): ActionsByRole =>
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
  const was = isRuled(before, schema) ? listAllowedByRole(before, schema) : sumDoors(doors);
  const is = isRuled(after, schema) ? listAllowedByRole(after, schema) : sumDoors(doors);
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
