// Also on PostgreSQL: filters of a request become SQL.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toWords } from '../../src/model/split-words.ts';
import { type Answer, ask } from '../client.ts';
import { NASTY } from './_nasty.ts';
import { startWorld, type World } from './_world.ts';

/** Any input to a search gives an answer or a refusal, never a server error, and reveals nothing of the statement. */
const test = suite('security: search');

/** Internals: a statement, a table of Treadle's own, an error of an engine or its driver. */
const INSIDE =
  /\bselect\b.+\bfrom\b|insert into|treadle_(?!auth\.)\w|sqlite|fts5|tsquery|jsonb|jsonpath|syntax error|near "|no such (?:table|column)|malformed|relation ".*" does not exist|invalid input syntax|at \w+ \(|node_modules/i;

let world: World;

test.before(async () => {
  world = await startWorld((project) => {
    project.edit('config/schema/thing.json', ({ fields }) => {
      const data = (fields as Record<string, unknown>[]).find(({ name }) => name === 'data');
      Object.assign(data ?? {}, { filterable: true, sortable: true });
    });
    project.edit('config/rest/public-thing-search.json', (call) => {
      call.aggregate = ['group', 'sum', 'count'];
    });
  });
  for (const [index, text] of NASTY.entries()) {
    const thing = { thing_name: text.slice(0, 255), thing_count: index, thing_data: { key: text } };
    await world.site.app.emit('system-model-create', { schema: 'thing', profile_id: 1, ...thing });
  }
});

test.after(() => world.close());

const search = (query: string, path = '/rest/public/thing/search'): Promise<Answer> =>
  ask(`${world.url}${path}?${query}`);

/** The fault of an answer; undefined for a correct one. A refusal may repeat the input, which is removed first. */
function findFault({ status, text: body }: Answer, sent: string): string | undefined {
  // 431: the URL alone is longer than any server accepts.
  if (status === 431) return undefined;
  if (status !== 200 && status !== 400) return `status ${status}`;
  if (status === 200) return undefined;
  const own = JSON.parse(body) as { validation?: Record<string, string>; message: string };
  const said = [own.message, ...Object.values(own.validation ?? {})].join('\n');
  const quoted = said
    .split(sent.slice(0, 64))
    .join('')
    .replace(/"[^"]*"/g, '');
  return INSIDE.test(quoted) ? `it says ${said.slice(0, 300)}` : undefined;
}

const encode = (text: string): string => {
  try {
    return encodeURIComponent(text);
  } catch {
    // Half a surrogate pair, encoded as a careless client would.
    return '%ED%A0%80';
  }
};

/** Each place of the grammar for a text. */
const PLACES: readonly ((text: string) => string)[] = [
  (text) => `q=${text}`,
  (text) => `q=a+${text}&sort=-thing_created`,
  (text) => `q[]=${text}&q[]=b`,
  (text) => `sort=${text}`,
  (text) => `sort=-${text},thing_id`,
  (text) => `sort[${text}]=DESC`,
  (text) => `sort[thing_count]=${text}`,
  (text) => `order[${text}]=ASC`,
  (text) => `filter=${text}`,
  (text) => `filter[${text}]=1`,
  (text) => `filter[${text}][contains]=1`,
  (text) => `filter[${text}][null]=1`,
  (text) => `filter[${text}][in]=1,2`,
  (text) => `filter[thing_name]=${text}`,
  (text) => `filter[thing_name][contains]=${text}`,
  (text) => `filter[thing_name][starts]=${text}`,
  (text) => `filter[thing_name][in][]=${text}`,
  (text) => `filter[thing_name][nin]=${text}`,
  (text) => `filter[thing_name][gt]=${text}`,
  (text) => `filter[thing_name][${text}]=1`,
  (text) => `filter[thing_count]=${text}`,
  (text) => `filter[thing_count][lt]=${text}`,
  (text) => `filter[thing_count][in]=${text}`,
  (text) => `filter[thing_count][between]=${text},${text}`,
  (text) => `filter[thing_id][gte]=${text}`,
  (text) => `filter[thing_day][lte]=${text}`,
  (text) => `filter[thing_flag]=${text}`,
  (text) => `filter[thing_active]=${text}`,
  (text) => `filter[thing_tags]=${text}`,
  (text) => `filter[thing_tags][in]=${text}`,
  (text) => `filter[thing_data.key]=${text}`,
  (text) => `filter[thing_data.key][gt]=${text}`,
  (text) => `filter[thing_data.key][contains]=${text}`,
  (text) => `filter[thing_data.key][nin][]=${text}`,
  (text) => `filter[thing_data.${text}]=1`,
  (text) => `filter[thing_data][${text}][has]=1`,
  (text) => `filter[profile.profile_name]=${text}`,
  (text) => `filter[profile.${text}]=1`,
  (text) => `sort=thing_data.${text}`,
  (text) => `sort=thing_data.key&after=${text}`,
  (text) => `after=${text}`,
  (text) => `before=${text}&sort=thing_name`,
  (text) => `limit=${text}`,
  (text) => `offset=${text}`,
  (text) => `fields=${text}`,
  (text) => `fields=thing_name,${text}`,
  (text) => `expand=${text}`,
  (text) => `total=${text}`,
  (text) => `group=${text}`,
  (text) => `group=thing_day:${text}`,
  (text) => `group=thing_name&sort=${text}`,
  (text) => `sum=${text}`,
  (text) => `count=${text}`,
  (text) => `like[${text}]=1`,
  (text) => `like[thing_name]=${text}`,
  (text) => `span[thing_count][]=${text}`,
  (text) => `null=${text}`,
  (text) => `notnull[]=${text}`,
  (text) => `${text}=1`,
];

/**
 * One of this many pairs of text and place is sent: each text to many places and each place with many texts; all with
 * FUZZ_COUNT.
 */
const SHARE = process.env.FUZZ_COUNT === undefined ? 5 : 1;

test('answers nasty texts at every place of the grammar', async () => {
  const faults: string[] = [];
  const all = PLACES.flatMap((place, row) => NASTY.map((text, column) => ({ place, text, index: row + column })));
  const queue = all
    .filter(({ index }) => index % SHARE === 0)
    .map(({ place, text }) => [place(encode(text)), text] as const);
  const work = async (): Promise<void> => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const [query, text] = next;
      const fault = findFault(await search(query), text);
      if (fault !== undefined) faults.push(`${query.slice(0, 200)}: ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  const logged = world.log.filter((line) => /"level":"error"/.test(line)).slice(0, 5);
  assert.equal([faults.length, faults.slice(0, 10), logged], [0, [], []]);
  const { text: body } = await search('limit=1');
  assert.ok(JSON.parse(body).results.total > 150, 'and everything is still there');
});

test('finds each nasty text that it keeps, by its words, by itself and by its place in JSON', async () => {
  const missing: string[] = [];
  for (const [index, text] of NASTY.entries()) {
    const name = text.slice(0, 255);
    const found = async (query: string): Promise<boolean> => {
      const { status, text: body } = await search(`${query}&limit=100&total=0&fields=thing_count`);
      if (status !== 200) return false;
      const { rows } = (JSON.parse(body) as { results: { rows: { thing_count: number }[] } }).results;
      return rows.some((row) => row.thing_count === index);
    };
    const isKept = await found(`filter[thing_count]=${index}`);
    if (!isKept || /[\ud800-\udfff]/u.test(name)) continue;
    const words = toWords(name);
    const isAsked = words.length > 0 && words.length <= 32;
    const only = `filter[thing_count]=${index}`;
    if (isAsked && !(await found(`q=${encodeURIComponent(name)}&${only}`))) missing.push(`q ${name}`);
    if (name === name.trim() && !(await found(`filter[thing_name]=${encodeURIComponent(name)}`)))
      missing.push(`eq ${name}`);
    if (text.length <= 1000 && !(await found(`filter[thing_data.key]=${encodeURIComponent(text)}&${only}`)))
      missing.push(`path ${name}`);
  }
  assert.equal(missing, []);
});

test('shows nobody a removed row or a hidden column by asking otherwise', async () => {
  const { app } = world.site;
  const made = await app.emit('system-model-create', { schema: 'thing', thing_name: 'vanished', profile_id: 1 });
  const id = made.getResults('thing_id');
  await app.emit('system-model-remove', { schema: 'thing', thing_id: id });
  for (const query of ['', '?filter[thing_active]=any', '?filter[thing_active]=0', '?filter[thing_active][eq]=any']) {
    const path = `/rest/public/thing/detail/${id}${query}`;
    assert.is((await ask(world.url + path)).status, 404, path);
  }
  for (const query of [
    'filter[profile.profile_pin]=x',
    'filter[profile_pin][null]=0',
    'sort=profile_pin',
    'fields=thing_pin',
    'group=thing_pin',
    'count=profile_pin',
    'filter[thing_pin][starts]=$',
  ]) {
    assert.is((await search(query)).status, 400, query);
  }
  assert.is((await search('filter[comment.comment_detail]=x', '/rest/public/profile/search')).status, 400);
  assert.is((await search('group=article_title', '/rest/public/article/search')).status, 400, 'a call that opens none');
  const page = await ask(`${world.url}/articles?group=article_title&count=1`);
  assert.is(page.status, 200);
  assert.match(page.text, '/article/1', 'a page is what its own code makes of it');
});

test.run();
