import { isDeepStrictEqual } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Row } from '../../../src/database/database.ts';
import { ask } from '../../client.ts';
import { type Asker, isVisible, listRules, matches, met, names, type Rule, sees } from './_oracle.ts';
import { type Action, createRandom, drawRoles, type Person, type RoleWorld, startRoleWorld } from './_world.ts';

const test = suite('roles: what reads rows beside the searches');

const SEEDS = Array.from({ length: Math.ceil(Number(process.env.ROLE_CASES ?? 400) / 100) }, (_, index) => 21 + index);

const isId = (column: string): boolean => /_id$/.test(column);

/** A stored row without the columns that it hides; undefined for a hidden row. */
function pick(rules: readonly Rule[], row: Row, asker: Asker): Row | undefined {
  if (!isVisible(rules, row, asker)) return undefined;
  const shows = (name: string): boolean =>
    isId(name) ||
    (sees(rules, name) !== 'none' &&
      met(rules).some((rule) => names(rule.read, name) && matches(rule.filter, row, asker)));
  return Object.fromEntries(Object.entries(row).filter(([name]) => shows(name)));
}

interface Seen {
  readonly role: RoleWorld;
  readonly person: Person | undefined;
  readonly asker: Asker;
  rules(schema: string, action: Action): Rule[];
}

async function see(role: RoleWorld, person: Person | undefined): Promise<Seen> {
  const me = (await role.rows('profile')).find((row) => row.profile_id === person?.profileId) ?? {};
  const held = person === undefined ? ['guest'] : ['guest', 'user', ...person.roles];
  const asker: Asker = { held, isAdmin: person?.roles.includes('admin') === true, me };
  return { role, person, asker, rules: (schema, action) => listRules(role.roles, asker, schema, action) };
}

async function get({ role, person }: Seen, path: string) {
  const cookie = person?.browser.cookie();
  const headers = { accept: 'application/json', ...(cookie ? { cookie } : {}) };
  return ask(role.world.url + path, { method: 'GET', headers });
}

const isSame = (found: unknown, wanted: unknown): boolean =>
  isDeepStrictEqual(
    JSON.parse(JSON.stringify(order(found) ?? null)),
    JSON.parse(JSON.stringify(order(wanted) ?? null)),
  );
const order = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(order);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, order(item)]),
  );
};
const tell = (what: string, { person, asker }: Seen, found: unknown, wanted: unknown): string | undefined =>
  isSame(found, wanted)
    ? undefined
    : `${what} ${person?.name ?? 'nobody'} [${asker.held}]: ${JSON.stringify(order(found))}\n  not ${JSON.stringify(order(wanted))}`;

const keepProfile = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name.startsWith('profile_')));

/** The file of one's own data. */
async function checkData(seen: Seen): Promise<string | undefined> {
  const { role, person, asker, rules } = seen;
  const answer = await get(seen, '/auth/data');
  if (person === undefined) return tell('status', seen, answer.status, 303);
  const found = answer.json() as { account: Row; rows: Record<string, Row[]> };
  const own = (await role.rows('note')).filter((row) => row.profile_id === person.profileId);
  const notes = own.flatMap((row) => pick(rules('note', 'detail'), row, asker) ?? []);
  const profile = pick(rules('profile', 'detail'), asker.me, asker) ?? { profile_id: person.profileId };
  return tell('data', seen, found.rows.note, notes) ?? tell('own profile', seen, keepProfile(found.account), profile);
}

const isProfileRuled = ({ roles }: RoleWorld): boolean =>
  Object.values(roles).some(({ profile }) => profile !== undefined);

/** Whether the e-mail of an account shows to somebody. */
const showsEmail = ({ role, person, asker }: Seen, authId: number): boolean =>
  asker.isAdmin || !isProfileRuled(role) || person?.authId === authId;

/** Accounts by event, one by one and as a list. */
async function checkAccounts(seen: Seen): Promise<string | undefined> {
  const { role, asker, rules, person } = seen;
  const profiles = new Map((await role.rows('profile')).map((row) => [row.profile_id, row]));
  const toWanted = (other: Person, action: Action): Row | undefined => {
    const shown = pick(rules('profile', action), profiles.get(other.profileId) as Row, asker);
    const isOwn = person?.authId === other.authId;
    if (shown === undefined && !isOwn) return undefined;
    const email = showsEmail(seen, other.authId) ? { auth_slug: `${other.name}@example.org` } : {};
    return { auth_id: other.authId, profile_id: other.profileId, ...shown, ...email };
  };
  const keep = (row: Row | undefined): Row | undefined =>
    row &&
    Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith('auth_') || /_(?:id|slug)$/.test(name)));
  for (const other of role.people) {
    const wanted = toWanted(other, 'detail');
    const byId = await get(seen, `/door/auth-detail?auth_id=${other.authId}`);
    const difference = tell('account', seen, keep(byId.status === 200 ? byId.json().results : undefined), wanted);
    if (difference !== undefined) return difference;
    const byEmail = await get(seen, `/door/auth-detail?auth_slug=${other.name}@example.org`);
    const isFound = wanted?.auth_slug !== undefined;
    if ((byEmail.status === 200) !== isFound) return tell('by e-mail', seen, byEmail.status, isFound);
  }
  const list = await get(seen, '/door/auth-search?limit=100');
  if (rules('profile', 'search').length === 0) return tell('list', seen, list.status, 403);
  const wanted = role.people.flatMap((other) =>
    isVisible(rules('profile', 'search'), profiles.get(other.profileId) as Row, asker)
      ? (toWanted(other, 'search') ?? [])
      : [],
  );
  const ids = new Set(role.people.map(({ authId }) => authId));
  const rows = (list.json().results.rows as Row[]).filter((row) => ids.has(Number(row.auth_id)));
  const searched = await get(seen, '/door/auth-search?q=p1');
  const maySearch = asker.isAdmin || !isProfileRuled(role);
  return (
    tell('list', seen, rows.map(keep), wanted) ?? tell('search by e-mail', seen, searched.status, maySearch ? 200 : 403)
  );
}

/** The rows of an export in the admin section. */
async function checkExport(seen: Seen): Promise<string | undefined> {
  const { role, asker, rules } = seen;
  for (const schema of ['note', 'tag']) {
    const answer = await get(seen, `/admin/system/model/${schema}/export?format=json`);
    const isOpen = asker.isAdmin || asker.held.some((slug) => slug === 'one' || slug === 'two');
    if (!isOpen || rules(schema, 'search').length === 0) {
      if (answer.status === 200) return `exported ${schema} for ${asker.held}`;
      continue;
    }
    const isThere = (row: Row): boolean => row[`${schema}_active`] === 1;
    const wanted = (await role.rows(schema))
      .filter(isThere)
      .flatMap((row) => pick(rules(schema, 'search'), row, asker) ?? []);
    const own = (row: Row): Row =>
      Object.fromEntries(
        Object.entries(row).filter(
          ([name, value]) => value !== null && (name.startsWith(`${schema}_`) || name === 'profile_id'),
        ),
      );
    const difference = tell(`export of ${schema}`, seen, (answer.json() as Row[]).map(own), (wanted as Row[]).map(own));
    if (difference !== undefined) return difference;
  }
  return undefined;
}

const CHECKS = { data: checkData, accounts: checkAccounts, exports: checkExport };

for (const seed of SEEDS) {
  test(`the data file, accounts and exports show what the rules let a person see, for rules drawn by seed ${seed}`, async () => {
    const random = createRandom(seed);
    const role = await startRoleWorld(drawRoles(random), random);
    const { app } = role.world.site;
    for (let index = 0; index < 5; index += 1)
      await app.emit('system-model-remove', { schema: 'note', note_id: 1 + random.below(24) } as never);
    try {
      const wrong: string[] = [];
      for (const person of [undefined, ...role.people]) {
        const seen = await see(role, person);
        for (const [name, check] of Object.entries(CHECKS)) {
          const difference = await check(seen);
          if (difference !== undefined) wrong.push(`${name}: ${difference}`);
        }
      }
      assert.is(wrong.length, 0, wrong.slice(0, 6).join('\n'));
    } finally {
      await role.world.close();
    }
  });
}

test.run();
