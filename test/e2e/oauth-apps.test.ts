import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { App } from '../../src/model/shape.ts';
import { addArticle, boot, type Site } from '../boot.ts';
import type { Client } from '../client.ts';
import { hasChromium, openChromium } from './_browser.ts';
import { postForm, signUpAs } from './_oauth.ts';

/** Apps registered in the developer section, and their approval by the operator. */
const apps = suite<{ site: Site; browser: Client }>('apps of the developer section');
apps.before(async (at) => {
  at.site = await boot({
    mode: 'development',
    change: async (project) => {
      await project.cli('api', 'populate');
      const scope = {
        slug: 'sensitive',
        name: 'See what few may see',
        access: 'app',
        approval: true,
        calls: ['app-profile-detail'],
      };
      project.write('config/scope/sensitive.json', scope);
      const article = ['--event', 'system-model-create', '--parameter', 'schema=article', '--type', 'article.created'];
      await project.cli('webhook', 'create', 'article-created', '--title', 'Article created', ...article, '--approval');
    },
  });
  at.browser = await signUpAs(at.site, 'Ann');
});
apps.after(({ site }) => site?.close());

const CSRF = /name="csrf" value="([^"]*)"/;
const SECRET = /tk_cs_[A-Za-z0-9_-]{43}/;

async function register(
  browser: Client,
  more: Record<string, string | readonly string[]>,
): Promise<{ id: string; text: string }> {
  const csrf = CSRF.exec((await browser.get('/developer/app/create')).text)?.[1] ?? '';
  const form = { csrf, title: 'One', redirect_uris: 'http://127.0.0.1/cb', ...more };
  const { text, status } = await browser.post('/developer/app/create', form);
  assert.is(status, 200);
  return { id: /app_[A-Za-z0-9_-]{22}/.exec(text)?.[0] ?? text, text };
}

apps('a public one gets no secret, and proves itself by its challenges', async ({ browser }) => {
  const { id, text } = await register(browser, { public: '1', 'scopes[]': ['profile_read'] });
  assert.not.match(text, SECRET);
  assert.match((await browser.get('/developer/app/search')).text, id);
  const answer = await browser.get(`/oauth/authorize?response_type=code&client_id=${id}`);
  assert.match(answer.location, 'code_challenge+is+missing'.replaceAll('+', '%20'));
});

apps(
  'a scope that needs approval opens nothing until the command gave it; suspension stops all',
  async ({ site, browser }) => {
    const { id, text } = await register(browser, { 'scopes[]': ['sensitive'] });
    assert.match(text, 'wait for approval by');
    const secret = SECRET.exec(text)?.[0] ?? '';
    const own = async () => {
      const fields = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
      return (await (await postForm(`${site.url}/oauth/token`, fields)).json()) as {
        access_token?: string;
        scope?: string;
      };
    };
    const call = async (token?: string) =>
      (await fetch(`${site.url}/rest/public/profile/detail/1`, { headers: { authorization: `Bearer ${token}` } }))
        .status;
    const shown = (await site.cli('app', 'show', id)).data;
    assert.equal([shown.state, shown.owner, shown.pending], ['active', 'ann@example.org', ['sensitive']]);
    const listed = (await site.cli('app', 'list')).data as unknown as Record<string, unknown>[];
    assert.equal(listed.find(({ clientId }) => clientId === id)?.pending, ['sensitive']);
    const before = await own();
    assert.is(before.scope, '');
    assert.is(await call(before.access_token), 403);
    assert.equal((await site.cli('app', 'approve', id, '--dry-run')).data.isDryRun, true);
    assert.is((await own()).scope, '');
    const { data } = await site.cli('app', 'approve', id);
    assert.equal(data, { clientId: id, approved: ['sensitive'], pending: [], approvedHooks: [], pendingHooks: [] });
    const after = await own();
    assert.is(after.scope, 'sensitive');
    assert.is(await call(after.access_token), 200);
    await site.cli('app', 'suspend', id);
    assert.is(await call(after.access_token), 401);
    assert.is((await own()).access_token, undefined);
    await site.cli('app', 'resume', id);
    assert.is(await call(after.access_token), 200);
    await site.cli('app', 'approve', id, '--revoke');
    assert.is(await call(after.access_token), 403);
  },
);

/** A loopback receiver that records the titles of received articles. */
async function startReceiver() {
  const titles: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      titles.push(JSON.parse(Buffer.concat(chunks).toString()).data.article_title);
      response.end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    titles,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Waits until every event was expanded to its receivers, and every delivery has ended. */
async function settle({ app }: Site): Promise<void> {
  for (let tries = 0; tries < 1000; tries += 1) {
    const jobs = await app.services.database.kysely.selectFrom('treadle_job').select('kind').limit(1).execute();
    if (jobs.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('The queue was not worked off.');
}

apps('a web hook that needs approval tells an app nothing until the command gave it', async ({ site, browser }) => {
  const receiver = await startReceiver();
  try {
    assert.match((await browser.get('/developer/docs/webhooks/article-created')).text, 'needs approval');
    assert.match((await browser.get('/developer/app/create')).text, 'needs approval');
    const { id, text } = await register(browser, { webhook: receiver.url, 'hooks[]': ['article-created'] });
    assert.match(text, 'Some web hooks wait for approval by');
    const page = (await browser.get('/developer/app/search')).text;
    const appId = [...page.matchAll(/\/developer\/app\/detail\/(\d+)/g)].at(-1)?.[1];
    const own = `/developer/app/webhook/${appId}`;
    assert.match((await browser.get(own)).text, 'Waits for approval');
    assert.not.match((await browser.get(own)).text, 'Send a test event');
    await addArticle(site, 'Before');
    await settle(site);
    const shown = (await site.cli('app', 'show', id)).data;
    assert.equal([shown.pending, shown.pendingHooks], [[], ['article-created']]);
    const receivers = await site.cli('webhook', 'receivers', '--hook', 'article-created');
    assert.equal((receivers.data.rows as Record<string, unknown>[])[0]?.state, 'waiting');

    const { data } = await site.cli('app', 'approve', id, '--hook', 'article-created');
    assert.equal([data.approvedHooks, data.pendingHooks, data.approved], [['article-created'], [], []]);
    assert.match((await browser.get(own)).text, 'Send a test event');
    await addArticle(site, 'Approved');
    await settle(site);
    await site.cli('app', 'approve', id, '--revoke', '--hook', 'article-created');
    await addArticle(site, 'After');
    await settle(site);
    assert.equal(receiver.titles, ['Approved']);
    assert.match((await browser.get(own)).text, 'Waits for approval');
  } finally {
    receiver.close();
  }
});

apps('a new secret leaves the old one a day, unless it leaked', async ({ site, browser }) => {
  const { id, text } = await register(browser, {});
  const secrets = [SECRET.exec(text)?.[0] ?? ''];
  const page = (await browser.get('/developer/app/search')).text;
  const appId = [...page.matchAll(/\/developer\/app\/detail\/(\d+)/g)].at(-1)?.[1];
  const csrf = CSRF.exec((await browser.get(`/developer/app/update/${appId}`)).text)?.[1] ?? '';
  for (const more of [{}, { at_once: '1' }]) {
    const answer = await browser.post(`/developer/app/refresh/${appId}`, { csrf, ...more });
    secrets.push(SECRET.exec(answer.text)?.[0] ?? '');
  }
  const works = async (secret: string) =>
    (
      await postForm(`${site.url}/oauth/token`, {
        grant_type: 'client_credentials',
        client_id: id,
        client_secret: secret,
      })
    ).status;
  assert.equal(await Promise.all(secrets.map(works)), [401, 401, 200]);
});

apps('its owner stops an app and lets it work again, but not one that was suspended', async ({ site, browser }) => {
  const { id, text } = await register(browser, {});
  const secret = SECRET.exec(text)?.[0] ?? '';
  const page = (await browser.get('/developer/app/search')).text;
  const appId = [...page.matchAll(/\/developer\/app\/detail\/(\d+)/g)].at(-1)?.[1];
  const works = async () =>
    (
      await postForm(`${site.url}/oauth/token`, {
        grant_type: 'client_credentials',
        client_id: id,
        client_secret: secret,
      })
    ).status === 200;
  const post = async (what: string) => {
    const csrf = CSRF.exec((await browser.get(`/developer/app/update/${appId}`)).text)?.[1] ?? '';
    return browser.post(`/developer/app/${what}/${appId}`, { csrf });
  };
  const other = await signUpAs(site, 'Ole');
  const csrf = CSRF.exec((await other.get('/developer/app/create')).text)?.[1] ?? '';
  assert.is((await other.post(`/developer/app/stop/${appId}`, { csrf })).status, 404);
  assert.ok(await works());
  assert.is((await post('stop')).status, 303);
  assert.not(await works());
  assert.match((await browser.get(`/developer/app/detail/${appId}`)).text, 'You stopped this app.');
  assert.match((await browser.get(`/developer/app/webhook/${appId}`)).text, 'You stopped this app.');
  assert.is((await post('resume')).status, 303);
  assert.ok(await works());
  await site.cli('app', 'suspend', id);
  for (const what of ['resume', 'stop', 'resume']) {
    const refused = await post(what);
    assert.is(refused.status, 403, what);
    assert.match(refused.text, 'suspended by whoever runs this site');
  }
  assert.not(await works());
  const settings = (await browser.get(`/developer/app/update/${appId}`)).text;
  assert.not.match(settings, /developer\/app\/(?:stop|resume)/);
  await site.cli('app', 'resume', id);
  assert.ok(await works());
});

apps('the command removes a registered app by its client id, where the loss is allowed', async ({ site, browser }) => {
  const { id } = await register(browser, { title: 'Short-lived' });
  const list = async () => (await site.cli('app', 'list')).data as unknown as Record<string, unknown>[];
  const isThere = async () => (await list()).some(({ clientId }) => clientId === id);
  assert.equal((await site.cli('app', 'remove', id, '--dry-run')).data, { clientId: id, isDryRun: true });
  const refused = await site.cli('app', 'remove', id, '--yes').then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.match(String(refused), 'CLI_APP_LOSES');
  assert.ok(await isThere());
  assert.equal((await site.cli('app', 'remove', id, '--allow-loss')).data, { clientId: id, removed: true });
  assert.not(await isThere());
});

apps.run();

const browsers = suite('the dialog in Chromium');

/** The whole flow in a browser, if one is installed, because only browsers apply form policies. */
async function walk(isRemembered: boolean): Promise<string[]> {
  const app = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<h1>The app</h1>'),
  );
  await new Promise<void>((done) => app.listen(0, '127.0.0.1', done));
  const uri = `http://127.0.0.1:${(app.address() as AddressInfo).port}/cb`;
  const site = await boot({
    mode: 'development',
    change: async (project) => {
      await project.cli('api', 'populate');
      await project.cli(
        'app',
        'create',
        'reader',
        '--title',
        'Reader',
        '--redirect-uri',
        uri,
        '--scope',
        'profile_read',
      );
      project.edit<App>('config/app/reader.json', (one) => {
        one.rememberConsent = isRemembered;
      });
    },
  });
  const chrome = await openChromium();
  try {
    await signUpAs(site, 'Ann');
    const { client_id: id } = await site.app.services.database.kysely
      .selectFrom('treadle_app')
      .selectAll()
      .executeTakeFirstOrThrow();
    const seen: string[] = [];
    for (const query of ['', '', '&scope=nothing']) {
      const context = await chrome.newContext();
      const page = await context.newPage();
      await page.goto(`${site.url}/dialog/request?client_id=${id}${query}`);
      await page.fill('[name=auth_slug]', 'ann@example.org');
      await page.fill('[name=auth_password]', 'a long enough word');
      await page.click('main button[type=submit]');
      await page.waitForURL((url) => url.pathname !== '/auth/login');
      await page.waitForLoadState('networkidle');
      const isAsked = page.url().includes('/dialog/request');
      if (isAsked) {
        await page.click('button[value=allow]');
        await page.waitForURL((url) => url.pathname === '/cb');
      }
      const end = new URL(page.url());
      seen.push(`${isAsked ? 'asked' : 'not asked'} ${end.pathname} ${[...end.searchParams.keys()].join()}`);
      await context.close();
    }
    return seen;
  } finally {
    await chrome.close();
    await site.close();
    await new Promise((done) => app.close(done));
  }
}

if (hasChromium) {
  browsers(
    'the login leads to the dialog, and the dialog to the app; a refusal goes there from the login',
    async () => {
      assert.equal(await walk(false), ['asked /cb code', 'asked /cb code', 'not asked /cb error,error_description']);
    },
  );

  browsers('with a remembered consent the login leads on to the app', async () => {
    assert.equal(await walk(true), ['asked /cb code', 'not asked /cb code', 'not asked /cb error,error_description']);
  });
}

browsers.run();
