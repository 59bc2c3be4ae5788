import { ACTIONS, type Action } from '../core/access.ts';
import type { Model } from '../model/model.ts';
import { findOwnerColumn } from '../model/owner-column.ts';
import { ADMIN, APP, GUEST, USER } from '../model/role.ts';
import type { TextFile } from '../project/rename/text-files.ts';
import type { Call } from './ask.ts';
import { findCallActions } from './call-action.ts';
import { type Door, listPageDoors } from './page-doors.ts';
import { compilePathGuard } from './path-guard.ts';

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
export function listHolding(slug: string): readonly string[] {
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
export function sumDoors(doors: readonly Door[]): ActionsByRole {
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
 * @param asked The role whose rules begin to rule the schema: its new rules decide what its pages in the admin section open.
 */
export function listOpenActions(doors: readonly Door[], answer: OpenAnswer, asked: string): ActionsByRole {
  const kept = doors.filter(({ kind, role }) =>
    answer === 'none' ? false : answer === 'calls' ? kind === 'call' : kind !== 'admin' || role !== asked,
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
