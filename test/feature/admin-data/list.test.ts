import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startThings, type Things } from './_things.ts';

const test = suite('lists of rows in the admin section');

const SEARCH = '/admin/system/model/thing/search';
const world = {} as Things;

test.before(async () => {
  Object.assign(world, await startThings());
});
test.after(() => world.site.close());

/** The ids of the rows on a page. */
const listIds = (html: string): number[] => [...html.matchAll(/<tr data-id="(\d+)"/g)].map(([, id]) => Number(id));

const all = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);

const PAGES: readonly (readonly [string, readonly number[]])[] = [
  ['', all(1, 11)],
  ['?q=Thing+7', [7]],
  ['?filter[thing_kind]=b', [2, 4, 6, 8, 10]],
  ['?filter[thing_price][gte]=9', all(6, 11)],
  ['?filter[thing_price][between]=3,6', [2, 3, 4]],
  ['?filter[thing_name][starts]=Thing+1', [1, 10, 11]],
  ['?filter[thing_meta][size]=5', [5]],
  ['?filter[thing_meta.size][in]=5,6', [5, 6]],
  ['?filter[thing_on]=0&sort=-thing_price', [10, 8, 6, 4, 2]],
  ['?filter[thing_active]=0', [12]],
  ['?filter[thing_active]=any&filter[thing_id][gte]=11', [11, 12]],
  ['?limit=10&offset=10', [11]],
];

for (const [query, ids] of PAGES) {
  test(`a list shows the rows of its address: ${query === '' ? 'none' : query}`, async () => {
    const page = await world.admin.get(`${SEARCH}${query}`);
    assert.is(page.status, 200);
    assert.equal(listIds(page.text), ids);
  });
}

test('texts of rows are escaped, formats apply, and the related row has its label', async () => {
  const { text } = await world.admin.get(SEARCH);
  assert.not.match(text, '<b>Three</b>');
  assert.match(text, '>Banana<');
  assert.match(text, '>Yes<');
  assert.match(text, /<a href="\/admin\/system\/model\/profile\/detail\/1">Ada<\/a>/);
});

test('cursors lead through all pages and say which rows they show', async () => {
  const seen: number[] = [];
  let next: string | undefined = '?limit=5&sort=-thing_price';
  const ranges: string[] = [];
  while (next !== undefined) {
    const { text }: { text: string } = await world.admin.get(`${SEARCH}${next}`);
    seen.push(...listIds(text));
    ranges.push(/(\d+ to \d+ of \d+)/.exec(text)?.[1] ?? '');
    next = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&').replaceAll('&#x3D;', '=');
  }
  assert.equal(seen, all(1, 11).reverse());
  assert.equal(ranges, ['1 to 5 of 11', '6 to 10 of 11', '11 to 11 of 11']);
});

const FORMS: readonly (readonly [string, string])[] = [
  ['form=1&q=a+b', '?q=a%20b'],
  ['form=1&where[0][name]=thing_price&where[0][op]=gte&where[0][value]=5', '?filter[thing_price][gte]=5'],
  [
    'form=1&where[0][name]=thing_kind&where[0][op]=eq&where[0][value]=a&add=thing_on',
    '?filter[thing_kind]=a&add=thing_on',
  ],
  ['form=1&where[0][name]=thing_name&where[0][op]=contains&where[0][value]=', ''],
  ['form=1&where[0][name]=thing_name&where[0][op]=empty', '?filter[thing_name][null]=1'],
  [
    'form=1&where[0][name]=thing_meta&where[0][key]=size&where[0][op]=eq&where[0][value]=5',
    '?filter[thing_meta.size]=5',
  ],
  ['form=1&removed=any&limit=50&fields[]=thing_name', '?filter[thing_active]=any&fields=thing_name'],
  ['form=1&removed=&limit=25&sort[thing_price]=DESC', '?sort=-thing_price&limit=25'],
];

for (const [form, query] of FORMS) {
  test(`the form's address is rewritten in the grammar: ${form}`, async () => {
    const answer = await world.admin.get(`${SEARCH}?${form}`);
    assert.is(answer.status, 303);
    assert.is(answer.location, `${SEARCH}${query}`);
    assert.is((await world.admin.get(answer.location)).status, 200);
  });
}

const FAULTS: readonly (readonly [string, RegExp])[] = [
  ['?filter[thing_price][gte]=abc', /id="t-fault-0">Price must be a number\./],
  ['?filter[thing_nothing]=1', /id="t-fault-0">[^<]*thing_nothing/],
  ['?limit=1000', /role="alert"><p>[^<]*limit/],
  ['?sort=thing_note', /role="alert"><p>[^<]*not sortable/],
];

for (const [query, message] of FAULTS) {
  test(`a list that cannot be shown says why and keeps what was typed: ${query}`, async () => {
    const page = await world.admin.get(`${SEARCH}${query}`);
    assert.is(page.status, 400);
    assert.match(page.text, message);
  });
}

test('a typed value stays in its field', async () => {
  const { text } = await world.admin.get(`${SEARCH}?filter[thing_price][gte]=abc`);
  assert.match(text, /name="where\[0\]\[value\]" value="abc"/);
});

test('a role sees only its columns, and no action that it lacks', async () => {
  const { text } = await world.editor.get(`${SEARCH}?fields=thing_name,thing_price`);
  assert.equal(listIds(text), all(1, 11));
  // The address itself may be on the page, to come back to it.
  assert.not.match(text, /value="thing_price"|-thing_price|>Price</);
  assert.not.match(text, /\/create"|\/import"/);
  assert.match(text, /href="update\/1"/);
  const hidden = await world.editor.get(`${SEARCH}?filter[thing_price][gte]=3`);
  assert.is(hidden.status, 400);
});

test('an unknown schema is 404, and one that the role may not search is 403', async () => {
  assert.is((await world.admin.get('/admin/system/model/nothing/search')).status, 404);
  const closed = await world.site.as('User');
  assert.is((await closed.get(SEARCH)).status, 403);
});

test.run();
