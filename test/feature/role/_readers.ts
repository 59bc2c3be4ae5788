import { isDeepStrictEqual } from 'node:util';
import type { Row } from '../../../src/database/row-statement.ts';
import { ask } from '../../client.ts';
import { type Asker, isVisible, listRules, type Rule, show } from './_oracle.ts';
import type { Action, Person, RoleWorld } from './_world.ts';

/** A stored row without the columns that it hides; undefined for a hidden row. */
const pick = (rules: readonly Rule[], row: Row, asker: Asker): Row | undefined =>
  isVisible(rules, row, asker) ? show(rules, row, asker) : undefined;

export interface Seen {
  readonly role: RoleWorld;
  readonly person: Person | undefined;
  readonly asker: Asker;
  rules(schema: string, action: Action): Rule[];
}

export async function see(role: RoleWorld, person: Person | undefined): Promise<Seen> {
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

/** The cells of a CSV file; none holds a line break. */
function parseCsv(text: string): Row[] {
  const split = (line: string): string[] =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
      quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
    );
  const [head = '', ...lines] = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const names = split(head);
  return lines.map((line) => Object.fromEntries(split(line).map((cell, index) => [names[index] ?? '', cell])));
}

const PARSERS: Readonly<Record<string, (text: string) => Row[]>> = {
  json: (text) => JSON.parse(text),
  ndjson: (text) => (text === '' ? [] : text.trim().split('\n')).map((line) => JSON.parse(line)),
  csv: parseCsv,
};

/** The rows of an export in the admin section, in each format, and their rows' links to tags. */
async function checkExport(seen: Seen): Promise<string | undefined> {
  const { role, asker, rules } = seen;
  const isOpen = asker.isAdmin || asker.held.some((slug) => slug === 'one' || slug === 'two');
  const tags = new Map((await role.rows('tag')).map((tag) => [tag.tag_id, tag]));
  const links = await role.rows('note_tag');
  const listTags = (note: Row): unknown[] =>
    links
      .filter(({ note_id: id }) => id === note.note_id)
      .map(({ tag_id: id }) => id)
      .filter((id) => tags.get(id)?.tag_active === 1 && isVisible(rules('tag', 'detail'), tags.get(id) as Row, asker));
  for (const schema of ['note', 'tag', 'profile']) {
    const stored = (await role.rows(schema)).filter((row) => row[`${schema}_active`] === 1);
    for (const [format, parse] of Object.entries(PARSERS)) {
      const answer = await get(seen, `/admin/system/model/${schema}/export?format=${format}`);
      if (!isOpen || rules(schema, 'search').length === 0) {
        if (answer.status === 200) return `exported ${schema} for ${asker.held}`;
        continue;
      }
      const wanted = stored.flatMap((row) => pick(rules(schema, 'search'), row, asker) ?? []);
      // A CSV file has texts, and empty cells where nothing shows.
      const toText = (row: Row): Row =>
        Object.fromEntries(
          Object.entries(row)
            .filter(([name, value]) => value !== null && value !== '' && FIELD.test(name))
            .map(([name, value]) => [name, String(value)]),
        );
      const difference = tell(
        `export of ${schema} as ${format}`,
        seen,
        parse(answer.text).map(toText),
        (wanted as Row[]).map(toText),
      );
      if (difference !== undefined) return difference;
      if (schema !== 'note' || rules('tag', 'detail').length === 0) continue;
      const listed = parse(answer.text).map(({ note_id: id, tag: ids }) => [Number(id), toIds(ids)]);
      const linked = (wanted as Row[]).map((row) => [row.note_id, toIds(listTags(row))]);
      const wrong = tell(`links of an export as ${format}`, seen, listed, linked);
      if (wrong !== undefined) return wrong;
    }
  }
  return undefined;
}

const FIELD = /^(?:note|tag|profile)_(?!tag)/;
const toIds = (value: unknown): string =>
  (Array.isArray(value) ? value : (String(value ?? '').match(/\d+/g) ?? []))
    .map(Number)
    .sort((a, b) => a - b)
    .join();

export const CHECKS = { data: checkData, accounts: checkAccounts, exports: checkExport };
