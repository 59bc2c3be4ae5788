import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLog } from '../../../src/core/log/log.ts';
import { LogRing } from '../../../src/core/log/ring.ts';
import type { OwnTable } from '../../../src/plan/table/own-table.ts';
import { addArticle, boot, type Site, until } from '../../boot.ts';
import type { Client } from '../../client.ts';
import { createFakeClock } from '../../clock.ts';

const test = suite('pages for operating a project');

const FILES = {
  'config/role/editor.json': {
    slug: 'editor',
    name: 'Editor',
    permissions: [{ method: 'all', path: '/admin/job/**' }],
  },
  'config/webhook/article-created.json': {
    title: 'Article created',
    event: 'system-model-create',
    parameters: { schema: 'article' },
    type: 'article.created',
    audience: 'app',
    method: 'post',
    url: 'http://127.0.0.1:9/hook',
    delivery: 'queued',
    secretVersion: 1,
    description: 'An article was made',
  },
  'app/www/src/template/mail/hello.txt': 'Subject: Hello\n\nSecret link for {{name}}',
  'app/www/src/events.ts': `export default (app) => {
    let isFixed = false;
    app.job('mend', () => { if (!isFixed) throw new Error('The bicycle <has> no wheels.'); });
    app.job('fix', ({ data }) => { isFixed = data.isFixed === true; });
    app.schedule('clean-up', '0 3 * * *', () => {});
    app.get('/fails', () => { throw new Error('broken <b>'); });
  };`,
};

/** What the page says that a form leads to. */
async function send(client: Client, path: string, form: Record<string, string>): Promise<string> {
  const answer = await client.post(path, form);
  assert.is(answer.status, 303, `${path} ${answer.status} ${answer.text}`);
  const { text } = await client.get(answer.location);
  return /<div class="t-flash t-flash-(?:success|error)"[^>]*>([^<]*)/.exec(text)?.[1] ?? '';
}

const stateOf = async (site: Site, id: number): Promise<unknown> =>
  (await site.emit('job-detail', { job_id: id })).getResults('state');

const untilState = (site: Site, id: number, state: string): Promise<true> =>
  until(async () => (await stateOf(site, id)) === state || undefined);

test('jobs: lists, filters, shows, tries again, queues by name; obeys roles', async () => {
  const site = await boot({ files: FILES });
  try {
    await site.emit('job-queue', { name: 'mend', attempts: 1 });
    await untilState(site, 1, 'failed');
    const editor = await site.as('editor', ['editor']);
    const list = await editor.get('/admin/job/search?state=failed');
    assert.match(list.text, /The bicycle &lt;has&gt; no wheels\./);
    assert.match(list.text, /<code class="t-code">0 3 \* \* \*<\/code>/);
    assert.match((await editor.get('/admin/job/search?state=done')).text, /No job matches/);
    assert.match((await editor.get('/admin/job/search?state=odd')).text, /A job is never odd/);
    assert.match((await editor.get('/admin/job/detail/1')).text, /1 of 1/);
    assert.is((await editor.get('/admin/job/detail/99')).status, 404);
    assert.match(
      await send(editor, '/admin/job/run', { name: 'fix', data: '{"isFixed": true}' }),
      /fix is queued as job 2/,
    );
    await untilState(site, 2, 'done');
    assert.match(await send(editor, '/admin/job/retry/1', {}), /The job 1 \(mend\) is queued/);
    await untilState(site, 1, 'done');
    assert.match(await send(editor, '/admin/job/retry/1', {}), /is done, and its data is gone/);
    assert.match(await send(editor, '/admin/job/run', { name: 'fix', data: '{' }), /The data is not JSON/);
    assert.match(await send(editor, '/admin/job/run', { name: 'odd' }), /There is no job/);
    assert.is((await editor.get('/admin/mail/search')).status, 403);
    assert.is((await editor.post('/admin/mail/retry/1', {})).status, 403);
    assert.is((await (await site.as('user')).post('/admin/job/run', { name: 'fix' })).status, 403);
  } finally {
    await site.close();
  }
});

test('mail: shows states without recipient and text, and tries a waiting mail', async () => {
  const clock = createFakeClock(Date.now());
  // Nothing listens there: the mail waits for its next attempt.
  const site = await boot({
    files: FILES,
    clock,
    env: { MAIL_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'site@example.org' },
  });
  try {
    const admin = await site.as('admin', ['admin']);
    await site.emit('mail-send', { to: 'ada@example.net', template: 'hello', data: { name: 'Ada' } });
    await until(async () => ((await site.rows('treadle_mail'))[0]?.attempts === 1 ? true : undefined));
    const { text } = await admin.get('/admin/mail/search?state=waiting');
    assert.match(text, /<strong>hello<\/strong>/);
    assert.not.match(text, /ada@example\.net|Secret link/);
    assert.match(await send(admin, '/admin/mail/retry/1', {}), /The mail 1 is tried now/);
    await until(async () => {
      clock.advance(1000);
      return (await site.rows('treadle_mail'))[0]?.attempts === 2 || undefined;
    });
    assert.match(await send(admin, '/admin/mail/retry/9', {}), /There is no mail 9/);
    assert.match((await admin.get('/admin/mail/search?state=failed')).text, /No mail matches/);
    assert.match((await admin.get('/admin/mail/search?state=odd')).text, /A mail is never odd/);
  } finally {
    await site.close();
  }
});

/** Adds a consent with a token for the account of a person. */
async function addGrant(site: Site, authId: unknown): Promise<void> {
  const { kysely } = site.app.services.database;
  const now = Math.floor(Date.now() / 1000);
  const [app] = await site.rows('treadle_app');
  const shared = { app_id: app?.app_id, auth_id: authId, profile_id: 1, scopes: '["profile_read"]', created_at: now };
  const grant = await kysely.insertInto('treadle_grant').values(shared).returning('grant_id').executeTakeFirstOrThrow();
  const token = {
    token_hash: `hash ${grant.grant_id}`,
    kind: 'access',
    grant_id: grant.grant_id,
    expires_at: now + 999,
  };
  await kysely
    .insertInto('treadle_token')
    .values({ ...shared, ...token })
    .execute();
}

test('sessions: lists those of all apps, ends one, and all of an app', async () => {
  const app = { title: 'Reader <b>', clientId: 'reader', redirectUris: [], scopes: [] };
  const site = await boot({ files: { 'config/app/reader.json': app } });
  try {
    const admin = await site.as('admin', ['admin']);
    const [account] = await site.rows('treadle_auth');
    for (let number = 0; number < 3; number += 1) await addGrant(site, account?.auth_id);
    const { text } = await admin.get('/admin/session/search');
    assert.is(text.split('Reader &lt;b&gt;</a>').length - 1, 3);
    assert.match(text, /<code class="t-code">profile_read<\/code>/);
    assert.match(await send(admin, '/admin/session/remove', { grant_id: '2' }), /The session has ended/);
    assert.match(await send(admin, '/admin/session/remove', { grant_id: '2' }), /no such session any more/);
    const appId = String((await site.rows('treadle_app'))[0]?.app_id);
    assert.match((await admin.get(`/admin/session/search?app_id=${appId}`)).text, /End all of Reader &lt;b&gt;/);
    assert.match(await send(admin, '/admin/session/remove', { app_id: appId }), /Ended: 2/);
    assert.match((await admin.get('/admin/session/search')).text, /No app has a valid token/);
  } finally {
    await site.close();
  }
});

test('deliveries: lists those of all hooks, sends one and all again, enables a receiver', async () => {
  const site = await boot({ files: FILES, settings: { webhook: { allowPrivate: ['127.0.0.0/8'] } } });
  try {
    const admin = await site.as('admin', ['admin']);
    await addArticle(site);
    await addArticle(site, 'Another');
    const attempts = async (): Promise<number> =>
      (await site.rows('treadle_delivery')).reduce((sum, row) => sum + Number(row.attempts), 0);
    await until(async () => (await attempts()) >= 2 || undefined);
    const { text } = await admin.get('/admin/delivery/search?hook=article-created');
    assert.match(text, /Retrying/);
    assert.match(text, /Receivers that get nothing/);
    assert.match((await admin.get('/admin/delivery/search?state=delivered')).text, /No delivery matches/);
    assert.match((await admin.get('/admin/delivery/search?since=tomorrow')).text, /is not a time/);
    const before = await attempts();
    assert.match(await send(admin, '/admin/delivery/replay/1', {}), /It is sent again/);
    await until(async () => (await attempts()) !== before || undefined);
    const detail = await admin.get('/admin/delivery/detail/1');
    assert.match(detail.text, /Attempt 1/);
    assert.match(detail.text, /&quot;article_title&quot;/);
    assert.is((await admin.get('/admin/delivery/detail/99')).status, 404);
    const receiver = /name="receiver" value="([^"]+)"/.exec(text)?.[1] ?? '';
    assert.match(await send(admin, '/admin/delivery/receiver', { receiver, action: 'disable' }), /Disabled/);
    assert.match((await admin.get('/admin/delivery/search')).text, /Disabled by an administrator\./);
    const { kysely } = site.app.services.database;
    await kysely.updateTable('treadle_delivery').set({ state: 'failed' }).execute();
    const { columns, filters } = site.app.plan.ownTables.get('webhook-delivery') as OwnTable;
    const { text: offered } = await admin.get('/admin/delivery/search');
    for (const [key, { column, operator }] of Object.entries(filters)) {
      if (key === 'state' || !offered.includes(`<option value="${column}">`)) continue;
      const none = columns[column]?.kind !== 'time' ? 'none' : operator === 'lt' ? '2001-01-01' : '2099-01-01';
      const said = await send(admin, '/admin/delivery/replay', { [key]: none });
      assert.not.match(said, /sent again: [1-9]/, `what is sent again is not narrowed by ${key}`);
    }
    assert.match(await send(admin, '/admin/delivery/replay', { state: 'delivered' }), /sent again: 2/);
    await kysely.updateTable('treadle_delivery').set({ state: 'delivered' }).execute();
    const [{ event_id }] = (await site.rows('treadle_event')) as [{ event_id: string }];
    assert.not.match(await send(admin, '/admin/delivery/replay', { event_id }), /sent again: [1-9]/);
    assert.match(await send(admin, '/admin/delivery/receiver', { receiver, action: 'enable' }), /sent again: \d/);
  } finally {
    await site.close();
  }
});

test('the log: lines of all levels, by level, words and request, with errors unfolded on demand', async () => {
  const ring = new LogRing();
  const clock = createFakeClock(Date.now());
  const log = {
    ...createLog({ clock, write: () => {}, keep: (line) => ring.add(line) }),
    recent: () => ring.read(),
  };
  const site = await boot({ files: FILES, log });
  try {
    const admin = await site.as('admin', ['admin']);
    const failed = await site.get('/fails');
    log.info('hello', { token: 'tk_at_secret', number: 7 });
    const { text } = await admin.get('/admin/log');
    assert.match(text, /broken &lt;b&gt;/);
    assert.match(text, /<strong>hello<\/strong>/);
    assert.not.match(text, /tk_at_secret/);
    const errors = (await admin.get('/admin/log?level=error')).text;
    assert.match(errors, /request failed/);
    assert.not.match(errors, /<strong>hello/);
    const request = String(failed.headers['x-request-id']);
    assert.match((await admin.get(`/admin/log?request=${request}`)).text, /1 lines, the newest first/);
    assert.match((await admin.get('/admin/log?q=HELLO+7')).text, /<strong>hello/);
    assert.match((await admin.get('/admin/log?q=nothing-of-it')).text, /No line matches/);
  } finally {
    await site.close();
  }
});

test.run();
