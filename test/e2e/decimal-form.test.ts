// Decimals as people type and see them, in three languages: in a form of the project and in the admin section. Also on PostgreSQL.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';
import type { Client, Form } from '../client.ts';
import { readForm } from '../form-post.ts';
import type { Project } from '../project.ts';

const test = suite('e2e/decimal-form');

const FIELDS = [
  { name: 'title', label: 'Title', type: 'text' },
  {
    ...{ name: 'price', label: 'Price', type: 'decimal', precision: 12, scale: 2, currency: 'EUR' },
    ...{ filterable: true, sortable: true, attributes: { min: 0, max: 5000 } },
  },
  { name: 'weight', label: 'Weight', type: 'decimal', precision: 9, scale: 3, filterable: true },
  { name: 'pieces', label: 'Pieces', type: 'decimal', precision: 9, scale: 0 },
  { name: 'parts', label: 'Parts', type: 'fieldset', fieldset: 'part', multiple: true },
];
const NAMES = ['title', 'price', 'weight', 'pieces', 'parts'].map((name) => `good_${name}`);

const FILES: Readonly<Record<string, string>> = {
  'config/schema/good.json': JSON.stringify({
    name: 'good',
    singular: 'Good',
    plural: 'Goods',
    display: 'for {{good_price}}',
    fields: FIELDS,
  }),
  'config/fieldset/part.json': JSON.stringify({
    ...{ name: 'part', singular: 'Part', plural: 'Parts' },
    fields: [{ name: 'share', label: 'Share', type: 'decimal', precision: 6, scale: 3 }],
  }),
  'app/www/.treadle.ts': `import page from './src/controller/page';\nexport default [page];\n`,
  'app/www/src/controller/page.ts': `export default function page(app) {
  const show = async (request, response) => {
    const id = request.getParameters('id');
    const found = id === undefined ? undefined : await app.emit('system-model-detail', { schema: 'good', good_id: id });
    response.setContent(app.package('/app/www').view('form', { item: found?.getResults() }));
  };
  app.get('/new', show);
  app.get('/good/:id', show);
  app.post('/new', async (request, response) => {
    request.setStage('schema', 'good');
    await app.emit('system-model-create', request, response);
    if (response.isError()) return app.reroute('get', '/new', request, response);
    response.setRedirect('/good/' + response.getResults('good_id'));
  });
}
`,
  'app/www/src/template/form.html': `<!doctype html>{{#form}}${NAMES.map((name) => `{{field "${name}"}}`).join('\n')}{{/form}}
<p>{{price item.good_price "EUR"}}|{{price item.good_weight}}|{{number item.good_weight 1}}|{{format item.good_weight "decimal"}}|{{#when item.good_price '==' 1234.5}}same{{/when}}{{#when item.good_price '>' 99}}more{{/when}}</p>`,
};

const change = (project: Project) =>
  project.cli('rest', 'generate', 'good', '--access', 'public', '--action', 'create');
const world = {} as { site: Site; admin: Client };
test.before(async () => {
  world.site = await boot({
    template: 'bare',
    files: FILES,
    settings: { languages: ['en', 'de', 'fa'], api: true },
    change,
  });
  world.admin = await world.site.as('Ada', ['admin']);
});
test.after(() => world.site.close());

const speak = (tag: string) => ({ 'accept-language': tag });
const post = (visitor: Client, path: string, form: Form, tag: string) =>
  visitor.send('POST', path, { form, headers: { ...speak(tag), 'sec-fetch-site': 'same-origin' } });
const plainText = (html: string): string => html.replaceAll('&nbsp;', ' ').replace(/[\u00a0\u202f]/g, ' ');

/** Posts the project's form as a browser does. */
async function create(tag: string, typed: Readonly<Record<string, string>>) {
  const visitor = world.site.browser();
  const form = readForm((await visitor.get('/new', speak(tag))).text, '<form');
  return post(visitor, '/new', { ...form, ...typed }, tag);
}

const stored = async (location: string | undefined): Promise<Record<string, unknown>> => {
  const found = await world.site.emit('system-model-detail', { schema: 'good', good_id: location?.split('/').at(-1) });
  return found.getResults<Record<string, unknown>>();
};

/** Language, what was typed, and the stored price and weight. */
const TYPED: readonly (readonly [string, Readonly<Record<string, string>>, string | null, string | null])[] = [
  ['en', { good_price: '1,234.50', good_weight: '1.234' }, '1234.50', '1.234'],
  ['de', { good_price: '1.234,50', good_weight: '1,234' }, '1234.50', '1.234'],
  ['de', { good_price: '12.5', good_weight: '1.234,5' }, '12.50', '1234.500'],
  ['de', { good_price: '12,50 €', good_weight: '-0,001' }, '12.50', '-0.001'],
  ['de', { good_price: ' 7 ', good_weight: '' }, '7.00', null],
  ['fa', { good_price: '۱۲٫۵۰', good_weight: '۱٬۲۳۴٫۵' }, '12.50', '1234.500'],
  ['fa', { good_price: '12.50', good_weight: '‎−۱٫۲۳۴' }, '12.50', '-1.234'],
];
for (const [tag, typed, price, weight] of TYPED) {
  test(`in ${tag}, ${Object.values(typed).join(' and ')} are ${price} and ${weight}`, async () => {
    const { location, text } = await create(tag, typed);
    assert.ok(location, text.slice(0, 400));
    const row = await stored(location);
    assert.equal([row.good_price, row.good_weight], [price, weight]);
  });
}

/** Language, column, what was typed, and the error. */
const REFUSED: readonly (readonly [string, string, string, string])[] = [
  ['de', 'good_weight', '1.234', 'Weight kann zweierlei bedeuten: Schreiben Sie 1234,000 oder 1,234'],
  ['de', 'good_price', '1.234', 'Price kann zweierlei bedeuten: Schreiben Sie 1234,00, ohne Tausendertrennzeichen'],
  ['en', 'good_weight', '1,234', 'Weight can be read in two ways: write 1234.000 or 1.234'],
  ['de', 'good_price', '1,234', 'Price darf höchstens 2 Nachkommastellen haben'],
  ['de', 'good_price', '12,50,1', 'Price muss eine Dezimalzahl wie 12,50 sein'],
  ['en', 'good_price', '12,50', 'Price must be a decimal number such as 12.50'],
  ['de', 'good_price', '12,50 $', 'Price muss eine Dezimalzahl wie 12,50 sein'],
  ['de', 'good_price', '-1', 'Price muss mindestens 0,00 sein'],
  ['en', 'good_price', '5000.01', 'Price must be at most 5000.00'],
  ['en', 'good_weight', '1234567', 'Weight may have at most 6 digits before the decimal sign'],
  ['en', 'good_pieces', '1.5', 'Pieces must be a whole number'],
];
for (const [tag, column, typed, message] of REFUSED) {
  test(`in ${tag}, ${typed} for ${column} is refused and stays as typed`, async () => {
    const { status, text } = await create(tag, { [column]: typed });
    assert.is(status, 422);
    assert.ok(text.includes(message), /t-error"[^>]*>([^<]+)/.exec(text)?.[1] ?? text);
    assert.is(readForm(text, '<form')[column], typed);
  });
}

test('what a form shows comes back as the same value, in groups too', async () => {
  for (const tag of ['en', 'de', 'fa']) {
    const { location } = await create('en', {
      ...{ good_price: '1234.50', good_weight: '-0.005', good_pieces: '1234567' },
      'good_parts[0][share]': '1.234',
    });
    const shown = readForm((await world.site.browser().get(String(location), speak(tag))).text, '<form');
    const again = await create(tag, shown as Record<string, string>);
    const [before, after] = [await stored(location), await stored(again.location)];
    assert.equal({ ...after, good_id: 0 }, { ...before, good_id: 0 }, tag);
    assert.equal(before.good_parts, [{ share: '1.234' }]);
  }
});

test('the input is one of text with a keyboard for decimals, and its hint says currency and bounds', async () => {
  const { text } = await world.site.browser().get('/new', speak('de'));
  const input = /<input[^>]*id="t-good_price"[^>]*>/.exec(text)?.[0] ?? '';
  assert.match(input, /type="text"/);
  assert.match(input, /inputmode="decimal"/);
  assert.not.match(input, /\b(?:min|max|step)=/);
  assert.match(text, 'In EUR. Von 0,00 bis 5000,00.');
});

test('helpers show all digits, exact and in the style of the language', async () => {
  const { location } = await create('en', { good_price: '1234.50', good_weight: '123456.785' });
  const read = async (tag: string) => plainText((await world.site.browser().get(String(location), speak(tag))).text);
  assert.match(await read('de'), '<p>1.234,50 €|123.456,785|123.456,8|123.456,785|samemore</p>');
  assert.match(await read('en'), '<p>€1,234.50|123,456.785|123,456.8|123,456.785|samemore</p>');
});

test('the history and the label of a row show decimals in the style of the language', async () => {
  const { location } = await create('en', { good_price: '1234.50' });
  const good_id = Number(location?.split('/').at(-1));
  await world.site.emit('system-model-update', { schema: 'good', good_id, good_price: '1500' });
  const history = await world.admin.get(`/admin/history?schema=good&id=${good_id}`, speak('de'));
  const [, entry] = /href="(\/admin\/history\/\d+)"/.exec(history.text) ?? [];
  const page = plainText((await world.admin.get(String(entry), speak('de'))).text).replace(/<\/?(?:del|ins)>/g, '');
  assert.match(page, '1.234,50 €');
  assert.match(page, '1.500,00 €');
  const label = (await world.admin.get(`${BASE}/detail/${good_id}`, speak('de'))).text;
  assert.match(label, /<h1[^>]*>\s*for 1500,00/);
});

const BASE = '/admin/system/model/good';

test('the admin section shows amounts in their currency, and edits them in the style of the language', async () => {
  const { location } = await create('en', { good_title: 'Shown', good_price: '4321.5', good_weight: '1.5' });
  const id = Number(location?.split('/').at(-1));
  const { admin } = world;
  const list = plainText((await admin.get(`${BASE}/search?filter[good_id]=${id}`, speak('de'))).text);
  assert.match(list, '4.321,50 €');
  assert.match(plainText((await admin.get(`${BASE}/detail/${id}`, speak('de'))).text), '4.321,50 €');
  const form = readForm((await admin.get(`${BASE}/update/${id}`, speak('de'))).text);
  assert.equal([form.good_price, form.good_weight], ['4321,50', '1,500']);
  const refused = await post(admin, `${BASE}/update/${id}`, { ...form, good_weight: '1.500' }, 'de');
  assert.is(refused.status, 422);
  assert.match(refused.text, 'Schreiben Sie 1500,000 oder 1,500');
  assert.is(readForm(refused.text).good_weight, '1.500');
  await post(admin, `${BASE}/update/${id}`, { ...form, good_weight: '1,75' }, 'de');
  assert.is((await stored(location)).good_weight, '1.750');
  const cell = readForm((await admin.get(`${BASE}/cell/${id}/good_price?part=1`, speak('de'))).text, 't-cell-form');
  const saved = await post(admin, `${BASE}/cell/${id}/good_price?part=1`, { ...cell, good_price: '99,9' }, 'de');
  assert.is(plainText(String(saved.json()?.html)), '99,90 €');
});

test('the admin section shows the decimals of groups in the style of the language, too', async () => {
  const { location } = await create('en', { 'good_parts[0][share]': '1.5' });
  const id = location?.split('/').at(-1);
  assert.match((await world.admin.get(`${BASE}/detail/${id}`, speak('de'))).text, '<td>1,500</td>');
  assert.match((await world.admin.get(`${BASE}/detail/${id}`, speak('en'))).text, '<td>1.500</td>');
});

test('a filter of the admin section is typed in the style of the language', async () => {
  const { admin } = world;
  const ask = async (op: string, value: string) => {
    const where = new URLSearchParams({ form: '1', 'where[0][name]': 'good_weight', 'where[0][op]': op });
    where.set('where[0][value]', value);
    return decodeURIComponent(String((await admin.get(`${BASE}/search?${where}`, speak('de'))).location));
  };
  assert.is(await ask('gte', '1.234,5'), `${BASE}/search?filter[good_weight][gte]=1234.5`);
  assert.is(await ask('between', '1,5; 2,5'), `${BASE}/search?filter[good_weight][between]=1.5,2.5`);
  assert.is(await ask('in', '1,5, 2'), `${BASE}/search?filter[good_weight][in]=1.5,2`);
  const unclear = await ask('eq', '1.234');
  const page = await admin.get(unclear, speak('de'));
  assert.is(page.status, 400);
  assert.match(page.text, 'Weight kann zweierlei bedeuten: Schreiben Sie 1234,000 oder 1,234');
  assert.match(page.text, 'name="where[0][value]" value="1.234"');
  const found = await admin.get(`${BASE}/search?filter[good_weight][between]=1.5,2.5`, speak('de'));
  assert.match(found.text, 'value="1,500; 2,500"');
});

test('a call takes text or a number, and refuses a number that JSON would change', async () => {
  const send = async (text: string) => {
    const headers = { 'content-type': 'application/json' };
    const { status, text: body } = await world.site.send('POST', '/rest/public/good/create', { body: text, headers });
    return [status, JSON.parse(body) as { message?: string; results?: { good_price: unknown } }] as const;
  };
  for (const price of ['12.5', '"12.50"', '12.500', '1.25e1']) {
    const [status, { results }] = await send(`{"good_price":${price}}`);
    assert.equal([status, results?.good_price], [201, '12.50'], price);
  }
  for (const body of ['{"good_price":12.500000000000000001}', '{"good_parts":[{"share":1.5000000000000001}]}']) {
    const [status, { message }] = await send(body);
    assert.is(status, 422);
    assert.match(String(message), /has more digits than a JSON number keeps: write it in quotes/);
  }
  // Doubles of other columns and texts are as they were.
  assert.is((await send('{"good_title":"12.500000000000000001"}'))[0], 201);
});

test('a file has the form of JSON: an import refuses lost digits and signs between thousands, an export groups none', async () => {
  const { site } = world;
  const load = async (name: string, content: string): Promise<string> => {
    site.project.write(name, content);
    const { data, err } = await site.cli('import', 'good', name, '--skip-bad');
    return JSON.stringify([data.imported, data.bad]) + err;
  };
  const rows = [
    '{"title":"File 1","price":1234.5}',
    '{"title":"File 2","price":"12.50","parts":[{"share":0.125}]}',
    '{"title":"File 3","price":12.500000000000000001}',
    '{"title":"File 4","price":12.505}',
    '{"title":"File 5","parts":[{"share":1.5000000000000001}]}',
  ];
  const said = await load('goods.ndjson', `${rows.join('\n')}\n`);
  assert.match(said, /^\[2,/);
  assert.match(said, /price: the number 12\.500000000000000001 has more digits than a JSON number keeps/);
  assert.match(said, /Price may have at most 2 digits after the decimal sign/);
  const csv = await load('goods.csv', 'title,price,weight\nFile 6,1234.50,-1.5\nFile 7,"1,234.50",\nFile 8,"12,50",\n');
  assert.match(csv, /^\[1,/);
  await site.cli('export', 'good', '--out', 'out.csv');
  const exported = site.project
    .read('out.csv')
    .split(/\r?\n/)
    .filter((line) => line.includes('File '));
  assert.equal(
    exported.map((line) => line.split(',').slice(1, 4).join()),
    ['File 1,1234.50,', 'File 2,12.50,', 'File 6,1234.50,-1.500'],
  );
});

test.run();
