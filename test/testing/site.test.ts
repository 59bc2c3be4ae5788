// Also on PostgreSQL: a test may ask for a database of its own.
import { existsSync, readdirSync } from 'node:fs';
import process from 'node:process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Request } from '../../src/core/request/request.ts';
import { Response } from '../../src/core/request/response.ts';
import { startTestSite, type TestSite } from '../../src/testing/site.ts';
import { SERVER } from '../database/_where.ts';
import { Project } from '../project.ts';

const CODE = `
export default function shop(app) {
  app.job('count', async ({ data, app }) => {
    if (data.fails) throw new Error('No ink.');
    await app.emit('system-model-create', { schema: 'article', article_title: 'Counted ' + data.by });
  });
  app.schedule('nightly', '0 3 * * *', async ({ app, data }) => {
    await app.queue('count', { by: 'night' });
  });
  app.get('/shop/write', async (request, response) => {
    await app.mail({ to: 'reader@example.org', subject: 'Hello', template: 'hello', data: { name: 'Ada' } });
    await app.queue('count', { by: 'page' });
    response.setContent('written');
  });
  app.get('/shop/holds', async (request, response) => {
    await app.transaction(async () => {
      await app.emit('system-model-create', { schema: 'article', article_title: 'Held' });
      await new Promise((resolve) => globalThis.shopHolds(resolve));
    });
    response.setContent('held');
  });
  app.get('/shop/now', (request, response) => void response.setContent(String(app.now())));
  app.get('/shop/fails', () => { throw new Error('out of order'); });
}
`;

/** The rows of the articles, by title. */
const titles = async (site: TestSite): Promise<unknown[]> => {
  const found = await site.emit('system-model-search' as string, { schema: 'article', sort: 'article_id', limit: 100 });
  return (found.getResults('rows') as { article_title: string }[]).map(({ article_title }) => article_title);
};

const project = new Project('blog');
const context: { site?: TestSite } = {};
const given = (): TestSite => context.site as TestSite;

const test = suite('testing/site');
test.before(async () => {
  await project.cli('api', 'populate');
  project.addController('shop', CODE);
  project.write('app/www/src/template/mail/hello.txt', 'A text for {{name}}');
  // A value of `.env` that would send real mail, and hide the test's own address.
  project.write(
    '.env',
    'MAIL_URL=smtp://mail.example.org\nMAIL_FROM=a@example.org\nTREADLE_BASE_URL=https://example.org\n',
  );
  project.edit<{ url: string }>('config/webhook/profile-created.json', (hook) => {
    hook.url = 'https://receiver.example.org/hook';
  });
  const hook = {
    event: 'system-model-update',
    parameters: { schema: 'profile' },
    type: 'profile.updated',
    method: 'post',
  };
  project.write('config/webhook/profile-updated.json', { title: 'Profile updated', audience: 'user', ...hook });
  context.site = await startTestSite({
    root: project.root,
    now: '2026-03-01 09:00:00',
    quiet: true,
    ...(SERVER === undefined ? {} : { database: SERVER }),
  });
});
test.after(async () => {
  await context.site?.close();
  await project.remove();
});

test('serves the project, and gives typed answers', async () => {
  const page = await given().get('/articles');
  assert.is(page.status, 200);
  assert.match(page.text, '<title>Articles');
  assert.match(page.headers.get('content-type') ?? '', 'text/html');
  assert.equal((await given().get('/rest/public/article/search')).json().results.rows, []);
  assert.is((await given().send('PATCH', '/nothing', { json: {} })).status, 404);
});

test('creates rows, and says which value is wrong', async () => {
  const { article_id } = await given().create('article', { article_title: 'Warp' });
  assert.match((await given().get(`/article/${article_id}`)).text, 'Warp');
  const wrong = given().create('article', {});
  const error = await wrong.then(
    () => undefined,
    (fault: Error) => fault,
  );
  assert.match(error?.message ?? 'It was created.', /^A row of article: .*article_title: Title is required/);
});

test('rows, count, exists and upsert are those of the project’s code, as the system', async () => {
  const site = given();
  const before = await site.count('article');
  const { row } = await site.upsert('article', { article_id: 4711 }, { article_title: 'By its number' });
  const again = await site.upsert('article', { article_id: 4711 }, { article_title: 'Again' });
  assert.equal([row.article_id, again.isNew, again.row.article_title], [4711, false, 'Again']);
  assert.is(await site.count('article'), before + 1);
  assert.is(await site.exists('article', { filter: { article_id: 4712 } }), false);
  const seen: unknown[] = [];
  for await (const { article_title } of site.rows('article', { filter: { article_id: 4711 } }))
    seen.push(article_title);
  assert.equal(seen, ['Again']);
  await site.emit('system-model-remove', { schema: 'article', article_id: 4711 });
});

test('a person is logged in, and a visitor is not', async () => {
  const ada = await given().person('Ada Löve', { profile: {} });
  assert.match(ada.email, /^ada\.lo\.?ve\.[0-9a-f]{6}@example\.org$/);
  assert.match((await ada.get('/articles')).text, 'Ada Löve');
  assert.match((await given().visitor().get('/articles')).text, 'Log in');
  assert.is((await ada.get('/admin')).status, 403);
  const admin = await given().person('Root', { roles: ['admin'], email: 'root@example.org' });
  assert.is((await admin.get('/admin')).status, 200);
  assert.is(admin.email, 'root@example.org');
});

test('a person logs in by the form with the password', async () => {
  const { email, password } = await given().person('Eve');
  const visitor = given().visitor();
  const answer = await visitor.post('/auth/login', { auth_slug: email, auth_password: password });
  assert.is(answer.status, 303);
  assert.match((await visitor.get('/articles')).text, 'Eve');
});

test('an app calls for a person, and for itself', async () => {
  const ada = await given().person('Ada');
  const app = await given().app({ scopes: ['profile_read'] });
  const own = (await (await app.as(ada)).get('/rest/user/profile/detail')).json();
  assert.is(own.results.profile_id, ada.profile_id);
  const other = await app.get(`/rest/public/profile/detail/${ada.profile_id}`);
  assert.is(other.json().results.profile_name, 'Ada');
  assert.is((await given().get(`/rest/public/profile/detail/${ada.profile_id}`)).status, 401);
});

test('keeps the web hooks that would be sent, and replies to them as told', async () => {
  const before = (await given().deliveries()).length;
  await given().person('Hooked');
  const [delivery] = (await given().deliveries()).slice(before);
  assert.is(delivery?.type, 'profile.created');
  assert.is(delivery?.url, 'https://receiver.example.org/hook');
  assert.is(delivery?.data.profile_name, 'Hooked');
  assert.is(delivery?.status, 204);
  assert.match(delivery?.headers['webhook-signature'] ?? '', /^v1,/);

  given().reply(() => ({ status: 500, body: { sorry: true } }));
  await given().person('Refused');
  assert.equal(
    (await given().deliveries()).slice(before + 1).map(({ status }) => status),
    [500],
  );
  given().reply(() => {
    throw new Error('connect ECONNREFUSED');
  });
  await given().clock.advance({ hours: 1 });
  assert.equal(
    (await given().deliveries()).slice(before + 2).map(({ status }) => status),
    [undefined],
  );
  given().reply(() => undefined);
  await given().clock.advance({ hours: 3 });
  assert.is((await given().deliveries()).at(-1)?.data.profile_name, 'Refused');
  assert.is((await given().deliveries()).at(-1)?.status, 204);
});

test('keeps mail, though .env names a mail server', async () => {
  assert.is((await given().get('/shop/write')).text, 'written');
  const mail = (await given().mails()).at(-1);
  assert.equal([mail?.to, mail?.subject, mail?.text?.trim()], ['reader@example.org', 'Hello', 'A text for Ada']);
});

test('runs jobs by name and as they fall due, with what they queue', async () => {
  await given().run('count', { by: 'hand' });
  assert.ok((await titles(given())).includes('Counted hand'));
  const failing = given().run('count', { fails: true });
  await failing.then(
    () => assert.unreachable(),
    (error: Error) => assert.match(error.message, 'The job count is failed: No ink.'),
  );
  await given()
    .run('cuont')
    .then(
      () => assert.unreachable(),
      (error: Error) => assert.match(error.message, 'There is no job "cuont"'),
    );
  assert.not((await titles(given())).includes('Counted night'));
  await given().clock.advance({ days: 1 });
  assert.ok((await titles(given())).includes('Counted night'));
  const jobs = await given().jobs();
  assert.ok(jobs.some(({ name, state }) => name === 'nightly' && state === 'done'));
  assert.ok(jobs.some(({ name, state, reason }) => name === 'count' && state === 'failed' && reason === 'No ink.'));
});

test('the clock of the site moves the times of rows', async () => {
  const before = given().clock.now();
  assert.is(before.getUTCFullYear(), 2026);
  await given().clock.advance({ days: 400 });
  const row = await given().create('article', { article_title: 'Later' });
  assert.match(String(row.article_created), /^2027-/);
  const now = Number((await given().get('/shop/now')).text);
  assert.ok(Math.abs(now - given().clock.now().getTime()) < 60_000, String(now));
});

test('a jump of the clock does not end an open transaction', async () => {
  const errors = () => given().log.filter(({ level }) => level === 'error').length;
  const before = errors();
  const held = new Promise<() => void>((resolve) => Object.assign(globalThis, { shopHolds: resolve }));
  const page = given().get('/shop/holds');
  const release = await held;
  const moved = given().clock.advance({ days: 17 });
  release();
  const answer = await page;
  assert.is(answer.text, 'held', JSON.stringify(given().log.slice(-3)));
  await moved;
  assert.ok((await titles(given())).includes('Held'));
  assert.is(errors(), before);
});

test('the log has the reason of a failed page', async () => {
  assert.is((await given().get('/shop/fails')).status, 500);
  const line = given().log.findLast(({ level }) => level === 'error');
  assert.match(JSON.stringify(line), 'out of order');
});

test('emits with a request and a response, as a controller does', async () => {
  const request = new Request().setStage({ schema: 'article', q: 'Warp' });
  const response = new Response();
  await given().emit('system-model-search', request, response);
  assert.is((response.getResults('rows') as unknown[]).length, 1);
});

for (const status of [429, 503]) {
  test(`settles while a receiver asked for a pause by ${status}, and delivers after it`, async () => {
    const before = (await given().deliveries()).length;
    given().reply(() => ({ status, headers: { 'retry-after': '7200' } }));
    await given().person('Paused');
    await given().settle();
    await given().person('Waits');
    await given().person('Waits too');
    await given().settle();
    assert.is((await given().deliveries()).length, before + 1, 'the others are not even tried');
    given().reply(() => undefined);
    await given().clock.advance({ minutes: 6 });
    const names = async () => (await given().deliveries()).slice(before).map(({ data }) => data.profile_name);
    assert.equal(await names(), ['Paused', 'Waits', 'Waits too']);
    await given().clock.advance({ hours: 3 });
    assert.equal(await names(), ['Paused', 'Waits', 'Waits too', 'Paused']);
  });
}

test('an app gets the web hooks of a person who uses it, and of nobody else', async () => {
  const app = await given().app({
    scopes: ['profile_read'],
    hooks: ['profile-updated'],
    webhook: 'https://app.example.org/hook',
  });
  const [ada, ben] = [await given().person('Ada'), await given().person('Ben')];
  const heard = async (): Promise<unknown[]> => {
    for (const { profile_id } of [ada, ben])
      await given().emit('system-model-update' as string, { schema: 'profile', profile_id, profile_name: 'Changed' });
    const own = (await given().deliveries()).filter(({ url }) => url === 'https://app.example.org/hook');
    return own.map(({ data }) => data.profile_id);
  };
  assert.equal(await heard(), []);
  await app.as(ada);
  assert.equal(await heard(), [ada.profile_id]);
  await given().clock.advance({ days: 2 });
  assert.equal(await heard(), [ada.profile_id, ada.profile_id], 'the consent outlives its first token');
});

test('the project keeps nothing of it', () => {
  assert.not(existsSync(project.path('var/app.db')));
  const kept = existsSync(project.path('var')) ? readdirSync(project.path('var')) : [];
  assert.equal(
    kept.filter((name) => name !== 'cache'),
    [],
  );
});

test('two sites at once have data of their own, and the root is found from the working folder', async () => {
  const folder = process.cwd();
  process.chdir(project.path('app/www'));
  // An empty variable of the environment counts as unset.
  const other = await startTestSite({ database: SERVER ?? '' }).finally(() => process.chdir(folder));
  assert.is(other.root, project.root);
  assert.equal(await titles(other), []);
  await other.close();
  await other.close();
  assert.is((await given().get('/articles')).status, 200);
});

test('a database that is not PostgreSQL, a time that is none and a project that is not there are refused', async () => {
  const says = async (options: object): Promise<string> => {
    const error = await startTestSite({ root: project.root, ...options }).then(
      () => undefined,
      (fault: Error) => fault,
    );
    return error?.message ?? 'It started.';
  };
  assert.match(await says({ database: 'mysql://localhost' }), 'must be a postgres:// URL');
  assert.match(await says({ now: 'soon' }), '"soon" is not a time');
  const folder = process.cwd();
  process.chdir('/');
  assert.match(await says({ root: undefined }).finally(() => process.chdir(folder)), 'There is no project in /');
});

test.run();
