import { get, type IncomingMessage } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addArticle, boot, type Site, until } from '../../boot.ts';
import type { Client } from '../../client.ts';
import { createFakeClock, type FakeClock } from '../../clock.ts';

const test = suite('the first page of the admin section');

const FILES = {
  'config/role/editor.json': {
    slug: 'editor',
    name: 'Editor',
    permissions: [
      { method: 'get', path: '/admin' },
      { method: 'all', path: '/admin/system/model/**' },
    ],
    data: { article: { search: { filter: { article_title: 'Mine' } }, detail: true, create: true } },
  },
  'app/www/src/events.ts': `export default (app) => {
    app.job('mend', () => { throw new Error('broken'); });
    app.get('/fails', () => { throw new Error('broken'); });
  };`,
};

interface Opened {
  readonly status: number;
  readonly message: IncomingMessage;
  /** What came so far. */
  text(): string;
  readonly ended: Promise<void>;
  isEnded(): boolean;
}

/** Opens the stream and reads on. */
function openStream(site: Site, client: Client): Promise<Opened> {
  return new Promise((resolve, reject) => {
    const call = get(`${site.url}/admin/events`, { headers: { cookie: client.cookie() }, agent: false }, (message) => {
      let text = '';
      message.on('data', (chunk) => {
        text += String(chunk);
      });
      const ended = new Promise<void>((done) => message.on('end', done));
      const isEnded = (): boolean => message.readableEnded;
      resolve({ status: message.statusCode ?? 0, message, text: () => text, ended, isEnded });
    });
    call.on('error', reject);
  });
}

/** Advances the clock until the stream has ended. */
const untilEnded = (stream: Opened, clock: FakeClock): Promise<true> =>
  until(() => {
    clock.advance(5000);
    return stream.isEnded() || undefined;
  });

test('shows rows, requests, waiting work, storage and what needs attention', async () => {
  const site = await boot({ files: FILES });
  try {
    await addArticle(site);
    await site.get('/fails');
    await site.emit('job-queue', { name: 'mend', attempts: 1 });
    await until(async () => (Number((await site.emit('job-figures')).getResults('failed')) > 0 ? true : undefined));
    const admin = await site.as('admin', ['admin']);
    const { text } = await admin.get('/admin');
    assert.match(text, /<dt>Failed \(5xx\)<\/dt><dd>1<\/dd>/);
    assert.match(text, /Articles<\/a><\/dt><dd>1<\/dd>/);
    assert.match(text, /Jobs that were given up: 1\./);
    assert.match(text, /href="\/admin\/job\/search\?state&#x3D;failed"/);
    assert.match(text, /Requests of the last hour that failed: 1\./);
    assert.match(text, /<dt>Database<\/dt><dd>[\d.]+ [kM]B/);
    assert.match(text, /href="\/admin">Reload/);
  } finally {
    await site.close();
  }
});

test('says when the rows were counted for the planner', async () => {
  const site = await boot({ files: FILES });
  try {
    const rows = Array.from({ length: 1200 }, (_, at) => ({ article_title: `Article ${at}` }));
    const response = await site.emit('system-model-import', { schema: 'article', rows });
    assert.not.ok(response.isError(), response.getMessage());
    const admin = await site.as('admin', ['admin']);
    const { text } = await admin.get('/admin');
    assert.match(text, /<dt>Planner statistics<\/dt><dd>\d{4}-\d\d-\d\d <span[^>]*>\d\d:\d\d UTC, article: 1,200 rows/);
  } finally {
    await site.close();
  }
});

test('tells nothing of what the roles of a person hide', async () => {
  const site = await boot({ files: FILES });
  try {
    await addArticle(site);
    const editor = await site.as('editor', ['editor']);
    const { text } = await editor.get('/admin');
    assert.match(text, /Articles<\/a><\/dt><dd><span[^>]*>Some are hidden from you/);
    assert.not.match(text, /href="\/admin\/(?:job|mail|log)/);
    assert.is((await editor.get('/admin/events')).status, 403);
  } finally {
    await site.close();
  }
});

test('a stream renews the page, ends with the session, and never holds up the end of the process', async () => {
  const clock = createFakeClock(Date.now());
  const site = await boot({ files: FILES, clock });
  try {
    const admin = await site.as('admin', ['admin']);
    const first = await openStream(site, admin);
    assert.is(first.status, 200);
    assert.is(first.message.headers['content-type'], 'text/event-stream; charset=utf-8');
    assert.is(first.message.headers['x-accel-buffering'], 'no');
    const parts = await until(() => /^event: parts\ndata: (.+)$/m.exec(first.text())?.[1]);
    assert.equal(Object.keys(JSON.parse(parts)), ['attention', 'traffic', 'queue', 'storage', 'rows']);
    await site.get('/fails');
    clock.advance(5000);
    await until(() => (first.text().includes('that failed: 1') ? true : undefined));
    const others = [await openStream(site, admin), await openStream(site, admin), await openStream(site, admin)];
    assert.equal(
      others.map(({ status }) => status),
      [200, 200, 204],
    );
    await admin.post('/auth/logout', {});
    await untilEnded(first, clock);
    const last = await openStream(site, await site.as('other', ['admin']));
    assert.is(last.isEnded(), false);
    await Promise.all([last.ended, site.app.close()]);
  } finally {
    await site.project.remove();
  }
});

test('a stream ends when the person loses the role', async () => {
  const clock = createFakeClock(Date.now());
  const site = await boot({ clock });
  try {
    const stream = await openStream(site, await site.as('admin', ['admin']));
    const [account] = await site.rows('treadle_auth');
    await site.emit('auth-update', { auth_id: account?.auth_id, auth_type: '' });
    await untilEnded(stream, clock);
  } finally {
    await site.close();
  }
});

test.run();
