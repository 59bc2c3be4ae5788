import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../../boot.ts';
import type { Client } from '../../client.ts';
import { fillForm, readForm } from '../../form-post.ts';
import { everyType } from './_every-type.ts';

interface World {
  site: Site;
  ann: Client;
}

const MODEL = '/admin/system/model';
const test = suite<World>('forms of rows');

const ROLES = {
  'config/role/keeper.json': {
    slug: 'keeper',
    name: 'Keeper',
    permissions: [
      { method: 'all', path: '/admin/system/model/box/**' },
      { method: 'all', path: '/admin/system/model/label/**' },
    ],
    data: {
      box: { search: true, detail: true, update: { write: ['name'] }, create: { write: ['name'] } },
      label: { search: true, detail: true, update: { write: ['note'] } },
    },
  },
};

test.before(async (at) => {
  at.site = await boot({ files: { ...everyType, ...ROLES } });
  at.ann = await at.site.as('Ann', ['admin']);
});
test.after(async ({ site }) => site?.close());

/** A value of every type that a person types, by field, and how it is stored. */
const TYPED: readonly (readonly [string, Readonly<Record<string, string | readonly string[]>>, unknown])[] = [
  ['text', { '': 'A thing' }, 'A thing'],
  ['email', { '': ' ann@example.org ' }, 'ann@example.org'],
  ['search', { '': 'word' }, 'word'],
  ['url', { '': 'https://example.org/' }, 'https://example.org/'],
  ['mask', { '': '12-ab' }, '12-ab'],
  ['slug', { '': 'A Thing' }, 'a-thing'],
  ['color', { '': '#3366FF' }, '#3366ff'],
  ['textarea', { '': 'one\r\ntwo' }, 'one\ntwo'],
  ['wysiwyg', { '': '<p>Rich</p>' }, '<p>Rich</p>'],
  ['markdown', { '': '# Title\r\n\r\ntext' }, '# Title\n\ntext'],
  ['code', { '': 'if (a) {\r\n\tb();\r\n}' }, 'if (a) {\n\tb();\n}'],
  ['number', { '': '12' }, 12],
  ['range', { '': '7' }, 7],
  ['small', { '': '3' }, 3],
  ['float', { '': '1.25' }, 1.25],
  ['price', { '': '9.99' }, 9.99],
  ['stars', { '': '3.5' }, 3.5],
  ['date', { '': '2026-01-31' }, '2026-01-31'],
  ['time', { '': '09:30' }, '09:30:00'],
  ['datetime', { '': '2026-01-31T09:30' }, '2026-01-31 09:30:00'],
  ['week', { '': '2026-W05' }, '2026-W05'],
  ['month', { '': '2026-01' }, '2026-01'],
  ['checkbox', { '': ['0', '1'] }, 1],
  ['switch', { '': ['0', '1'] }, 1],
  ['select', { '': 'red' }, 'red'],
  ['countrylist', { '': 'FR' }, 'FR'],
  ['radios', { '': 'green' }, 'green'],
  ['multiselect', { '[]': ['', 'red', 'green'] }, ['red', 'green']],
  ['checkboxes', { '[]': ['', 'green'] }, ['green']],
  ['file', { '': '/static/a.txt' }, '/static/a.txt'],
  ['image', { '': '/static/a.png' }, '/static/a.png'],
  ['filelist', { '': '', '[0]': '/static/a.txt', '[3]': '/static/b.txt' }, ['/static/a.txt', '/static/b.txt']],
  ['imagelist', { '': '', '[0]': '/static/a.png' }, ['/static/a.png']],
  ['tag', { '': 'one, two' }, ['one', 'two']],
  ['textlist', { '': '', '[0]': 'first', '[1]': '', '[4]': 'second' }, ['first', 'second']],
  ['textarealist', { '': '', '[0]': 'a\r\nb' }, ['a\nb']],
  ['wysiwyglist', { '': '', '[0]': '<p>x</p>' }, ['<p>x</p>']],
  ['meta', { '': '', '[0][key]': 'size', '[0][value]': 'big' }, { size: 'big' }],
  ['latlng', { '[lat]': '48.8584', '[lng]': '2.2945' }, [48.8584, 2.2945]],
  ['rawjson', { '': '{"a": [1, true]}' }, { a: [1, true] }],
  [
    'fieldset',
    {
      '': '',
      '[0][what]': 'Pen',
      '[0][amount]': '1.5',
      '[0][paid]': ['0', '1'],
      '[0][notes][0]': 'blue',
      '[2][what]': '',
      '[2][amount]': '',
      '[2][paid]': '0',
    },
    [{ what: 'Pen', amount: 1.5, paid: 1, notes: ['blue'] }],
  ],
  ['table', { '': '', '[0][0]': 'pen', '[0][1]': '2', '[1][0]': '', '[1][1]': '' }, [{ name: 'pen', count: '2' }]],
  ['multirange', { '[0]': '10', '[1]': '50' }, '10;50'],
];

const toInputs = (): Record<string, string | readonly string[]> =>
  Object.fromEntries(
    TYPED.flatMap(([field, inputs]) => Object.entries(inputs).map(([rest, value]) => [`thing_${field}${rest}`, value])),
  );

test('every type has a control, is stored as typed, and comes back untouched', async ({ site, ann }) => {
  const box = await site.emit('system-model-create', { schema: 'box', box_name: 'A box' });
  const boxId = box.getResults('box_id') as number;
  const page = await ann.get(`${MODEL}/thing/create`);
  const form = readForm(page.text);
  for (const [field, inputs] of TYPED)
    for (const rest of Object.keys(inputs))
      if (!/\d/.test(rest) && rest !== '[]')
        assert.ok(`thing_${field}${rest}` in form || /type="(file|radio|checkbox)"/.test(page.text), field);
  const values = { ...toInputs(), thing_password: 'a long enough word', box_id: String(boxId) };
  const made = await ann.post(`${MODEL}/thing/create`, fillForm(page.text, values));
  assert.is(made.status, 303, made.text);
  const id = Number(made.location.split('/').at(-1));
  const stored = (await site.emit('system-model-detail', { schema: 'thing', thing_id: id })).getResults() as Record<
    string,
    unknown
  >;
  for (const [field, , value] of TYPED) assert.equal(stored[`thing_${field}`], value, field);
  assert.is((await ann.get(made.location)).status, 200);

  const update = `${MODEL}/thing/update/${id}`;
  const untouched = await ann.post(update, readForm((await ann.get(update)).text));
  assert.is(untouched.status, 303);
  assert.match((await ann.get(untouched.location)).text, /Nothing was changed/);
  const copy = await ann.get(`${MODEL}/thing/copy/${id}`);
  const copied = await ann.post(`${MODEL}/thing/copy/${id}`, readForm(copy.text));
  assert.is(copied.status, 303, copied.text);
  const second = (
    await site.emit('system-model-detail', { schema: 'thing', thing_id: copied.location.split('/').at(-1) })
  ).getResults() as Record<string, unknown>;
  for (const [field, , value] of TYPED) assert.equal(second[`thing_${field}`], value, `copy of ${field}`);
});

test('a save sends the columns that changed only', async ({ site, ann }) => {
  const path = `${MODEL}/thing/update/1`;
  const before = (await site.emit('system-model-detail', { schema: 'thing', thing_id: 1 })).getResults() as Record<
    string,
    unknown
  >;
  const page = await ann.get(path);
  const saved = await ann.post(path, fillForm(page.text, { thing_text: 'Another name' }));
  assert.is(saved.status, 303, saved.text);
  const after = (await site.emit('system-model-detail', { schema: 'thing', thing_id: 1 })).getResults() as Record<
    string,
    unknown
  >;
  for (const name of Object.keys(before)) {
    if (['thing_text', 'thing_updated', 'thing_computed'].includes(name)) continue;
    assert.equal(after[name], before[name], name);
  }
  assert.is(after.thing_text, 'Another name');
  assert.is(after.thing_computed, 12);
});

test('a faulty form names every fault beside its field, and keeps what was typed', async ({ ann }) => {
  const page = await ann.get(`${MODEL}/thing/create`);
  const typed = {
    thing_text: '',
    thing_email: 'no address',
    thing_number: '5000',
    'thing_textlist[0]': 'kept line',
    'thing_fieldset[0][what]': '',
    'thing_fieldset[0][amount]': '3',
  };
  const answer = await ann.post(`${MODEL}/thing/create`, fillForm(page.text, typed));
  assert.is(answer.status, 422);
  for (const [id, message] of [
    ['t-thing_text', 'Text is required'],
    ['t-thing_email', 'Email must be an e-mail address'],
    ['t-thing_number', 'Number must be'],
    ['t-thing_fieldset-0-what', 'What is required'],
    ['t-box_id', 'Box'],
  ] as const) {
    assert.match(answer.text, new RegExp(`<a href="#${id}">`), `summary of ${id}`);
    assert.match(answer.text, new RegExp(`id="${id}-error">${message}`), `message of ${id}`);
  }
  const again = readForm(answer.text);
  for (const [name, value] of Object.entries(typed)) assert.is(again[name], value, name);
  const broken = await ann.post(
    `${MODEL}/thing/create`,
    fillForm(page.text, { thing_text: '', thing_rawjson: '{\r\n "a": }' }),
  );
  assert.match(broken.text, /id="t-thing_rawjson-error">Line 2, column 7: a value is missing here/);
  assert.match(broken.text, /id="t-thing_text-error">Text is required/, 'other faults are named at once');
});

test('lists grow and shrink by buttons that save nothing', async ({ site, ann }) => {
  const path = `${MODEL}/thing/update/1`;
  const page = await ann.get(path);
  const press = async (html: string, button: string, values = {}) =>
    (await ann.post(path, fillForm(html, { ...values, _do: button }))).text;
  const more = await press(page.text, 'add thing_textlist', { 'thing_textlist[1]': 'typed' });
  assert.equal(
    Object.entries(readForm(more))
      .filter(([name]) => name.startsWith('thing_textlist['))
      .map(([, value]) => value),
    ['first', 'typed', ''],
  );
  const up = await press(more, 'up thing_textlist[1]');
  assert.is(readForm(up)['thing_textlist[0]'], 'typed');
  const less = await press(up, 'remove thing_textlist[0]');
  assert.is(readForm(less)['thing_textlist[0]'], undefined);
  const nested = await press(page.text, 'add thing_fieldset[0][notes]');
  assert.is(readForm(nested)['thing_fieldset[0][notes][1]'], '');
  const shown = await press(page.text, 'preview thing_markdown');
  assert.match(shown, /id="t-thing_markdown-preview"[^>]*><h1>Title<\/h1>/);
  const found = await press(page.text, 'find box_id', { '_find[box_id]': 'nothing like it' });
  assert.match(found, /Nothing was found/);
  // The chosen row is one line until somebody searches for another one.
  const fold = /<details class="t-confirm"( open)?>\s*<summary[^>]*><span data-chosen>/;
  assert.is(fold.exec(page.text)?.[1], undefined);
  assert.is(fold.exec(found)?.[1], ' open');
  const row = (await site.emit('system-model-detail', { schema: 'thing', thing_id: 1 })).getResults();
  assert.equal((row as Record<string, unknown>).thing_textlist, ['first', 'second']);
});

test('who saves second sees both versions, chooses, and loses nothing', async ({ site, ann }) => {
  const bob = await site.as('Bob', ['admin']);
  const made = await site.emit('system-model-create', {
    schema: 'thing',
    box_id: 1,
    thing_text: 'Start',
    thing_number: 1,
    thing_slug: 'start',
  });
  const id = made.getResults('thing_id') as number;
  const read = async () =>
    (await site.emit('system-model-detail', { schema: 'thing', thing_id: id })).getResults() as Record<string, unknown>;
  const path = `${MODEL}/thing/update/${id}`;
  const [hers, his] = [(await ann.get(path)).text, (await bob.get(path)).text];
  assert.is((await ann.post(path, fillForm(hers, { thing_text: 'Of Ann', thing_number: '2' }))).status, 303);
  const conflict = await bob.post(path, fillForm(his, { thing_text: 'Of Bob', thing_slug: 'bob' }));
  assert.is(conflict.status, 412);
  assert.is((await read()).thing_text, 'Of Ann');
  assert.match(conflict.text, /id="t-clash-thing_text"[\s\S]*Of Ann[\s\S]*Of Bob/);
  assert.match(conflict.text, /taken over below[\s\S]*Number[\s\S]*2/);
  const form = readForm(conflict.text);
  assert.is(form.thing_number, '2');
  assert.is(form.thing_slug, 'bob');
  const undecided = await bob.post(path, form);
  assert.is(undecided.status, 412);
  assert.match(undecided.text, /Choose which one to keep/);
  const chosen = await bob.post(path, { ...readForm(undecided.text), '_take[thing_text]': 'theirs' });
  assert.is(chosen.status, 303, chosen.text);
  const row = await read();
  assert.equal([row.thing_text, row.thing_number, row.thing_slug], ['Of Ann', 2, 'bob']);
});

test('a title is changed in each article, and nothing else', async ({ site, ann }) => {
  const file = new URL('../../../scaffold/blog/fixture/article.ndjson', import.meta.url);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const rows = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const imported = await site.emit('system-model-import', { schema: 'article', rows });
  assert.not(imported.isError(), imported.getMessage());
  const read = async (id: number) =>
    (await site.emit('system-model-detail', { schema: 'article', article_id: id })).getResults() as Record<
      string,
      unknown
    >;
  const faults: string[] = [];
  for (let id = 1; id <= rows.length; id += 1) {
    const before = await read(id);
    const path = `${MODEL}/article/update/${id}`;
    const saved = await ann.post(path, fillForm((await ann.get(path)).text, { article_title: `Title ${id}` }));
    const after = await read(id);
    if (saved.status !== 303 || after.article_title !== `Title ${id}`) faults.push(`${id}: ${saved.status}`);
    for (const name of Object.keys(before))
      if (!/_(title|updated)$/.test(name) && JSON.stringify(after[name]) !== JSON.stringify(before[name]))
        faults.push(`${id}: ${name}`);
  }
  assert.equal(faults, []);
});

test('relations are linked and unlinked by pages', async ({ site, ann }) => {
  const label = (await site.emit('system-model-create', { schema: 'label', label_name: 'Blue' })).getResults(
    'label_id',
  );
  const link = `${MODEL}/thing/1/link/label`;
  const page = await ann.get(link);
  assert.match(page.text, /<span>Blue<\/span>/);
  const none = await ann.post(link, readForm(page.text, 'name="to"'));
  assert.is(none.status, 422);
  assert.is((await ann.post(link, { ...readForm(page.text, 'name="to"'), to: String(label) })).status, 303);
  const detail = (await ann.get(`${MODEL}/thing/detail/1`)).text;
  assert.match(detail, new RegExp(`href="${MODEL}/label/detail/${label}">Blue</a>`));
  const unlink = `${MODEL}/thing/1/unlink/label/${label}`;
  assert.match(detail, new RegExp(`action="${unlink}"`));
  assert.match((await ann.get(`${MODEL}/label/detail/${label}`)).text, /Things that refer to this/);
  assert.is((await ann.post(unlink, { csrf: readForm(detail, 'action="/auth/logout"').csrf ?? '' })).status, 303);
  assert.not.match((await ann.get(`${MODEL}/thing/detail/1`)).text, />Blue<\/a>/);
});

test('removal asks first, names what refers to the row, and can be undone', async ({ site, ann }) => {
  const path = `${MODEL}/box/remove/1`;
  const page = await ann.get(path);
  assert.match(page.text, /Things: \d+ \(/);
  const csrf = readForm(page.text, `action="${path}"`).csrf ?? '';
  const removed = await ann.post(path, { csrf });
  assert.is(removed.location, `${MODEL}/box/detail/1`);
  assert.match((await ann.get(removed.location)).text, /This row was removed/);
  assert.is((await ann.post(`${MODEL}/box/restore/1`, { csrf })).status, 303);
  const box = (await site.emit('system-model-detail', { schema: 'box', box_id: 1 })).getResults('box_active');
  assert.is(box, 1);
  assert.is((await ann.get(`${MODEL}/box/detail/999`)).status, 404);
  assert.is((await ann.get(`${MODEL}/nothing/create`)).status, 404);
});

test('a role sees the columns it may write as fields, and the rest as text', async ({ site }) => {
  const keeper = await site.as('Kim', ['keeper']);
  const page = await keeper.get(`${MODEL}/box/update/1`);
  assert.is(page.status, 200);
  assert.ok('box_name' in readForm(page.text));
  await site.emit('system-model-create', { schema: 'label', label_name: 'Held', label_note: 'free' });
  const label = await keeper.get(`${MODEL}/label/update/1`);
  const form = readForm(label.text);
  assert.equal(['label_name' in form, 'label_note' in form], [false, true]);
  assert.match(label.text, /not yours to change[\s\S]*<dt>Name<\/dt><dd>/);
  const forged = await keeper.post(`${MODEL}/label/update/1`, { ...form, label_note: 'mine', label_name: 'Forged' });
  assert.is(forged.status, 303);
  const stored = (await site.emit('system-model-detail', { schema: 'label', label_id: 1 })).getResults() as Record<
    string,
    unknown
  >;
  assert.equal(
    [stored.label_note, stored.label_name === 'Forged'],
    ['mine', false],
    'a column that the form lacks is not sent',
  );
  assert.is((await keeper.get(`${MODEL}/box/remove/1`)).status, 403);
  assert.not.match((await keeper.get(`${MODEL}/box/detail/1`)).text, /\/box\/remove\/1"/);
  assert.is((await keeper.get(`${MODEL}/thing/detail/1`)).status, 403);
});

test.run();
