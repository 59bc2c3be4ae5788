import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compileProject } from '../../src/boot.ts';
import { boot, type Site } from '../boot.ts';
import { Project } from '../project.ts';

const test = suite('e2e/form');

const OPTIONS = [
  { key: 'a', value: 'A <b>' },
  { key: 'b', value: 'B' },
];
const FIELDS = [
  { name: 'title', label: 'Title', type: 'text', validation: [{ method: 'required', message: 'Give it a title.' }] },
  { name: 'story', label: 'Story', type: 'textarea', description: 'What happens in it.' },
  { name: 'price', label: 'Price', type: 'price' },
  { name: 'on', label: 'On', type: 'date' },
  { name: 'open', label: 'Open', type: 'checkbox' },
  { name: 'loud', label: 'Loud', type: 'switch' },
  { name: 'level', label: 'Level', type: 'select', options: OPTIONS },
  { name: 'kind', label: 'Kind', type: 'radios', options: OPTIONS },
  { name: 'topics', label: 'Topics', type: 'checkboxes', options: OPTIONS },
  { name: 'tags', label: 'Tags', type: 'tag' },
  { name: 'lines', label: 'Lines', type: 'textlist' },
  { name: 'facts', label: 'Facts', type: 'meta' },
  { name: 'plan', label: 'Plan', type: 'table', columns: ['When', 'What'] },
  { name: 'place', label: 'Place', type: 'latlng' },
  { name: 'span', label: 'Span', type: 'multirange' },
  { name: 'raw', label: 'Raw', type: 'rawjson' },
  { name: 'about', label: 'About', type: 'markdown' },
  { name: 'secret', label: 'Secret', type: 'password' },
  { name: 'picture', label: 'Picture', type: 'image' },
  { name: 'code', label: 'Code', type: 'text', write: 'server' },
];
const SHOWN = FIELDS.filter(({ write }) => write === undefined).map(({ name }) => `talk_${name}`);

const FILES: Readonly<Record<string, string>> = {
  'config/schema/talk.json': JSON.stringify({ name: 'talk', singular: 'Talk', plural: 'Talks', fields: FIELDS }),
  'app/www/.treadle.ts': `import page from './src/controller/page';\nexport default [page];\n`,
  'app/www/src/controller/page.ts': `export default function page(app) {
  app.get('/new', (request, response) => {
    response.setContent(app.package('/app/www').view('form', { item: request.hasPost() ? undefined : { talk_title: 'Old <i>', talk_topics: ['b'], talk_open: 1, talk_secret: 'x' } }));
  });
  app.post('/new', async (request, response) => {
    request.setStage('schema', 'talk');
    await app.emit('system-model-create', request, response);
    if (response.isError()) return app.reroute('get', '/new', request, response);
    response.setRedirect('/done');
  });
}
`,
  'app/www/src/template/form.html': `<!doctype html><html>{{#form action="/new" class="mine"}}${SHOWN.map((name) => `{{field "${name}"}}`).join('\n')}<p>{{field "talk_title" label="Again <b>" placeholder="x" data-x=1 onclick="y" error="Not so." hint=""}}</p><button>Save</button>{{/form}}</html>`,
};

const at: { site?: Site } = {};
const site = (): Site => at.site as Site;
test.before(async () => {
  at.site = await boot({ template: 'none', files: FILES });
});
test.after(() => site().close());

/** The element of an id, from its tag to the end of the tag. */
const tagOf = (text: string, id: string): string => new RegExp(`<[^>]*id="${id}"[^>]*>`).exec(text)?.[0] ?? '';

test('each field has label, control, help, error and the stored value', async () => {
  const { text } = await site().get('/new');
  for (const name of SHOWN) {
    const labelled = text.includes(`for="t-${name}"`) || text.includes(`id="t-${name}"`);
    assert.ok(labelled, name);
    assert.ok(text.includes(`id="t-${name}-error"`), name);
  }
  assert.match(text, /<form class="mine" method="post" enctype="multipart\/form-data" action="\/new">/);
  assert.match(tagOf(text, 't-talk_title'), 'value="Old &lt;i&gt;"');
  assert.match(tagOf(text, 't-talk_title'), 'required');
  assert.match(tagOf(text, 't-talk_open'), 'checked');
  assert.match(text, '<span class="t-hint" id="t-talk_story-hint">What happens in it.</span>');
  assert.match(tagOf(text, 't-talk_story'), 'aria-describedby="t-talk_story-hint t-talk_story-error"');
  assert.match(text, /value="b" checked/);
  assert.match(text, 'A &lt;b&gt;');
  assert.not.match(tagOf(text, 't-talk_secret'), 'value="x"');
  assert.not.match(text, 'name="_do"', 'no button that only the admin section understands');
  const again = /<p>([\s\S]*?)<\/p><button>/.exec(text)?.[1] ?? '';
  assert.match(again, 'Again &lt;b&gt;');
  for (const part of ['placeholder="x"', 'data-x="1"', 'autofocus']) assert.match(again, part);
  assert.match(again, /id="t-talk_title-error">Not so\.</);
  assert.not.match(again, 'onclick');
});

const POSTED: Readonly<Record<string, string | readonly string[]>> = {
  '_field[]': [...SHOWN],
  talk_title: 'New',
  talk_story: 'One\r\nTwo',
  talk_price: '12.50',
  talk_on: '2026-05-06',
  talk_open: ['0', '1'],
  talk_loud: '0',
  talk_level: 'a',
  talk_kind: 'b',
  'talk_topics[]': ['', 'a', 'b'],
  talk_tags: 'x, y',
  'talk_lines[0]': 'first',
  'talk_lines[1]': '',
  'talk_lines[2]': 'third',
  'talk_facts[0][key]': 'k',
  'talk_facts[0][value]': 'v',
  'talk_facts[1][key]': '',
  'talk_facts[1][value]': '',
  'talk_plan[0][0]': '10:00',
  'talk_plan[0][1]': 'Tea <b>',
  'talk_plan[1][0]': '',
  'talk_plan[1][1]': '',
  'talk_place[lat]': '1.5',
  'talk_place[lng]': '2.5',
  'talk_span[0]': '3',
  'talk_span[1]': '7',
  talk_raw: '{"a":[1]}',
  talk_about: '*b*',
  talk_secret: 'horse battery',
  talk_picture: '',
};

function encode(fields: typeof POSTED): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]));
  return new URLSearchParams(pairs as [string, string][]).toString();
}

const post = (fields: typeof POSTED) =>
  site().send('POST', '/new', {
    body: encode(fields),
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
  });

test('what its controls send is stored as values', async () => {
  const answer = await post(POSTED);
  assert.is(answer.status, 303, answer.text);
  const { talk_secret: secret, ...row } = (
    await site().emit('system-model-detail', { schema: 'talk', talk_id: 1 })
  ).getResults() as Record<string, unknown>;
  const expected: Readonly<Record<string, unknown>> = {
    talk_title: 'New',
    talk_story: 'One\nTwo',
    talk_price: 12.5,
    talk_on: '2026-05-06',
    talk_level: 'a',
    talk_kind: 'b',
    talk_topics: ['a', 'b'],
    talk_tags: ['x', 'y'],
    talk_lines: ['first', 'third'],
    talk_facts: { k: 'v' },
    talk_plan: [{ When: '10:00', What: 'Tea <b>' }],
    talk_raw: { a: [1] },
    talk_about: '*b*',
  };
  for (const [name, value] of Object.entries(expected)) assert.equal(row[name], value, name);
  assert.equal([Number(row.talk_open), Number(row.talk_loud)], [1, 0]);
  assert.not.match(String(secret), 'horse');
});

test('a write that failed keeps what was typed and shows each error at its field', async () => {
  const { text, status } = await post({ ...POSTED, talk_title: '', talk_raw: '{"a":', 'talk_lines[0]': 'kept <i>' });
  assert.is(status, 422);
  assert.match(text, '<span class="t-error" id="t-talk_title-error">Give it a title.</span>');
  assert.match(tagOf(text, 't-talk_title'), /autofocus[\s\S]*aria-invalid="true"/);
  assert.match(text, '{&quot;a&quot;:</textarea>');
  assert.match(text, 'value="kept &lt;i&gt;"');
  assert.match(text, 'value="Tea &lt;b&gt;"');
  assert.match(text, /One\r?\nTwo<\/textarea>/);
  assert.match(tagOf(text, 't-talk_open'), 'checked');
  assert.not.match(text, 'horse battery');
  assert.is((await site().rows('talk')).length, 1);
});

test('names in _field that no form has change nothing', async () => {
  const before = (await site().rows('talk')).length;
  const answer = await post({
    '_field[]': ['__proto__', 'talk_code', 'none', 'talk_title'],
    talk_title: 'T',
    talk_none: 'x',
  });
  assert.is(answer.status, 303);
  const rows = await site().rows('talk');
  assert.equal([rows.length, rows.at(-1)?.talk_code], [before + 1, null]);
});

test('a field that no schema has, and one that only the site sets, are problems of check', async () => {
  for (const [name, hint] of [
    ['talk_titel', 'Did you mean "talk_title"?'],
    ['talk_code', ''],
  ]) {
    const project = new Project('none');
    for (const [file, text] of Object.entries(FILES)) project.write(file, text);
    project.write('app/www/src/template/form.html', `<p>\n{{field "${name}"}}`);
    const { problems } = await compileProject(project.root, {});
    await project.remove();
    const found = problems.find(({ code }) => code === 'VIEW_FIELD_UNKNOWN');
    assert.equal(
      [found?.file, found?.line, found?.column, found?.severity],
      ['app/www/src/template/form.html', 2, 1, 'warning'],
    );
    assert.is(found?.message, `No schema has a field "${name}" for forms.`);
    assert.match(found?.hint ?? '', hint ?? '');
  }
});

test('only a person with a session gets the token of the form', async () => {
  const blog = await boot({});
  await blog.emit('system-model-create', { schema: 'article', article_title: 'A', article_detail: 'x' });
  assert.not.match((await blog.get('/article/1')).text, 'name="csrf"');
  const ann = await blog.as('ann@example.org');
  assert.match(
    (await ann.get('/article/1')).text,
    /<form class="t-form" method="post"><input type="hidden" name="csrf" value="[\w-]+">/,
  );
  await blog.close();
});

test.run();
