import { isDeepStrictEqual } from 'node:util';
import type { Row } from '../../../src/database/row-statement.ts';
import { ask } from '../../client.ts';
import { type Asker, isVisible, listRules, showsIn } from './_oracle.ts';
import type { Person, RoleWorld } from './_world.ts';

export const KEYS: Readonly<Record<string, string>> = { note: 'note_id', tag: 'tag_id', profile: 'profile_id' };

/** One recorded change, with the row as it was before and after it. */
export interface Told {
  readonly id: number;
  readonly schema: string;
  readonly before: Row | undefined;
  readonly after: Row;
}

const isTime = (column: string): boolean => /_(?:created|updated)$/.test(column);

async function emit({ world }: RoleWorld, person: Person | undefined, event: string, stage: Row) {
  const query = new URLSearchParams(stage as Record<string, string>).toString();
  const cookie = person?.browser.cookie();
  const headers = { accept: 'application/json', ...(cookie ? { cookie } : {}) };
  const answer = await ask(`${world.url}/door/${event}?${query}`, { method: 'GET', headers });
  return { status: answer.status, results: answer.json()?.results as Row };
}

/** What the oracle says of one entry to one asker, and the site; a text where they differ. */
export async function compareHistory(
  role: RoleWorld,
  told: Told,
  person: Person | undefined,
): Promise<string | undefined> {
  const profile = (await role.rows('profile')).find((row) => row.profile_id === person?.profileId) ?? {};
  const held = person === undefined ? ['guest'] : ['guest', 'user', ...person.roles];
  const asker: Asker = { held, isAdmin: person?.roles.includes('admin') === true, me: profile };
  const { schema, before, after } = told;
  const rules = listRules(role.roles, asker, schema, 'detail');
  const shows = (row: Row, name: string): boolean => isVisible(rules, row, asker) && showsIn(rules, row, asker, name);
  const sides = before === undefined ? [after] : [before, after];
  const isSeen = sides.some((row) => isVisible(rules, row, asker));
  const answer = await emit(role, person, 'history-detail', { history_id: told.id });
  const who = `${person?.name ?? 'nobody'} [${held}] entry ${told.id} of ${schema} ${JSON.stringify(told)} ${JSON.stringify(rules)}`;
  const versions = await emit(role, person, 'history-model-versions', { history_id: told.id });
  const list = await emit(role, person, 'history-search', { before: told.id + 1, limit: 1 });
  const [listed] = list.results.rows as Row[];
  if (!isSeen) {
    const isHidden = answer.status === 404 && versions.status === 404 && listed?.history_id !== told.id;
    return isHidden ? undefined : `shown: ${who} ${JSON.stringify([answer, versions, list])}`;
  }
  if (answer.status !== 200) return `hidden: ${who}`;
  // An import does not say of a new row that it is there.
  const isSaid = (name: string): boolean => !isTime(name) && !(before === undefined && name === `${schema}_active`);
  const changed = Object.keys(after).filter(
    (name) => name !== KEYS[schema] && isSaid(name) && (before?.[name] ?? null) !== (after[name] ?? null),
  );
  const wanted = Object.fromEntries(
    changed
      .filter((name) => sides.every((row) => shows(row, name)))
      .map((name) => [name, [before?.[name] ?? null, after[name] ?? null]]),
  );
  const said = Object.entries(answer.results.changes as Row).filter(([name]) => isSaid(name));
  if (!isDeepStrictEqual(sort(Object.fromEntries(said)), sort(wanted)))
    return `changes ${JSON.stringify(answer.results.changes)} not ${JSON.stringify(wanted)}: ${who}`;
  for (const columns of [answer.results.columns, listed?.columns] as string[][])
    if (columns.filter(isSaid).sort().join() !== Object.keys(wanted).sort().join())
      return `columns ${columns} not ${Object.keys(wanted)}: ${who}`;
  const toShown = (row: Row | undefined): Row | null =>
    row === undefined || !isVisible(rules, row, asker)
      ? null
      : Object.fromEntries(Object.entries(row).filter(([name]) => isSaid(name) && shows(row, name)));
  for (const [name, row] of [
    ['original', before],
    ['current', after],
  ] as const) {
    const found = versions.results[name] as Row | null;
    const got = found && Object.fromEntries(Object.entries(found).filter(([column]) => isSaid(column)));
    if (!isDeepStrictEqual(got && sort(got), toShown(row) && sort(toShown(row) as Row)))
      return `${name} ${JSON.stringify(got)} not ${JSON.stringify(toShown(row))}: ${who}`;
  }
  return undefined;
}

const sort = (row: Row): Row => Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));
