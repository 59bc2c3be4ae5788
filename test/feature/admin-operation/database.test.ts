import { existsSync, statSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addArticle, boot, type Site, until } from '../../boot.ts';
import { type Client, PASSWORD } from '../../client.ts';

const test = suite('pages for backups and migrations');

/** What the page says that a form leads to. */
async function send(client: Client, path: string, form: Record<string, string>): Promise<string> {
  const answer = await client.post(path, form);
  assert.is(answer.status, 303, `${path} ${answer.status} ${answer.text}`);
  const { text } = await client.get(answer.location);
  return /<div class="t-flash t-flash-(?:success|error|warning)" role[^>]*>([^<]*)/.exec(text)?.[1] ?? '';
}

function fetchBytes(
  url: string,
  client: Client,
): Promise<{ readonly message: IncomingMessage; readonly bytes: number }> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { cookie: client.cookie() }, agent: false }, (message) => {
      let bytes = 0;
      message.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      message.on('end', () => resolve({ message, bytes }));
    }).on('error', reject);
  });
}

async function makeOne(admin: Client): Promise<string> {
  assert.match(await send(admin, '/admin/backup/create', {}), /The backup has begun/);
  return until(
    async () => /<code class="t-code">([\w.-]+\.treadle)<\/code>/.exec((await admin.get('/admin/backup')).text)?.[1],
  );
}

test('a backup is made, fetched after a proof, restored by the command, and removed', async () => {
  const site = await boot();
  try {
    await addArticle(site, 'Kept');
    const admin = await site.as('admin', ['admin']);
    assert.match((await admin.get('/admin')).text, /No backup was made here/);
    const name = await makeOne(admin);
    await until(async () => !(await admin.get('/admin')).text.includes('No backup was made here') || undefined);
    const file = join(site.root, 'var/backup', name);
    assert.is(statSync(file).mode & 0o777, 0o600);
    assert.is(statSync(join(site.root, 'var/backup')).mode & 0o777, 0o700);
    const said = await site.cli('restore', `var/backup/${name}`, '--dry-run');
    assert.is(said.data.error, false);
    const path = `/admin/backup/download/${name}`;
    const { message, bytes } = await fetchBytes(site.url + path, admin);
    assert.is(message.statusCode, 200);
    assert.is(message.headers['content-disposition'], `attachment; filename="${name}"`);
    assert.is(message.headers['cache-control'], 'no-store');
    assert.is(bytes, statSync(file).size);
    for (const odd of ['..%2F..%2Fpackage.json', '.hidden.treadle', 'other.treadle'])
      assert.is((await admin.get(`/admin/backup/download/${odd}`)).status, 404, odd);
    assert.match(await send(admin, `/admin/backup/remove/${name}`, {}), /was removed/);
    assert.is(existsSync(file), false);
    assert.match(await send(admin, `/admin/backup/remove/${name}`, {}), /There is no backup/);
    assert.is((await (await site.as('user')).get('/admin/backup')).status, 403);
  } finally {
    await site.close();
  }
});

test('a session that was not proven for ten minutes is asked before it fetches a backup', async () => {
  const site = await boot();
  try {
    const admin = await site.as('admin', ['admin']);
    const name = await makeOne(admin);
    const { kysely } = site.app.services.database;
    const [session] = await site.rows('treadle_session');
    const data = { ...JSON.parse(String(session?.data)), proof: undefined };
    await kysely
      .updateTable('treadle_session')
      .set({ data: JSON.stringify(data) })
      .execute();
    const path = `/admin/backup/download/${name}`;
    const asked = await admin.get(path);
    assert.is(asked.location, `/auth/confirm?redirect_uri=${encodeURIComponent(path)}`);
    const csrf = /name="csrf" value="([^"]*)"/.exec((await admin.get(asked.location)).text)?.[1] ?? '';
    const proved = await admin.post('/auth/confirm', { auth_current: PASSWORD, redirect_uri: path, csrf });
    assert.is(proved.location, path);
    assert.is((await fetchBytes(site.url + path, admin)).message.statusCode, 200);
  } finally {
    await site.close();
  }
});

const read = (site: Site, name: string): Record<string, unknown> & { fields: object[] } =>
  JSON.parse(site.project.read(`config/schema/${name}.json`));

test('migrations: shows what the files ask for, does it where the settings allow, and takes it back', async () => {
  const site = await boot({ settings: { admin: { write: true } } });
  try {
    const admin = await site.as('admin', ['admin']);
    assert.match((await admin.get('/admin/migration')).text, /it has all that the files of the project ask for/);
    const article = read(site, 'article');
    article.fields.push({ name: 'mood', label: 'Mood', type: 'text' });
    site.project.write('config/schema/article.json', article);
    const { text } = await admin.get('/admin/migration');
    assert.match(text, /article_mood/);
    const base = /name="base" value="([^"]+)"/.exec(text)?.[1] ?? '';
    assert.match(await send(admin, '/admin/migration/apply', { base: 'other' }), /have changed since this page/);
    assert.match(await send(admin, '/admin/migration/apply', { base }), /Steps that were done: 1\./);
    // It serves the files at once.
    await site.emit('system-model-create', {
      schema: 'article',
      article_title: 'T',
      article_detail: 'D',
      article_published: '2026-01-02 03:04:05',
      article_mood: 'glad',
    });
    const after = (await admin.get('/admin/migration')).text;
    assert.match(after, /it has all that the files/);
    assert.match(after, /would lose 1 row|What its undoing does/);
    const required = [{ method: 'required', message: 'Rank is required' }];
    article.fields.push({ name: 'rank', label: 'Rank', type: 'number', validation: required });
    site.project.write('config/schema/article.json', article);
    const asked = (await admin.get('/admin/migration')).text;
    assert.match(asked, /name="default\[article\.rank\]"/);
    const filled = { base: /name="base" value="([^"]+)"/.exec(asked)?.[1] ?? '', 'default[article.rank]': '7' };
    assert.match(await send(admin, '/admin/migration/apply', filled), /Steps that were done: \d/);
    assert.equal((await site.rows('article'))[0]?.article_rank, 7);
    const loss = (await admin.get('/admin/migration?loss=1')).text;
    const undo = /undo"><input[^>]*><input type="hidden" name="base" value="([^"]+)"/.exec(loss)?.[1] ?? '';
    assert.match(await send(admin, '/admin/migration/undo', { base: undo, loss: '1' }), /Steps that were done: \d/);
    assert.match((await admin.get('/admin/migration')).text, /article_rank/);
  } finally {
    await site.close();
  }
});

test('migrations: production shows and does nothing without admin.write; errors of the files are told', async () => {
  const site = await boot();
  try {
    const admin = await site.as('admin', ['admin']);
    const { text } = await admin.get('/admin/migration');
    assert.match(text, /This server shows migrations and does not do them/);
    assert.not.match(text, /action="\/admin\/migration\/(?:apply|undo)"/);
    assert.is((await admin.post('/admin/migration/apply', { base: '' })).status, 403);
    site.project.write('config/schema/article.json', { ...read(site, 'article'), odd: 1 });
    assert.match(
      (await admin.get('/admin/migration')).text,
      /The files have errors[\s\S]*config\/schema\/article\.json/,
    );
  } finally {
    await site.close();
  }
});

test.run();
