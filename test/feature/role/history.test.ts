import { isDeepStrictEqual } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Row } from '../../../src/database/database.ts';
import { ask } from '../../client.ts';
import { type Asker, isVisible, listRules, matches, met, names, type Rule, sees } from './_oracle.ts';
import type { RoleWorld } from './_world.ts';
import { createRandom, drawNote, drawRoles, drawTag, type Person, type Random, startRoleWorld } from './_world.ts';

const test = suite('roles: history');

const SEEDS = [11, 12, 13, 14];
/** Changes whose entries are compared, for each seed. */
const CHANGES = Number(process.env.ROLE_CASES ?? 200) / SEEDS.length;
const KEYS: Record<string, string> = { note: 'note_id', tag: 'tag_id', profile: 'profile_id' };

/** One recorded change, with the row as it was before and after it. */
interface Told {
  readonly id: number;
  readonly schema: string;
  readonly before: Row | undefined;
  readonly after: Row;
}

const isId = (column: string): boolean => /_id$/.test(column);
const isTime = (column: string): boolean => /_(?:created|updated)$/.test(column);

/** Whether one version of a row shows a column. */
const showsIn = (rules: readonly Rule[], row: Row, asker: Asker, column: string): boolean =>
  isVisible(rules, row, asker) &&
  sees(rules, column) !== 'none' &&
  (isId(column) || met(rules).some((rule) => names(rule.read, column) && matches(rule.filter, row, asker)));

async function change({ world, people, rows }: RoleWorld, random: Random): Promise<Told | undefined> {
  const schema = random.pick(['note', 'note', 'note', 'tag', 'profile']);
  const key = KEYS[schema] as string;
  const drawn: Row =
    schema === 'note'
      ? { ...drawNote(random), profile_id: random.pick(people).profileId }
      : schema === 'tag'
        ? drawTag(random)
        : { profile_team: random.pick(['red', 'blue']) };
  const before = await rows(schema);
  const id = random.pick(before)[key];
  const isMade = schema !== 'profile' && random.chance(0.15);
  const action = isMade
    ? 'create'
    : schema === 'profile'
      ? 'update'
      : random.pick(['update', 'update', 'remove', 'restore']);
  const values = Object.fromEntries(Object.entries(drawn).filter(() => isMade || random.chance(0.5)));
  const stage = { schema, ...(isMade ? {} : { [key]: id }), ...(action === 'update' || isMade ? values : {}) };
  const entries = await world.site.rows('treadle_history');
  await world.site.app.emit(`system-model-${action}` as never, stage as never);
  const [entry] = (await world.site.rows('treadle_history')).slice(entries.length);
  if (entry === undefined) return undefined;
  const after = (await rows(schema)).find((row) => row[key] === Number(entry.row_id)) as Row;
  const was = before.find((row) => row[key] === Number(entry.row_id));
  return { id: Number(entry.history_id), schema, before: was, after };
}

async function emit({ world }: RoleWorld, person: Person | undefined, event: string, stage: Row) {
  const query = new URLSearchParams(stage as Record<string, string>).toString();
  const cookie = person?.browser.cookie();
  const headers = { accept: 'application/json', ...(cookie ? { cookie } : {}) };
  const answer = await ask(`${world.url}/door/${event}?${query}`, { method: 'GET', headers });
  return { status: answer.status, results: answer.json()?.results as Row };
}

/** What the oracle says of one entry to one asker, and the site. */
async function compare(role: RoleWorld, told: Told, person: Person | undefined): Promise<string | undefined> {
  const profile = (await role.rows('profile')).find((row) => row.profile_id === person?.profileId) ?? {};
  const held = person === undefined ? ['guest'] : ['guest', 'user', ...person.roles];
  const asker: Asker = { held, isAdmin: person?.roles.includes('admin') === true, me: profile };
  const { schema, before, after } = told;
  const rules = listRules(role.roles, asker, schema, 'detail');
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
  const changed = Object.keys(after).filter(
    (name) => name !== KEYS[schema] && !isTime(name) && (before?.[name] ?? null) !== (after[name] ?? null),
  );
  const wanted = Object.fromEntries(
    changed
      .filter((name) => sides.every((row) => showsIn(rules, row, asker, name)))
      .map((name) => [name, [before?.[name] ?? null, after[name] ?? null]]),
  );
  if (!isDeepStrictEqual(sort(answer.results.changes as Row), sort(wanted)))
    return `changes ${JSON.stringify(answer.results.changes)} not ${JSON.stringify(wanted)}: ${who}`;
  for (const columns of [answer.results.columns, listed?.columns] as string[][])
    if (columns.sort().join() !== Object.keys(wanted).sort().join())
      return `columns ${columns} not ${Object.keys(wanted)}: ${who}`;
  const toShown = (row: Row | undefined): Row | null =>
    row === undefined || !isVisible(rules, row, asker)
      ? null
      : Object.fromEntries(Object.entries(row).filter(([name]) => !isTime(name) && showsIn(rules, row, asker, name)));
  for (const [name, row] of [
    ['original', before],
    ['current', after],
  ] as const) {
    const found = versions.results[name] as Row | null;
    const got = found && Object.fromEntries(Object.entries(found).filter(([column]) => !isTime(column)));
    if (!isDeepStrictEqual(got && sort(got), toShown(row) && sort(toShown(row) as Row)))
      return `${name} ${JSON.stringify(got)} not ${JSON.stringify(toShown(row))}: ${who}`;
  }
  return undefined;
}

const sort = (row: Row): Row => Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));

for (const seed of SEEDS) {
  test(`entries and versions show what the rules let a person see of the row as it was, for rules drawn by seed ${seed}`, async () => {
    const random = createRandom(seed);
    const role = await startRoleWorld(drawRoles(random), random);
    try {
      const told: Told[] = [];
      for (let index = 0; index < CHANGES; index += 1) {
        const made = await change(role, random);
        if (made) told.push(made);
      }
      const wrong: string[] = [];
      for (const entry of told)
        for (const person of [undefined, ...role.people]) {
          const difference = await compare(role, entry, person);
          if (difference !== undefined) wrong.push(difference);
        }
      assert.is(wrong.length, 0, wrong.slice(0, 5).join('\n'));
      assert.ok(told.length > CHANGES / 3, String(told.length));
    } finally {
      await role.world.close();
    }
  });
}

test.run();
