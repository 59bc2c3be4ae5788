// What the guide "Front ends with a bundler" shows, served: its settings, its Vite configuration and its routes.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';
import { PASSWORD } from '../client.ts';
import { type Block, findPath, readBlocks } from '../docs/_block.ts';

const blocks = readBlocks('docs/guide/front-ends.md');
const get = (find: (block: Block) => boolean): Block => {
  const found = blocks.find(find);
  if (found === undefined) throw new Error('The guide has no such block.');
  return found;
};
const settings = JSON.parse(get(({ info }) => info === 'config/settings.json').text) as {
  server: { singlePage: string[]; immutable: string[] };
};
const policy = JSON.parse(get(({ info }) => info === 'part of config/settings.json').text) as { server: object };
const controller = get((block) => findPath(block) === 'app/www/src/controller/front-end.ts').text;

interface ViteConfig {
  readonly base: string;
  readonly build: { readonly outDir: string };
  readonly server: { readonly proxy: Readonly<Record<string, string>> };
}
const readViteConfig = (): ViteConfig => {
  const code = get(({ text }) => text.includes('front-end/vite.config.js')).text;
  const body = code.replace(/^import .*$/m, '').replace('export default defineConfig(', 'return (');
  return new Function(body)() as ViteConfig;
};

const test = suite('e2e/front-end-guide');
const at: { site?: Site } = {};
const site = (): Site => at.site as Site;
test.before(async () => {
  at.site = await boot({
    settings: { server: { ...settings.server, ...policy.server } },
    files: {
      'app/www/src/controller/front-end.ts': controller,
      'public/app/index.html': '<!doctype html><title>Shop</title>',
      'public/app/assets/index-BfkX3a9d.js': '1;',
    },
    change: (project) => {
      const text = project.read('app/www/.treadle.ts');
      project.write(
        'app/www/.treadle.ts',
        `import frontEnd from './src/controller/front-end';\n${text.replace('export default [', 'export default [frontEnd, ')}`,
      );
    },
  });
});
test.after(() => at.site?.close());

test("Vite's base and folder are those of the settings", () => {
  const { base, build } = readViteConfig();
  assert.equal(settings.server.singlePage, [base]);
  assert.equal(settings.server.immutable, [`${base}assets/`]);
  assert.is(build.outDir, `../public${base.replace(/\/$/, '')}`);
});

test('what the proxy sends on, Treadle answers, and nothing of the front end is among it', async () => {
  const { base, server } = readViteConfig();
  const paths = [
    '/rest/public/article/search',
    '/api/me',
    '/auth/login',
    '/oauth/authorize',
    '/dialog/request',
    '/styles/treadle.css',
    '/scripts/form.js',
  ];
  for (const path of paths) {
    assert.ok(
      Object.keys(server.proxy).some((prefix) => path.startsWith(prefix)),
      path,
    );
    assert.is.not((await site().get(path)).status, 404, path);
  }
  assert.not.ok(Object.keys(server.proxy).some((prefix) => base.startsWith(prefix)));
});

test('deep links and hashed files', async () => {
  const page = await site().get('/app/orders/12', { accept: 'text/html' });
  assert.match(page.text, /<title>Shop/);
  assert.match(String(page.headers['content-security-policy']), /wss:\/\/live\.example\.org/);
  const script = await site().get('/app/assets/index-BfkX3a9d.js');
  assert.match(String(script.headers['cache-control']), /immutable/);
});

const JSON_HEADERS = { accept: 'application/json', 'content-type': 'application/json' };
const BODY = { json: { comment_detail: 'Hello' } };

test('a visitor is nobody, and is asked to log in', async () => {
  assert.equal((await site().get('/api/me')).json().results, { profile_id: null });
  const refused = await site().send('POST', '/api/comment', { ...BODY, headers: JSON_HEADERS });
  assert.is(refused.status, 401);
  assert.is(refused.json().message, 'Log in to comment.');
});

test('with the session the same site posts JSON without a token, also through a development server', async () => {
  const ada = await site().as('Ada');
  assert.type((await ada.send('GET', '/api/me')).json().results.profile_id, 'number');
  const from: Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'same-origin' },
    { host: 'localhost:5173', origin: 'http://localhost:5173' },
    { host: 'localhost:5173', origin: 'http://localhost:5173', 'sec-fetch-site': 'same-origin' },
  ];
  for (const headers of from) {
    const made = await ada.send('POST', '/api/comment', { ...BODY, headers: { ...JSON_HEADERS, ...headers } });
    assert.ok([200, 201].includes(made.status), made.text);
    assert.type(made.json().results.comment_id, 'number');
  }
  const invalid = await ada.send('POST', '/api/comment', { json: { comment_detail: '' }, headers: JSON_HEADERS });
  assert.is(invalid.status, 422);
  assert.type(invalid.json().validation.comment_detail, 'string');
});

test('another site is refused', async () => {
  const eve = await site().as('Ada');
  const from: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { host: 'localhost:5173', origin: 'http://localhost:3000' },
  ];
  for (const headers of from) {
    const made = await eve.send('POST', '/api/comment', { ...BODY, headers: { ...JSON_HEADERS, ...headers } });
    assert.is(made.status, 403, JSON.stringify(headers));
  }
});

test('the login leads back to a deep link', async () => {
  await site().as('Ada');
  const browser = site().browser();
  const answer = await browser.post('/auth/login?redirect_uri=/app/orders/12', {
    auth_slug: 'ada@example.org',
    auth_password: PASSWORD,
    redirect_uri: '/app/orders/12',
  });
  assert.is(answer.location === '' ? answer.status : answer.location, '/app/orders/12');
});

test.run();
