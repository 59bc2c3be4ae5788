import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { addArticle, boot, type Site } from '../boot.ts';
import type { Client } from '../client.ts';
import { allow, signUpAs } from './_oauth.ts';

/** The samples of the docs, as shown on the pages, run against the server of the pages. */
interface World {
  site: Site;
  browser: Client;
  folder: string;
  variables: Record<string, string>;
  pages: string[];
}

const run = promisify(execFile);
const CALLBACK = 'http://127.0.0.1/cb';
const samples = suite<World>('samples of the docs');

samples.before(async (at) => {
  const credentials: Record<string, string> = {};
  at.folder = mkdtempSync(join(tmpdir(), 'treadle-samples-'));
  at.site = await boot({
    mode: 'development',
    change: async (project) => {
      await project.cli('api', 'populate');
      const all = ['--action', 'search,detail,create,update,remove,restore,link,unlink,batch'];
      await project.cli('rest', 'generate', 'comment', '--access', 'public');
      await project.cli('rest', 'generate', 'comment', '--access', 'user', ...all);
      await project.cli('rest', 'generate', 'article', '--access', 'app', ...all);
      const made = '--event system-model-create --parameter schema=profile --type profile.headed'.split(' ');
      const format = ['--format', 'cloudevents-binary'];
      await project.cli('webhook', 'create', 'profile-headed', '--title', 'Headed', ...made, ...format);
      const scopes = ['profile_read', 'comment_read', 'comment_write', 'article_write'].flatMap((slug) => [
        '--scope',
        slug,
      ]);
      const { data } = await project.cli(
        'app',
        'create',
        'samples',
        '--title',
        'Samples',
        '--redirect-uri',
        CALLBACK,
        ...scopes,
      );
      credentials.CLIENT_ID = String(data.clientId);
      credentials.CLIENT_SECRET = String(data.clientSecret);
    },
    ...// Each language runs every call; no test waits for a rate limit of a minute.
    {},
  });
  at.browser = await signUpAs(at.site, 'Ann');
  at.variables = { ...credentials, IDEMPOTENCY_KEY: 'a key', ETAG: '*', REDIRECT_URI: CALLBACK };
  const index = await (await fetch(`${at.site.url}/developer/docs/calls`)).text();
  at.pages = [...index.matchAll(/<td><a href="(\/developer\/docs\/calls\/[^"]+)"/g)].map(([, href]) => String(href));
});
samples.after(async ({ site, folder }) => {
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#x27': "'",
  '#x60': '`',
  '#x3D': '=',
};
/** The text of code without the marks of its highlighting. */
const unescape_ = (html: string): string =>
  html.replace(/<\/?span[^>]*>/g, '').replace(/&([^;]+);/g, (whole, name) => ENTITIES[name] ?? whole);

/** All samples of a page in a language, as a reader copies them. */
async function readSamples({ site }: World, path: string, language: string): Promise<string[]> {
  const page = await (await fetch(site.url + path)).text();
  const found = page.matchAll(
    new RegExp(
      `data-language="${language}"[^>]*>\\s*<summary>[^<]*</summary>\\s*<pre[^>]*><code>([\\s\\S]*?)</code>`,
      'g',
    ),
  );
  return [...found].map(([, text = '']) => unescape_(text));
}

/** How each language runs several files, one after the other, in one process. */
const RUNNERS = {
  curl: { ending: 'sh', program: 'sh', toMain: (files: string[]) => files.map((file) => `echo; . ${file} || exit 1`) },
  js: {
    ending: 'mjs',
    program: process.execPath,
    toMain: (files: string[]) => files.map((file) => `await import('${file}');`),
  },
  python: {
    ending: 'py',
    program: 'python3',
    toMain: (files: string[]) => [
      'import runpy',
      ...files.map((file) => `print('${file}'); runpy.run_path('${file}')`),
    ],
  },
} as const;
type Language = keyof typeof RUNNERS;
const LANGUAGES = Object.keys(RUNNERS) as Language[];

/** Output of the programs that run samples. */
async function execute(world: World, language: Language, ...texts: string[]): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', ...world.variables };
  const { ending, program, toMain } = RUNNERS[language];
  const files = texts.map((text, at) => {
    const file = join(world.folder, `sample-${at}.${ending}`);
    writeFileSync(file, text);
    return file;
  });
  const main = join(world.folder, `main.${ending}`);
  writeFileSync(main, toMain(files).join('\n'));
  return (await run(program, [main], { env })).stdout;
}

async function hasProgram(name: string): Promise<boolean> {
  return run('sh', ['-c', `command -v ${name}`]).then(
    () => true,
    () => false,
  );
}

/** Gets a new code for the app from the dialog. */
async function takeCode({ site, browser, variables }: World, query = ''): Promise<string> {
  const path = query === '' ? '/dialog/request' : '/oauth/authorize';
  const url = `${site.url}${path}?client_id=${encodeURIComponent(variables.CLIENT_ID ?? '')}${query}`;
  return (await allow(site, browser, url)).searchParams.get('code') ?? '';
}

/** A comment of Ann's and an article, each with the id 1, before every round. */
async function putRows({ site }: World): Promise<void> {
  const restore = async (schema: string): Promise<boolean> => {
    const stage = { schema, [`${schema}_id`]: 1 };
    await site.app.emit('system-model-restore', stage);
    return (await site.app.emit('system-model-detail', stage)).hasResults();
  };
  if (!(await restore('article'))) await addArticle(site);
  if (await restore('comment')) return;
  await site.app.emit('system-model-create', {
    schema: 'comment',
    comment_detail: 'One',
    profile_id: 1,
    article_id: 1,
  });
}

samples('the classic door’s exchange, in each language', async (world) => {
  const [, , , classic = ''] = await readSamples(world, '/developer/docs/guide/authentication', 'curl');
  assert.match(classic, '/rest/access');
  for (const language of LANGUAGES) {
    if (language === 'python' && !(await hasProgram('python3'))) continue;
    const at = (await readSamples(world, '/developer/docs/guide/authentication', language)).find((text) =>
      text.includes('/rest/access'),
    );
    world.variables.CODE = await takeCode(world);
    const out = await execute(world, language, at ?? '');
    const token = /access_token['"]?:\s*['"]([^'"]+)/.exec(out)?.[1];
    assert.ok(token, `${language}: ${out}`);
    world.variables.ACCESS_TOKEN = token;
  }
});

samples('the standard door: verifier, exchange, refresh, an app for itself, as the page has them', async (world) => {
  const path = '/developer/docs/guide/authentication';
  const page = unescape_(await (await fetch(world.site.url + path)).text());
  const shell = /<code>(export CODE_VERIFIER[\s\S]*?)<\/code>/.exec(page)?.[1] ?? '';
  const [verifier = '', challenge = ''] = (
    await run('sh', ['-c', `${shell}\nprintf '%s %s' "$CODE_VERIFIER" "$CODE_CHALLENGE"`])
  ).stdout.split(' ');
  assert.match(verifier, /^[\w-]{64}$/);
  const query = `&response_type=code&redirect_uri=${encodeURIComponent(CALLBACK)}&state=x&code_challenge=${challenge}&code_challenge_method=S256`;
  world.variables.CODE_VERIFIER = verifier;
  for (const language of LANGUAGES) {
    if (language === 'python' && !(await hasProgram('python3'))) continue;
    const [exchange = '', call = '', refresh = '', ...rest] = await readSamples(world, path, language);
    world.variables.CODE = await takeCode(world, query);
    const read = (out: string, name: string): string =>
      new RegExp(`${name}['"]?:\\s*['"]([^'"]+)`).exec(out)?.[1] ?? '';
    const first = await execute(world, language, exchange);
    world.variables.ACCESS_TOKEN = read(first, 'access_token');
    world.variables.REFRESH_TOKEN = read(first, 'refresh_token');
    assert.ok(world.variables.REFRESH_TOKEN, `${language}: ${first}`);
    await putRows(world);
    assert.not.match(await execute(world, language, call), '"error":true', language);
    const second = await execute(world, language, refresh);
    world.variables.ACCESS_TOKEN = read(second, 'access_token');
    assert.ok(world.variables.ACCESS_TOKEN, `${language}: ${second}`);
    const own = rest.find((text) => text.includes('client_credentials')) ?? '';
    assert.ok(read(await execute(world, language, own), 'access_token'), language);
  }
});

for (const language of LANGUAGES) {
  samples(`every call's sample in ${language} succeeds`, async (world) => {
    if (language === 'python' && !(await hasProgram('python3')))
      return void console.log('skipped: python3 is not here');
    assert.ok(world.pages.length > 20);
    const read = async (path: string): Promise<string> => (await readSamples(world, path, language))[0] ?? '';
    // Samples that remove a row run last, each with a row to remove.
    const removing = world.pages.filter((path) => /-(?:remove|batch)$/.test(path));
    const others = world.pages.filter((path) => !removing.includes(path));
    for (const group of [others, ...removing.map((path) => [path])]) {
      await putRows(world);
      const texts = await Promise.all(group.map(read));
      const out = await execute(world, language, ...texts);
      // If the sample does not check the status, the body is checked.
      if (language !== 'curl') continue;
      assert.is(out.split('"error":false').length - 1, group.length, out);
      assert.not.match(out, '"error":true');
    }
  });
}

samples('what the guide writes is written', async (world) => {
  for (const language of LANGUAGES) {
    if (language === 'python' && !(await hasProgram('python3'))) continue;
    world.variables.IDEMPOTENCY_KEY = `key-${language}`;
    for (const sample of await readSamples(world, '/developer/docs/guide/writing', language)) {
      await putRows(world);
      const out = await execute(world, language, sample);
      if (language === 'curl') assert.match(out, '"error":false', `${sample}\n${out}`);
    }
  }
});

samples('every example of a search finds or finds nothing, and is not refused', async ({ site }) => {
  const page = await (await fetch(`${site.url}/developer/docs/guide/searching`)).text();
  const found = [...page.matchAll(/<code>(http[^<]*)<\/code>/g)].map(([, url = '']) => unescape_(url));
  assert.ok(found.length >= 4, page);
  for (const url of found) assert.is((await fetch(url)).status, 200, url);
});

const SECRET = `whsec_${Buffer.from('a key of thirty-two bytes, surely').toString('base64')}`;
/** The secret of another hook with the same URL. */
const SECOND = `whsec_${Buffer.from('another one, of as many bytes too').toString('base64')}`;

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function deliver(
  url: string,
  { secret = SECRET, age = 0, body = '{"type":"a.b","data":{"ü":1}}' } = {},
): Promise<number> {
  const timestamp = String(Math.floor(Date.now() / 1000) - age);
  const key = Buffer.from(secret.slice(6), 'base64');
  const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': 'msg_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,AAAA v1,${signature}`,
  };
  return (await fetch(url, { method: 'POST', headers, body })).status;
}

async function tryReceiver(child: ChildProcess, url: string, body: string): Promise<void> {
  try {
    for (let left = 100; left > 0; left -= 1) {
      const isUp = await fetch(url, { method: 'POST' }).then(
        () => true,
        () => false,
      );
      if (isUp) break;
      await new Promise((done) => setTimeout(done, 50));
    }
    assert.is(await deliver(url, { body }), 204);
    assert.is(await deliver(url, { body, secret: SECOND }), 204, 'of another hook');
    assert.is(await deliver(url, { age: 600 }), 400, 'late');
    assert.is(await deliver(url, { age: -600 }), 400, 'early');
    assert.is(await deliver(url, { secret: `whsec_${Buffer.alloc(32).toString('base64')}` }), 400, 'another secret');
    assert.is((await fetch(url, { method: 'POST', body: '{}' })).status, 400, 'unsigned');
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

samples('the receivers of web hooks take what is signed and nothing else', async (world) => {
  symlinkSync(join(packageRoot, 'node_modules'), join(world.folder, 'node_modules'));
  const whole = { path: '/developer/docs/webhooks/profile-created', body: '{"type":"a.b","data":{"ü":1}}' };
  // Its type is in a header, so it needs another receiver.
  const headed = { path: '/developer/docs/webhooks/profile-headed', body: '{"ü":1}' };
  for (const [language, program, file] of [
    ['js', process.execPath, 'receiver.mjs'],
    ['js-package', process.execPath, 'package.mjs'],
    ['python', 'python3', 'receiver.py'],
    ['php', 'php', 'receiver.php'],
  ] as const) {
    if (!(await hasProgram(program))) {
      console.log(`skipped: ${program} is not here`);
      continue;
    }
    for (const { path, body } of [whole, headed]) {
      const [text = ''] = await readSamples(world, path, language);
      assert.ok(text.length > 400, language);
      writeFileSync(join(world.folder, file), text);
      const port = await findPort();
      const more = language === 'php' ? ['-S', `127.0.0.1:${port}`] : [];
      const env = { PATH: process.env.PATH, WEBHOOK_SECRET: `${SECRET} ${SECOND}`, PORT: String(port) };
      const child = spawn(program, [...more, join(world.folder, file)], { env, stdio: 'ignore' });
      await tryReceiver(child, `http://127.0.0.1:${port}/`, body);
    }
  }
});

samples('the static site shows the same samples, but for the address', async (world) => {
  const out = join(world.folder, 'site');
  await world.site.cli('docs', '--out', out);
  const [served = ''] = await readSamples(world, '/developer/docs/calls/user-comment-create', 'curl');
  const page = unescape_(readFileSync(join(out, 'calls/user-comment-create.html'), 'utf8'));
  assert.ok(page.includes(served.replace(world.site.url, 'https://example.org')));
});

samples.run();
