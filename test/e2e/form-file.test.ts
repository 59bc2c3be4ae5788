// Uploads through the form that `form` and `field` make: what is sent is read from the page, as a browser does.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';

const test = suite('e2e/form-file');

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const FIELDS = [
  { name: 'title', label: 'Title', type: 'text', validation: [{ method: 'required', message: 'Give it a title.' }] },
  { name: 'picture', label: 'Picture', type: 'image' },
];
const FILES = {
  'config/schema/talk.json': { name: 'talk', singular: 'Talk', plural: 'Talks', fields: FIELDS },
  'app/www/.treadle.ts': `import page from './src/controller/page';\nexport default [page];\n`,
  'app/www/src/controller/page.ts': `export default function page(app) {
  app.get('/talk/:talk_id', async (request, response) => {
    const item = (await app.emit('system-model-detail', { schema: 'talk', talk_id: request.getParameters('talk_id') })).getResults();
    response.setContent(app.package('/app/www').view('form', { item }));
  });
  app.post('/talk/:talk_id', async (request, response) => {
    const isNew = request.getParameters('talk_id') === '0';
    request.setStage('schema', 'talk');
    await app.emit(isNew ? 'system-model-create' : 'system-model-update', request, response);
    if (response.isError()) return app.reroute('get', request.getPath('string'), request, response);
    response.setRedirect('/talk/' + response.getResults('talk_id'));
  });
}
`,
  'app/www/src/template/form.html': `<!doctype html><html>{{#form}}{{field "talk_title"}}{{field "talk_picture"}}<button>Save</button>{{/form}}</html>`,
};

const at: { site?: Site } = {};
const site = (): Site => at.site as Site;
test.before(async () => {
  at.site = await boot({ template: 'none', files: FILES });
});
test.after(() => site().close());

const readAttribute = (tag: string, name: string): string | undefined =>
  new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];

/** Opens the form at a path, fills it as a browser would, and sends it in the encoding and to the address that it names. */
async function submit(path: string, typed: Readonly<Record<string, string | File>>) {
  const { text } = await site().get(path);
  const form = /<form[^>]*>/.exec(text)?.[0] ?? '';
  assert.is(readAttribute(form, 'enctype'), 'multipart/form-data');
  const body = new FormData();
  const inputs = [...text.matchAll(/<input[^>]*>/g)].map(([tag]) => tag).filter((tag) => readAttribute(tag, 'name'));
  const left = new Set(Object.keys(typed));
  for (const tag of inputs) {
    const name = readAttribute(tag, 'name') as string;
    const isTyped = readAttribute(tag, 'type') !== 'hidden' && typed[name] !== undefined;
    if (isTyped) left.delete(name);
    const isFile = readAttribute(tag, 'type') === 'file';
    const isOff = readAttribute(tag, 'type') === 'checkbox' && !/ checked\b/.test(tag);
    if (isTyped) body.append(name, typed[name] as string);
    // What a browser sends of a control without a chosen file.
    else if (isFile) body.append(name, new File([], ''));
    else if (!isOff) body.append(name, readAttribute(tag, 'value') ?? '');
  }
  assert.equal([...left], [], 'the form has a control for each value');
  const address = site().url + (readAttribute(form, 'action') || path);
  const answer = await fetch(address, { method: 'POST', body, redirect: 'manual', headers: { accept: 'text/html' } });
  return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() };
}

const file = (bytes: string | Uint8Array, name: string, type: string): File =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, { type });
const picture = (): File => file(PIXEL, 'my photo.png', 'image/png');

/** Names of the stored files. */
const listStored = (): string[] => {
  const folder = join(site().root, 'var/upload');
  return existsSync(folder) ? readdirSync(folder) : [];
};
const readTalk = async (id: number) => {
  const talk = await site().emit('system-model-detail', { schema: 'talk', talk_id: id });
  return [talk.getResults('talk_title'), talk.getResults('talk_picture')].map(String);
};

const REFUSED: readonly (readonly [string, Readonly<Record<string, string | File>>, RegExp])[] = [
  [
    'a text by the name of an image',
    { talk_title: 'Kept', talk_picture: file('no image', 'a.png', 'image/png') },
    /Picture is a file of type/,
  ],
  [
    'a page',
    { talk_title: 'Kept', talk_picture: file('<html><script>1</script>', 'a.html', 'text/html') },
    /Picture is a file of type/,
  ],
  ['an image without a title', { talk_title: '', talk_picture: picture() }, /Give it a title\./],
];

test('a refused upload stores nothing, and says at its field why', async () => {
  for (const [title, typed, message] of REFUSED) {
    const answer = await submit('/talk/0', typed);
    assert.is(answer.status, 422, title);
    assert.match(answer.text, message, title);
    assert.match(answer.text, `value="${typed.talk_title}"`, title);
  }
  assert.equal(listStored(), []);
  assert.equal(await site().rows('talk'), []);
});

test('an image is stored, served, shown by the form, kept, and replaced', async () => {
  const made = await submit('/talk/0', { talk_title: 'First', talk_picture: picture() });
  assert.equal([made.status, made.location], [303, '/talk/1'], made.text);
  const [, stored = ''] = await readTalk(1);
  assert.match(stored, /^\/upload\/[\w-]+\.png$/);
  const served = await fetch(site().url + stored);
  assert.equal([served.status, served.headers.get('content-type')], [200, 'image/png']);
  assert.equal(Buffer.from(await served.arrayBuffer()), Buffer.from(PIXEL));
  assert.match((await site().get('/talk/1')).text, stored);

  assert.is((await submit('/talk/1', { talk_title: 'Second' })).status, 303);
  assert.equal(await readTalk(1), ['Second', stored], 'no file was chosen');

  assert.is((await submit('/talk/1', { talk_picture: picture() })).status, 303);
  const [title, next = ''] = await readTalk(1);
  assert.is(title, 'Second');
  assert.is.not(next, stored);
  assert.ok(listStored().includes(next.split('/').at(-1) ?? ''));
});

test.run();
