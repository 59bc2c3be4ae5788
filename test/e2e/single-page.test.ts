import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createApp } from '../../src/boot.ts';
import { boot, type Site } from '../boot.ts';
import { Project } from '../project.ts';

/** What a bundler wrote. */
const BUILT = {
  // Long enough to be sent compressed.
  'public/app/index.html': `<!doctype html><title>App</title><div>${'root '.repeat(500)}</div><script type="module" src="/app/assets/index-BfkX3a9d.js"></script>`,
  'public/app/assets/index-BfkX3a9d.js': 'document.title = location.pathname;',
  'public/app/inner/index.html': '<!doctype html><title>Inner</title>',
  'public/app/sw.js': '// service worker',
};
const SERVER = {
  singlePage: ['/app/', '/app/inner/', '/members/', '/gone/'],
  immutable: ['/app/assets/'],
  contentSecurityPolicy: {
    'style-src': ["'self'", "'unsafe-inline'"],
    'connect-src': ["'self'", 'https://api.example.org'],
    'upgrade-insecure-requests': [],
  },
};
const OWN_CODE = `import type { App } from 'treadle';
export default function own(app: App) {
  app.get('/app/server', (request, response) => void response.setContent('<p>by the server</p>'));
  app.get('/policy', (request, response) =>
    void response.addHeader('content-security-policy', "default-src 'none'").setContent('<p>own</p>'));
}
`;
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const test = suite('e2e/single-page');
const at: { site?: Site } = {};
const site = (): Site => at.site as Site;
test.before(async () => {
  at.site = await boot({
    template: 'bare',
    settings: { server: SERVER },
    files: {
      ...BUILT,
      'public/members/index.html': '<title>Members</title>',
      'app/www/src/events.ts': OWN_CODE,
      'config/role/member.json': {
        slug: 'member',
        name: 'Member',
        permissions: [{ method: 'all', path: '/members/**' }],
      },
    },
  });
});
test.after(() => at.site?.close());

/** Path, headers, status, what the text holds, and Cache-Control. */
const ANSWERS: readonly (readonly [string, object, number, RegExp, RegExp?])[] = [
  ['/app/', HTML, 200, /<title>App/, /must-revalidate/],
  ['/app', HTML, 200, /<title>App/, /must-revalidate/],
  ['/app/orders/12', HTML, 200, /<title>App/, /^public,max-age=0,must-revalidate$/],
  ['/app/orders/12?tab=2', HTML, 200, /<title>App/],
  ['/app/inner/deep', HTML, 200, /<title>Inner/],
  // A file or a route comes first.
  ['/app/server', HTML, 200, /by the server/],
  ['/app/sw.js', HTML, 200, /service worker/, /must-revalidate/],
  // A name with a hash never changes its content.
  ['/app/assets/index-BfkX3a9d.js', {}, 200, /location/, /^public, ?max-age=31536000, ?immutable$/],
  // A missing file is not a page: a script of an old build must not get HTML.
  ['/app/assets/index-Gone1234.js', HTML, 404, /./],
  ['/app/assets/index-Gone1234.js', {}, 404, /./, /no-store/],
  // Neither is what a program asks for.
  ['/app/orders/12', { accept: 'application/json' }, 404, /./],
  ['/app/orders/12', {}, 404, /./],
  // Other paths, also with a name that begins alike, and folders that were not built.
  ['/application', HTML, 404, /./],
  ['/other/page', HTML, 404, /./],
  ['/gone/page', HTML, 404, /./],
  ['/app/%2e%2e/x', HTML, 200, /<title>App/],
  // What roles guard stays guarded.
  ['/members/any/page', HTML, 303, /./],
];
for (const [path, headers, status, text, caching] of ANSWERS) {
  test(`${path} with ${JSON.stringify(headers)} is ${status}`, async () => {
    const answer = await site().get(path, headers as Record<string, string>);
    assert.is(answer.status, status, answer.text);
    if (status !== 303) assert.match(answer.text, text);
    if (caching) assert.match(String(answer.headers['cache-control']), caching);
  });
}

test('a deep link says that it depends on Accept, has an ETag, and answers HEAD and 304', async () => {
  const page = await site().get('/app/orders/12', HTML);
  assert.match(String(page.headers.vary), /Accept(?:,|$)/);
  assert.match(String(page.headers.vary), /Accept-Encoding/);
  const same = await site().get('/app/orders/99', { ...HTML, 'if-none-match': String(page.headers.etag) });
  assert.is(same.status, 304);
  const head = await site().send('HEAD', '/app/orders/12', { headers: HTML });
  assert.is(head.status, 200);
  assert.is(head.text, '');
  assert.is((await site().send('POST', '/app/orders/12', { headers: HTML, form: { a: '1' } })).status, 404);
});

test('a member gets the guarded front end, and no shared cache keeps it', async () => {
  const member = await site().as('Mia', ['member']);
  const page = await member.send('GET', '/members/any/page', { headers: HTML });
  assert.is(page.status, 200);
  assert.match(page.text, /Members/);
  assert.is(page.headers['cache-control'], 'private, no-cache');
});

const policyOf = async (path: string, headers: Record<string, string> = HTML): Promise<string> =>
  String((await site().get(path, headers)).headers['content-security-policy']);

test('the policy of the settings replaces its directives and leaves the others', async () => {
  for (const path of ['/app/', '/app/orders/12', '/app/assets/index-BfkX3a9d.js', '/', '/none']) {
    const policy = await policyOf(path);
    assert.match(policy, /style-src 'self' 'unsafe-inline'/, path);
    assert.match(policy, /connect-src 'self' https:\/\/api\.example\.org/, path);
    assert.match(policy, /; upgrade-insecure-requests/, path);
    assert.match(policy, /default-src 'self'/, path);
    assert.match(policy, /frame-ancestors 'none'/, path);
  }
});

test('a header of a route wins', async () => {
  assert.is(await policyOf('/policy'), "default-src 'none'");
});

test("Treadle's own pages and data keep the usual policy", async () => {
  for (const path of [
    '/auth/login',
    '/auth/signup',
    '/admin',
    '/AUTH/login',
    '/auth/none',
    '/oauth/authorize',
    '/dialog/request',
    '/rest/x',
    '/developer',
  ]) {
    assert.not.match(await policyOf(path), /unsafe-inline|api\.example/, path);
  }
});

test('frame-ancestors takes X-Frame-Options along', async () => {
  const framed = await boot({
    template: 'bare',
    settings: { server: { contentSecurityPolicy: { 'frame-ancestors': ["'self'", 'https://partner.example'] } } },
  });
  try {
    const { headers } = await framed.get('/');
    assert.match(String(headers['content-security-policy']), /frame-ancestors 'self' https:\/\/partner\.example/);
    assert.is(headers['x-frame-options'], undefined);
    const login = await framed.get('/auth/login');
    assert.is(login.headers['x-frame-options'], 'DENY');
    assert.match(String(login.headers['content-security-policy']), /frame-ancestors 'none'/);
  } finally {
    await framed.close();
  }
});

/** Settings of the server, and what the problem says. */
const REFUSED: readonly (readonly [object, RegExp])[] = [
  [{ contentSecurityPolicy: { 'style-scr': ["'self'"] } }, /must be a directive, such as "style-src"/],
  [{ contentSecurityPolicy: { 'style-src': ['self'] } }, /must have single quotes: "'self'"/],
  [{ contentSecurityPolicy: { 'style-src': ["'self'; script-src *"] } }, /must be one source, without blanks/],
  [{ contentSecurityPolicy: { 'style-src': ['a,b'] } }, /must be one source/],
  [{ contentSecurityPolicy: { 'report-uri': ['/csp; script-src *'] } }, /must be one source/],
  [{ contentSecurityPolicy: { 'report-to': ['csp\nx'] } }, /must be one source/],
  [{ contentSecurityPolicy: { 'script-src': ["'nonce-abc'"] } }, /must not be a nonce/],
  [{ contentSecurityPolicy: { 'script-src': ["'unsafe'"] } }, /must be a host, a scheme, a hash/],
  [{ contentSecurityPolicy: { 'script-src': [] } }, /must not be empty/],
  [{ contentSecurityPolicy: { 'script-src': ["'none'", 'https:'] } }, /must hold nothing beside/],
  [{ contentSecurityPolicy: { 'upgrade-insecure-requests': ["'self'"] } }, /must be an empty list/],
  [{ contentSecurityPolicy: "default-src 'self'" }, /must be an object/],
  [{ singlePage: ['app'] }, /must begin and end with "\/"/],
  [{ singlePage: ['/../'] }, /must begin and end with "\/"/],
  [{ singlePage: ['/.git/'] }, /must begin and end with "\/"/],
  [{ immutable: ['/'] }, /must not be the whole site/],
];
for (const [server, message] of REFUSED) {
  test(`the settings refuse ${JSON.stringify(server)}`, async () => {
    const project = new Project('none');
    try {
      project.write('config/settings.json', { name: 'Site', server });
      const error = await createApp({ root: project.root, mode: 'test', env: {} }).then(
        async (app) => app.close().then(() => new Error('it started')),
        (thrown: unknown) => thrown as Error & { problems?: { message: string }[] },
      );
      const said = ('problems' in error ? (error.problems ?? []) : [error]).map((each) => each.message).join('\n');
      assert.match(said, message);
    } finally {
      await project.remove();
    }
  });
}

test('check advises on a folder that was not built', async () => {
  const { app } = site();
  const advice = app.problems.filter(({ code }) => code === 'PLAN_FOLDER_UNMET');
  assert.equal(
    advice.map(({ path }) => path),
    ['server.singlePage.3'],
  );
  assert.match(String(advice[0]?.message), 'public/gone/index.html');
});

test.run();
