import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../../boot.ts';
import { readForm } from '../../definition-form.ts';

const test = suite('a form that has not every control of its page');

const state: { site: Site } = {} as { site: Site };

const VOTES = { title: 'Votes', access: 'user', method: 'get', path: '/user/votes', event: 'system-model-search' };

test.before(async () => {
  state.site = await boot({ settings: { admin: { write: true } } });
  state.site.project.edit('config/schema/article.json', (value) => {
    value.icon = 'newspaper';
  });
  state.site.project.write('config/rest/votes.json', JSON.stringify({ ...VOTES, removed: true }, null, 2));
});
test.after(() => state.site.close());

const SCHEMA = '/admin/system/schema/update/article';
const REST = '/admin/system/model/rest/update/votes';
const SETTINGS = '/admin/system/settings';

/** What a page shows and a browser would post, without the controls that a pattern names. */
async function post(path: string, lacking: RegExp, values: Readonly<Record<string, string>>) {
  const person = await state.site.as('admin', ['admin']);
  const form = Object.entries(readForm((await person.get(path)).text)).filter(([name]) => !lacking.test(name));
  return person.post(path, { ...Object.fromEntries(form), ...values });
}

/** The page, what a form lacks, what it says besides, a file and what the file then says of some keys. */
const CASES: readonly (readonly [
  name: string,
  path: string,
  lacking: RegExp,
  values: Readonly<Record<string, string>>,
  file: string,
  expected: Readonly<Record<string, unknown>>,
])[] = [
  [
    'a program without marks and without the box of a schema',
    SCHEMA,
    /history|_boxes/,
    { plural: 'Essays' },
    'config/schema/article.json',
    { plural: 'Essays', history: undefined },
  ],
  [
    'a page from before an upgrade that had no box and no text of the key',
    SCHEMA,
    /history|icon/,
    { plural: 'Notes' },
    'config/schema/article.json',
    { plural: 'Notes', history: undefined, icon: 'newspaper' },
  ],
  [
    'the box was there and is not ticked',
    SCHEMA,
    /^history$/,
    {},
    'config/schema/article.json',
    { history: false, icon: 'newspaper' },
  ],
  [
    'a text that is emptied goes',
    SCHEMA,
    /^$/,
    { icon: '' },
    'config/schema/article.json',
    { history: false, icon: undefined },
  ],
  [
    'boxes of a call that its page did not have',
    REST,
    /own|removed/,
    { title: 'All votes' },
    'config/rest/votes.json',
    { title: 'All votes', own: undefined, removed: true },
  ],
  [
    'boxes of a call that are not ticked',
    REST,
    /^(own|removed)$/,
    {},
    'config/rest/votes.json',
    { own: false, removed: undefined },
  ],
  [
    'a program without marks that does not tick the boxes of a call',
    REST,
    /_boxes|^own$/,
    { title: 'Votes' },
    'config/rest/votes.json',
    { title: 'Votes', own: false },
  ],
  [
    'a box of the settings that the page did not have',
    SETTINGS,
    /signup/,
    { 's[name]': 'Mine' },
    'config/settings.json',
    { name: 'Mine', auth: undefined },
  ],
  [
    'a box of the settings that is not ticked',
    SETTINGS,
    /^s\[auth.signup\]$/,
    {},
    'config/settings.json',
    { auth: { signup: false } },
  ],
];

for (const [name, path, lacking, values, file, expected] of CASES) {
  test(name, async () => {
    const answer = await post(path, lacking, { ...values, do: 'save' });
    assert.is(answer.status, 303, answer.text);
    const saved = JSON.parse(state.site.project.read(file)) as Record<string, unknown>;
    for (const [key, value] of Object.entries(expected)) assert.equal(saved[key], value, key);
  });
}

test('what a form did not have is shown as it is when the form comes again', async () => {
  for (const path of [REST, SCHEMA]) {
    const first = readForm((await (await state.site.as('admin', ['admin'])).get(path)).text);
    const again = readForm(
      (await post(path, /^(history|own|removed|icon)$|\[(f-own|f-removed|history)\]/, { do: 'preview' })).text,
    );
    for (const key of ['history', 'own', 'removed', 'icon']) assert.is(again[key], first[key], `${path} ${key}`);
  }
});

test('a field keeps the keys that its form did not have', async () => {
  const person = await state.site.as('admin', ['admin']);
  const open = await person.post(SCHEMA, { ...readForm((await person.get(SCHEMA)).text), do: 'open:0' });
  const form = readForm(open.text);
  const [flag = ''] = Object.keys(form).filter((key) => /^f\[(required|searchable|unique)\]$/.test(key));
  assert.is.not(flag, '');
  const { stored = '', ...rest } = { stored: form['field[k0]'], ...form };
  const key = flag.slice(2, -1);
  const lacking = Object.fromEntries(
    Object.entries(rest).filter(([name]) => name !== flag && name !== `_boxes[field-${key}]` && name !== 'f[default]'),
  );
  const kept = readForm((await person.post(SCHEMA, { ...lacking, do: 'close' })).text);
  assert.equal(JSON.parse(kept['field[k0]'] ?? ''), JSON.parse(stored));
  const { [flag]: _, ...unticked } = form;
  const off = readForm((await person.post(SCHEMA, { ...unticked, do: 'close' })).text);
  assert.is(JSON.parse(off['field[k0]'] ?? '')[key], undefined);
});

test.run();
