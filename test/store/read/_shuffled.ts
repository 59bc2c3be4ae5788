import { createApp } from '../../../src/boot.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { createLog } from '../../../src/core/log/log.ts';
import type { Row } from '../../../src/database/row-statement.ts';
import { boot, type Site } from '../../boot.ts';
import { ask, bearer } from '../../client.ts';
import type { Project } from '../../project.ts';

/** One request of one person. */
export interface Asked {
  readonly who: string;
  readonly path: string;
}

type Shuffle = <T>(list: readonly T[]) => T[];

/** Puts lists into an order that the seed tells. @see mulberry32 */
export function createShuffle(seed: number): Shuffle {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return (list) => {
    const all = [...list];
    for (let index = all.length - 1; index > 0; index -= 1) {
      const other = Math.floor(next() * (index + 1));
      [all[index], all[other]] = [all[other] as never, all[index] as never];
    }
    return all;
  };
}

const QUIET = createLog({ clock: systemClock, write: () => undefined });
const flags = { filterable: true, sortable: true };
/** The rules are those of the roles below: rows, a mask in some rows, related rows only. */
const SCHEMAS = ['held', 'masked', 'free'];
const PEOPLE = ['visitor', 'Ann', 'Bob', 'Cat'];
const WORDS = ['wool', 'silk', 'linen', 'felt', 'tweed', 'extraordinary'];

const toSchema = (name: string) => ({
  name,
  singular: name,
  plural: `${name}s`,
  fields: [
    { name: 'title', type: 'text', searchable: true, ...flags },
    { name: 'tone', type: 'text', ...flags },
    { name: 'rank', type: 'number', ...flags },
    { name: 'spec', type: 'rawjson', ...flags },
    { name: 'active', type: 'active' },
  ],
  relations: [
    // A profile joins its own words to those of the schema; a schema without it counts words by the pages of its index.
    name === 'free' ? { schema: 'profile', kind: '1:0' } : { schema: 'profile', kind: '1:1' },
    { schema: 'tag', kind: 'N:N' },
  ],
  // Conditions that rules and requests fix are written with their values.
  indexes: [
    { columns: ['tone', '-rank'], where: { tone: 'low' } },
    { columns: ['rank', 'title'], where: { rank: { gte: 2 } } },
    { columns: ['title', '-rank'], where: { tone: ['loud', 'red'] } },
  ],
});

const both = (rule: unknown) => ({ search: rule, detail: rule });
const ROLES: Readonly<Record<string, Row>> = {
  guest: {
    held: both({ filter: { held_rank: { lte: 3 } } }),
    masked: both({ filter: { masked_tone: 'low' }, read: ['title', 'rank'] }),
    profile: both({ filter: { profile_name: { ne: 'Bob' } }, read: ['name'] }),
    tag: both({ filter: { tag_level: { gte: 1 } } }),
  },
  user: {
    held: both({ filter: { profile_id: '$me.profile_id' } }),
    masked: both({ filter: { masked_rank: { gte: 2 } }, read: ['*', '-spec'] }),
    profile: both({ filter: { profile_id: '$me.profile_id' } }),
    tag: both({ filter: { tag_level: { gte: 2 } } }),
  },
  staff: {
    held: both(true),
    masked: both({ filter: { masked_tone: { in: ['loud', '$me.profile_team'] } } }),
    profile: both({ filter: { profile_team: '$me.profile_team' } }),
    tag: both(true),
  },
};

function writeConfig(project: Project): void {
  const write = (file: string, value: unknown): void => project.write(`config/${file}`, value);
  for (const name of SCHEMAS) write(`schema/${name}.json`, toSchema(name));
  const tag = [
    { name: 'word', type: 'text', ...flags },
    { name: 'level', type: 'number', ...flags },
  ];
  const relations = [{ schema: 'held', kind: '1:0' }];
  write('schema/tag.json', { name: 'tag', singular: 'tag', plural: 'tags', fields: tag, relations });
  project.edit<{ fields: Row[] }>('config/schema/profile.json', ({ fields }) => {
    for (const field of fields) if (field.name === 'name') Object.assign(field, flags);
    fields.push({ name: 'team', type: 'text', ...flags }, { name: 'phone', type: 'text', ...flags });
  });
  for (const access of ['public', 'user'])
    for (const schema of SCHEMAS)
      for (const [action, end] of [
        ['search', 'search'],
        ['detail', `detail/:${schema}_id`],
      ]) {
        const call = { method: 'get', path: `/${access}/${schema}/${end}`, event: `system-model-${action}` };
        const more = access === 'user' ? { own: false } : {};
        const aggregate = action === 'search' ? { aggregate: ['group', 'sum', 'count', 'least'] } : {};
        const title = `${access}-${schema}-${action}`;
        write(`rest/${title}.json`, {
          title,
          access,
          open: true,
          parameters: { schema },
          ...call,
          ...more,
          ...aggregate,
        });
      }
  const calls = SCHEMAS.flatMap((schema) => [`user-${schema}-search`, `user-${schema}-detail`]);
  write('scope/all.json', { slug: 'all', name: 'All', access: 'user', calls });
  const app = { title: 'Shuffler', clientId: 'shuffler', redirectUris: ['https://app.example/cb'], scopes: ['all'] };
  write('app/shuffler.json', { ...app, owner: 'owen@example.org', website: 'https://app.example' });
  for (const [slug, data] of Object.entries(ROLES))
    write(`role/${slug}.json`, { slug, name: slug, permissions: [], data });
}

const toTitle = (index: number): string => {
  const words = WORDS.filter((_, place) => (index >> place) % 2 === 1 || index % 9 === 0);
  return `${words.length === 0 ? 'wool' : words.join(' ')} ${index}`;
};

async function fill(site: Site): Promise<void> {
  for (let level = 0; level < 4; level += 1)
    await site.emit('system-model-create', { schema: 'tag', tag_word: WORDS[level], tag_level: level });
  for (const schema of SCHEMAS)
    for (let index = 0; index < 36; index += 1) {
      const row = {
        [`${schema}_title`]: toTitle(index),
        [`${schema}_tone`]: ['low', 'loud', 'red', 'blue'][index % 4],
        [`${schema}_rank`]: index % 6,
        [`${schema}_spec`]: { size: (index * 7) % 5, hue: WORDS[index % 5] },
        profile_id: 1 + (index % 3),
      };
      const made = await site.emit('system-model-create', { schema, ...row });
      const id = made.getResults(`${schema}_id`);
      const link = { schema1: schema, schema2: 'tag', [`${schema}_id`]: id, tag_id: 1 + (index % 4) };
      await site.emit('system-relation-link', link);
    }
  for (let tag = 1; tag <= 4; tag += 1)
    await site.emit('system-model-update', { schema: 'tag', tag_id: tag, held_id: tag * 3 });
}

export interface Shuffled {
  /** Every request. */
  readonly all: readonly Asked[];
  /** Answers of a new server that gets the requests in this order, by `who path`. */
  answer(order: readonly Asked[]): Promise<ReadonlyMap<string, string>>;
  close(): Promise<void>;
}

export const toKey = ({ who, path }: Asked): string => `${who} ${path}`;

/** The requests without a cursor: each takes one of every kind of parameter that adds a value to a statement, or none. */
function listPaths(schema: string): string[] {
  const totals = ['total=0', '', 'total=3'];
  const words = ['', 'q=wool', 'q=wool+silk+linen+felt+tweed', 'q=extraordinary'];
  const sorts = ['', `sort=${schema}_spec.size`, `sort=-${schema}_rank`];
  const filters = [
    '',
    'filter[tag.tag_level][gte]=2',
    'filter[profile.profile_name]=Ann',
    // Alternatives of the same conditions as one, as two, and beside another.
    `filter[or][0][${schema}_tone]=low&filter[or][0][${schema}_rank][gte]=2`,
    `filter[or][0][${schema}_tone]=low&filter[or][1][${schema}_rank][gte]=2`,
    `filter[or][0][tag.tag_level]=3&filter[${schema}_rank][gte]=2`,
  ];
  const rows = totals.flatMap((total) =>
    words.flatMap((q) => sorts.flatMap((sort) => filters.map((filter) => [total, q, sort, filter]))),
  );
  const groups = totals.flatMap((total) =>
    words.flatMap((q) => ['', `least=${schema}_rank`].map((least) => [total, q, `group=${schema}_rank`, least])),
  );
  return [...rows, ...groups].map((parts) => ['limit=3', ...parts].filter((part) => part !== '').join('&'));
}

const isGrouped = (path: string): boolean => path.includes('group=');

/**
 * A site with rules, rows and people, whose servers are started and stopped.
 *
 * @param choose Takes some of the first pages. Default: all.
 */
export async function startShuffled(choose: Shuffle = (list) => [...list]): Promise<Shuffled> {
  const site = await boot({ template: 'blog', settings: { limits: { perMinute: 1_000_000 } }, change: writeConfig });
  const tokens = new Map<string, string>();
  const teams: Row = { Ann: 'red', Bob: 'blue', Cat: 'red' };
  for (const name of PEOPLE.slice(1)) await site.as(name, name === 'Cat' ? ['staff'] : []);
  const { kysely } = site.app.services.database;
  for (const [name, team] of Object.entries(teams)) {
    const set = { profile_team: team, profile_phone: `phone of ${name}` };
    await kysely.updateTable('profile').set(set).where('profile_name', '=', name).execute();
    const found = await kysely.selectFrom('profile').select('profile_id').where('profile_name', '=', name).execute();
    tokens.set(name, await site.token({ client: 'shuffler', profile: Number(found[0]?.profile_id), scopes: ['all'] }));
  }
  await fill(site);
  await site.app.close();

  const answer: Shuffled['answer'] = async (order) => {
    const app = await createApp({ mode: 'test', env: {}, log: QUIET, root: site.root });
    try {
      const url = await app.listen({ port: 0, host: '127.0.0.1' });
      const answers = new Map<string, string>();
      for (const asked of order) {
        const token = tokens.get(asked.who);
        const found = await ask(`${url}/rest/${token === undefined ? 'public' : 'user'}${asked.path}`, {
          headers: token === undefined ? {} : bearer(token),
        });
        answers.set(toKey(asked), `${found.status} ${found.text}`);
      }
      return answers;
    } finally {
      await app.close();
    }
  };

  const plain = choose(
    SCHEMAS.flatMap((schema) =>
      PEOPLE.flatMap((who) => listPaths(schema).map((query) => ({ who, path: `/${schema}/search?${query}` }))),
    ),
  );
  const details = SCHEMAS.flatMap((schema) =>
    PEOPLE.flatMap((who) => [1, 2, 5, 8].map((id) => ({ who, path: `/${schema}/detail/${id}` }))),
  );
  const expanded = ['expand=tag', 'expand=tag.held', `expand=tag.held&fields=tag.tag_word,tag.held.held_tone`];
  const lists = SCHEMAS.flatMap((schema) =>
    PEOPLE.flatMap((who) => expanded.map((expand) => ({ who, path: `/${schema}/search?limit=5&${expand}&total=0` }))),
  );
  const first = await answer(plain.filter(({ path }) => !isGrouped(path)));
  const later = plain.flatMap((asked) => {
    const next = /"next":"([^"]+)"/.exec(first.get(toKey(asked)) ?? '')?.[1];
    return next === undefined ? [] : [{ who: asked.who, path: `${asked.path}&after=${encodeURIComponent(next)}` }];
  });
  return {
    all: [...plain, ...later, ...details, ...lists],
    answer,
    close: () => site.project.remove(),
  };
}

/** The requests that two servers answer in another way, in words. */
export function listDifferences(
  one: ReadonlyMap<string, string>,
  other: ReadonlyMap<string, string>,
): readonly string[] {
  return [...one].flatMap(([key, text]) =>
    other.get(key) === text ? [] : [`${key}\n  ${text.slice(0, 300)}\n  ${other.get(key)?.slice(0, 300)}`],
  );
}

const toTotal = (text: string | undefined): string | undefined =>
  /"total":\d+(,"total_more":true)?/.exec(text ?? '')?.[0];

/** Totals that depend on the page, and answers of the server that say it failed. */
export function listFaults(all: readonly Asked[], answers: ReadonlyMap<string, string>): readonly string[] {
  return all.flatMap((asked) => {
    const text = answers.get(toKey(asked)) ?? '';
    if (text.startsWith('5')) return [`${toKey(asked)}\n  ${text.slice(0, 300)}`];
    const start = { who: asked.who, path: asked.path.replace(/&after=.*/, '') };
    if (start.path === asked.path || !answers.has(toKey(start))) return [];
    const [here, there] = [toTotal(text), toTotal(answers.get(toKey(start)))];
    return here === there ? [] : [`${toKey(asked)}: ${here}, and on the first page ${there}`];
  });
}
