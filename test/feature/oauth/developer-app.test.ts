import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Request } from '../../../src/core/request/request.ts';
import { currentScope } from '../../../src/core/scope.ts';
import { createWorld, getTokens, isAlive, type World } from './_flow.ts';

/** One app's pages: request counts, sessions, the trial, and attacks on them. */
interface Own extends World {
  /** Una's own app, registered in the browser. */
  id: number;
  clientId: string;
  secret: string;
  owen(): Record<string, unknown>;
}

const HOUR = 3600;
const pages = suite<Own>('the pages of an app');
pages.before(async (at) => {
  const world = await createWorld();
  const wish = {
    title: 'Mine',
    owner: 2,
    scopes: ['profile_read', 'sensitive'],
    redirect_uris: ['https://a.example/cb'],
  };
  const made = await world.site.emit('app-create', wish);
  Object.assign(at, world, {
    id: made.getResults('app_id'),
    clientId: made.getResults('client_id'),
    secret: made.getResults('client_secret'),
    owen: () => ({ me: { auth_id: 1, profile_id: 1 } }),
  });
});
pages.after(({ site }) => site.close());

const PAGES = ['detail', 'update', 'session', 'try'] as const;

pages('are of 50 apps at most for one account; those of definition files do not count', async ({ site, owen }) => {
  const wish = { title: 'One more', owner: 1, scopes: ['profile_read'], redirect_uris: ['https://a.example/cb'] };
  for (let count = 0; count < 50; count += 1) assert.is((await site.emit('app-create', wish)).isError(), false);
  const refused = await site.emit('app-create', wish);
  assert.equal([refused.getStatus(), refused.isError()], [409, true]);
  const body = 'title=Mine&scopes[]=profile_read&redirect_uris=https://a.example/cb';
  const page = await site.post('/developer/app/create', body, { session: owen() });
  assert.equal([page.status, /at most 50 apps\. Remove one/.test(page.text)], [409, true]);
  const [last] = (await site.rows('treadle_app')).slice(-1);
  await site.emit('app-remove', { app_id: last?.app_id, owner: 1 });
  assert.is((await site.emit('app-create', wish)).isError(), false);
});

pages('are shown to its developer; another’s app looks as one that does not exist', async ({ site, id, una, owen }) => {
  for (const page of PAGES) {
    const own = await site.get(`/developer/app/${page}/${id}`, una());
    assert.is(own.status, 200, page);
    assert.is(own.headers['cache-control'], 'no-store');
    assert.match(own.text, `href="/developer/app/webhook/${id}"`);
    for (const other of [id, 9999, '-1', 'x', '%00']) {
      const refused = await site.get(`/developer/app/${page}/${other}`, owen());
      assert.is(refused.status, 404, `${page} ${other}`);
      assert.not.match(refused.text, 'Mine');
    }
    assert.match((await site.get(`/developer/app/${page}/${id}`)).location, '/auth/login?redirect_uri=');
  }
});

pages(
  'nobody changes, tries, or ends sessions of another’s app, whatever the form says',
  async ({ site, id, owen }) => {
    const before = JSON.stringify(await site.rows('treadle_app'));
    for (const path of ['update', 'refresh', 'remove', 'session', 'try', 'exchange']) {
      for (const body of ['title=Taken&owner=2', 'all=1&owner=2&app_id=1', 'code=x&auth_id=2']) {
        const answer = await site.post(`/developer/app/${path}/${id}?owner=2`, body, { session: owen() });
        assert.is(answer.status, 404, path);
      }
    }
    assert.is(JSON.stringify(await site.rows('treadle_app')), before);
  },
);

pages('shows the scope that waits, and posting an approval changes nothing', async ({ site, id, una }) => {
  assert.match((await site.get(`/developer/app/detail/${id}`, una())).text, 'waiting for approval');
  const body =
    'title=Mine&scopes[]=profile_read&scopes[]=sensitive&approved[]=sensitive&active=1&name=reader&redirect_uris=https://a.example/cb';
  assert.is((await site.post(`/developer/app/update/${id}`, body, { session: una() })).status, 303);
  const row = (await site.rows('treadle_app')).find(({ app_id: other }) => other === id);
  assert.equal([row?.approved, row?.name, row?.owner_auth_id], [null, null, 2]);
  assert.match((await site.get(`/developer/app/detail/${id}`, una())).text, 'waiting for approval');
});

pages('an app of a file is shown with its file, and not changed', async ({ site, owen }) => {
  const { text } = await site.get('/developer/app/update/1', owen());
  assert.match(text, 'config/app/reader.json');
  assert.match(text, 'readonly');
  assert.not.match(text, 'Save changes');
  assert.not.match(text, '/developer/app/remove/1');
});

pages('is removed only with its title; a wrong title is reported next to the field', async ({ site, una }) => {
  const made = await site.emit('app-create', { title: 'To  go', owner: 2 });
  const path = `/developer/app/remove/${made.getResults('app_id')}`;
  for (const typed of ['', 'To', 'to go']) {
    const answer = await site.post(path, `confirm=${encodeURIComponent(typed)}`, { session: una() });
    assert.is(answer.status, 422, typed);
    assert.match(answer.text, 'href="#t-confirm"');
    assert.match(
      answer.text,
      'id="t-confirm" name="confirm" type="text" autocomplete="off" required aria-invalid="true"',
    );
  }
  assert.is((await site.post(path, 'confirm=To+go', { session: una() })).location, '/developer/app/search');
});

pages('titles and addresses are text, never markup', async ({ site, una }) => {
  const title = '<img src=x onerror=alert(1)>{{7}}"\'';
  const made = await site.emit('app-create', { title, owner: 2, website: 'https://a.example/"><script>1</script>' });
  const url = 'https://a.example/%22%3E%3Cscript%3E';
  const good = await site.emit('app-create', {
    title,
    owner: 2,
    website: url,
    redirect_uris: ['https://a.example/?"<b>\''],
  });
  const id = (made.isError() ? good : made).getResults('app_id');
  for (const path of ['search', ...PAGES.map((page) => `${page}/${id}`)]) {
    const { text } = await site.get(`/developer/app/${path}`, una());
    assert.match(text, '&lt;img');
    assert.not.match(text, '<img');
    assert.not.match(text, '<b>');
    assert.not.match(text, /<script>/);
  }
});

pages('lists sessions with scopes and last use, and ends one or all', async (at) => {
  const { site, una, owen } = at;
  const [first, second] = [await getTokens(at), await getTokens(at)];
  const list = await site.get('/developer/app/session/1', owen());
  assert.match(list.text, 'Una');
  assert.not.match(list.text, 'una@example.org', 'the e-mail is not the developer’s to see');
  assert.match(list.text, 'profile_write');
  const found = await site.emit('app-session-search', { app_id: 1, owner: 1 });
  assert.is(found.getResults('total'), 2);
  const [newest] = found.getResults('rows') as { grant_id: number }[];
  assert.is(
    (await site.post('/developer/app/session/1', `grant_id=${newest?.grant_id}`, { session: una() })).status,
    404,
  );
  assert.is((await site.post('/developer/app/session/1', 'grant_id=99999', { session: owen() })).status, 404);
  assert.is((await site.post('/developer/app/session/1', 'grant_id=x', { session: owen() })).status, 404);
  assert.ok(await isAlive(at, second.access_token));
  assert.is(
    (await site.post('/developer/app/session/1', `grant_id=${newest?.grant_id}`, { session: owen() })).status,
    303,
  );
  assert.not(await isAlive(at, second.access_token));
  assert.ok(await isAlive(at, first.access_token));
  assert.is((await site.post('/developer/app/session/1', 'all=1', { session: owen() })).status, 303);
  assert.not(await isAlive(at, first.access_token));
  assert.match((await site.get('/developer/app/session/1', owen())).text, 'No sessions');
});

pages('pages through more sessions than one page holds', async ({ site, id }) => {
  const { database } = site.services;
  const now = site.clock.now() / 1000;
  await database.write(async () => {
    for (let index = 0; index < 55; index += 1) {
      const owner = { app_id: id, auth_id: 2, profile_id: 2, scopes: '[]', created_at: now };
      const grant = await database.kysely
        .insertInto('treadle_grant')
        .values(owner)
        .returning('grant_id')
        .executeTakeFirstOrThrow();
      const token = {
        ...owner,
        token_hash: `page-${index}`,
        kind: 'access',
        grant_id: grant.grant_id,
        expires_at: now + 60,
      };
      await database.kysely.insertInto('treadle_token').values(token).execute();
    }
  });
  const ask = async (before?: unknown) =>
    (await site.emit('app-session-search', { app_id: id, owner: 2, before })).getResults() as {
      rows: unknown[];
      total: number;
      next: unknown;
    };
  const first = await ask();
  assert.equal([first.rows.length, first.total], [50, 55]);
  const last = await ask(first.next);
  assert.equal([last.rows.length, last.next], [5, null]);
});

/** Answers a request as the runtime does: in its own scope, then reported to the features. */
async function answer({ site }: World, stage: Record<string, unknown>, status: number): Promise<void> {
  const request = new Request();
  await currentScope.run({ request }, () => site.emit('rest-source-app-detail', stage));
  site.context.answered?.(request, { status, method: 'GET', path: '/rest/x', id: `r${status}`, milliseconds: 4 });
}

pages('counts requests by class of status, without a write each', async (at) => {
  const { site, id, clientId, una } = at;
  for (const status of [200, 201, 304, 404, 429, 500]) await answer(at, { client_id: clientId }, status);
  await answer(at, { client_id: 'nobody' }, 401);
  site.context.answered?.(new Request(), { status: 200, method: 'GET', path: '/', id: 'r', milliseconds: 1 });
  assert.equal(await site.rows('treadle_app_traffic'), [], 'nothing is written by a request');
  const figures = async () =>
    (await site.emit('app-traffic', { app_id: id, owner: 2 })).getResults('rows') as Record<string, number>[];
  const expected = {
    hour: site.clock.now() / 1000,
    succeeded: 3,
    refused: 2,
    failed: 1,
    last_at: site.clock.now() / 1000,
  };
  assert.equal(await figures(), [expected]);
  await site.clock.advance(5);
  for (let tries = 0; tries < 20_000 && (await site.rows('treadle_app_traffic')).length === 0; tries += 1)
    await new Promise(setImmediate);
  assert.equal(await figures(), [expected]);
  await answer(at, { client_id: clientId }, 200);
  assert.is((await figures())[0]?.succeeded, 4, 'what is written and what waits are one');
  const { text } = await site.get(`/developer/app/detail/${id}`, una());
  assert.match(text, '<dd>7</dd>');
  assert.match(text, 'class="t-chart-failed"');
  assert.match(text, '<table');
  assert.match((await site.get(`/developer/app/detail/${id}?days=30`, una())).text, 'by day, the last 30 days');
  const [mine] = ((await site.emit('app-search', { owner: 2 })).getResults('rows') as Record<string, unknown>[]).filter(
    ({ app_id: other }) => other === id,
  );
  assert.equal([mine?.requests, mine?.pending], [7, ['sensitive']]);
  assert.is((await site.emit('app-traffic', { app_id: id, owner: 1 })).getStatus(), 404);
});

pages("lists an app's last 100 requests, across the write, newest first, to its owner only", async (at) => {
  const { site, id, clientId, una, owen } = at;
  const ids = async () =>
    (
      (await site.emit('app-request-search', { app_id: id, owner: 2 })).getResults('rows') as { request_id: string }[]
    ).map(({ request_id }) => request_id);
  await answer(at, { client_id: clientId }, 418);
  assert.is((await ids())[0], 'r418', 'before it is written');
  await site.clock.advance(5);
  for (let tries = 0; tries < 20_000 && (await site.rows('treadle_app_request')).length === 0; tries += 1)
    await new Promise(setImmediate);
  for (let status = 200; status < 310; status += 1) await answer(at, { client_id: clientId }, status);
  assert.equal([(await ids()).length, (await ids())[0], (await ids())[99]], [100, 'r309', 'r210']);
  await site.clock.advance(5);
  for (let tries = 0; tries < 20_000 && (await site.rows('treadle_app_request')).length !== 100; tries += 1)
    await new Promise(setImmediate);
  assert.equal([(await ids()).length, (await ids())[0], (await ids())[99]], [100, 'r309', 'r210']);
  const { text } = await site.get(`/developer/app/request/${id}`, una());
  assert.match(text, /<code class="t-code">\/rest\/x<\/code>[\s\S]*<code class="t-code">r309<\/code>/);
  assert.is((await site.get(`/developer/app/request/${id}`, owen())).status, 404);
  assert.is((await site.emit('app-request-search', { app_id: id, owner: 1 })).getStatus(), 404);
});

pages('tries the flow: the dialog, the code, the exchange at both doors, the token', async (at) => {
  const { site, id, una, owen } = at;
  const session = una();
  const start = await site.post(`/developer/app/try/${id}`, '', { session });
  assert.is(start.status, 303);
  const to = new URL(start.location, 'http://127.0.0.1:3000');
  assert.is(to.pathname, '/oauth/authorize');
  assert.is(to.searchParams.get('redirect_uri'), `http://127.0.0.1:3000/developer/app/try/${id}`);
  assert.is(to.searchParams.get('scope'), 'profile_read', 'what waits for approval is not asked for');
  assert.not.match(JSON.stringify(session), 'tk_cs_', 'the session keeps it sealed');
  const other = await site.get(start.location, owen());
  assert.equal([other.status, other.location], [400, ''], 'nobody else is sent to that page');
  const begun = await begin(at);
  const dialog = await site.post(begun.location, 'action=allow&permissions[]=profile_read', { session: una() });
  const back = new URL(dialog.location);
  const foreign = await site.get(`${back.pathname}?code=tk_ac_x&state=other`, begun.session());
  assert.match(foreign.text, 'does not belong to a trial that began in this browser');
  const page = await site.get(back.pathname + back.search, begun.session());
  for (const part of ['/oauth/token', '/rest/access?', 'client_secret', 'code_verifier']) assert.match(page.text, part);
  assert.not.match(page.text, at.secret);
  const code = back.searchParams.get('code') ?? '';
  const end = await site.post(`/developer/app/exchange/${id}`, `code=${code}`, { session: begun.session() });
  assert.is(end.status, 200);
  assert.match(end.text, /tk_at_[\w-]{43}/);
  const again = await site.post(`/developer/app/exchange/${id}`, `code=${code}`, { session: begun.session() });
  assert.is(again.status, 400);
  assert.match(again.text, 'A code works once');
});

/** Starts a trial in a session that later requests share. */
async function begin({ site, id, una }: Own): Promise<{ location: string; session(): Record<string, unknown> }> {
  const session = una();
  const start = await site.post(`/developer/app/try/${id}`, '', { session });
  assert.ok(session.trial, 'the session keeps the trial');
  return { location: start.location, session: () => ({ ...una(), trial: session.trial }) };
}

pages('the trial’s secret is good for ten minutes, and ends with a secret that leaked', async ({ site, clientId }) => {
  const prove = async (secret: unknown) => {
    const stage = { token: 'unknown', client_id: clientId, client_secret: secret };
    return (await site.emit('oauth-revoke', stage)).getStatus();
  };
  const give = async () => (await site.emit('app-trial', { client_id: clientId })).getResults('client_secret');
  const secret = await give();
  assert.is(await prove(secret), 200);
  await site.clock.advance(599);
  assert.is(await prove(secret), 200);
  await site.clock.advance(1);
  assert.is(await prove(secret), 401);
  const next = await give();
  const row = (await site.rows('treadle_app')).find(({ client_id: other }) => other === clientId);
  await site.emit('app-refresh', { app_id: row?.app_id, owner: 2 });
  assert.is(await prove(next), 200, 'an own secret that is replaced leaves the trial');
  await site.emit('app-refresh', { app_id: row?.app_id, owner: 2, at_once: '1' });
  assert.is(await prove(next), 401);
});

pages('a suspended app is not tried; a public one gets no secret', async ({ site, id, una, clientId }) => {
  const spa = await site.emit('app-trial', { client_id: 'public' });
  assert.is(spa.getResults('client_secret'), undefined);
  await site.emit('app-suspend', { client_id: clientId });
  const answer = await site.post(`/developer/app/try/${id}`, '', { session: una() });
  assert.is(answer.status, 409);
  assert.match(answer.text, 'suspended');
  await site.emit('app-restore', { client_id: clientId });
});

pages('hours of figures are forgotten after 35 days', async ({ site, id }) => {
  const { database } = site.services;
  const hour = site.clock.now() / 1000 - 36 * 24 * HOUR;
  const row = { app_id: id, hour: hour - (hour % HOUR), succeeded: 1, last_at: hour };
  await database.kysely.insertInto('treadle_app_traffic').values(row).execute();
  const isThere = async () => (await site.rows('treadle_app_traffic')).some((other) => other.hour === row.hour);
  assert.ok(await isThere());
  await site.clock.advance(HOUR);
  for (let tries = 0; tries < 20_000 && (await isThere()); tries += 1) await new Promise(setImmediate);
  assert.not(await isThere());
});

pages.run();
