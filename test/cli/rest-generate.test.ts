import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ACTIONS } from '../../src/edit/usual-call.ts';
import { Folders, run } from './run.ts';

const folders = new Folders();
const test = suite('cli/rest-generate');
const state = { root: '' };
test.before.each(() => {
  state.root = folders.makeProject();
});
test.after(() => folders.remove());

const treadle = (line: string) => run(line.split(' '), { cwd: state.root });
const read = (file: string) => JSON.parse(readFileSync(join(state.root, 'config', file), 'utf8'));
const list = (kind: string): string[] => {
  const folder = join(state.root, 'config', kind);
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};

test('every action of a schema, for users: calls, scopes, and a project that checks', async () => {
  const { code, err } = await treadle(`rest generate comment --access user --action ${ACTIONS.join(',')}`);
  assert.is(code, 0, err);
  const restore = read('rest/user-comment-restore.json');
  assert.equal(
    [restore.method, restore.path, restore.event],
    ['post', '/user/comment/restore/:comment_id', 'system-model-restore'],
  );
  const batch = read('rest/user-comment-batch.json');
  assert.equal([batch.method, batch.path, batch.event], ['post', '/user/comment/batch', 'system-model-batch']);
  assert.equal(read('scope/comment_read.json').calls, ['user-comment-search', 'user-comment-detail']);
  assert.equal(
    read('scope/comment_write.json').calls,
    ['create', 'update', 'remove', 'restore', 'batch'].map((action) => `user-comment-${action}`),
  );
  const links = await treadle('rest generate article --access user --action link,unlink');
  assert.is(links.code, 0, links.err);
  const link = read('rest/user-article-link-comment.json');
  assert.equal(
    [link.method, link.path, link.event, link.parameters],
    [
      'put',
      '/user/article/link/:article_id/comment/:comment_id',
      'system-relation-link',
      { schema1: 'article', schema2: 'comment' },
    ],
  );
  assert.is(read('rest/user-article-unlink-comment.json').method, 'delete');
  const check = await treadle('check --json');
  assert.is(check.code, 0, check.out);
});

/** Advice of `check` on public calls: code, file and message. */
const listOpen = async (): Promise<string[]> => {
  const { code, out } = await treadle('check --json');
  assert.is(code, 0, out);
  const problems = JSON.parse(out).problems as { code: string; file: string; message: string; hint: string }[];
  const open = problems.filter((problem) => /^REST_(?:WRITE|ROWS)_OPEN$/.test(problem.code));
  for (const { hint } of open) assert.match(hint, /approval.*"open": true/);
  return open.map((problem) => `${problem.code} ${problem.file}: ${problem.message}`);
};

test('writes for apps join an app scope that needs approval, in addition to the scopes of users', async () => {
  await treadle('api populate');
  assert.equal(await listOpen(), [], 'the blog and an opened API give no advice');
  assert.is((await treadle('rest generate article --access app')).code, 0);
  const writes = ['create', 'update', 'remove'].map((action) => `app-article-${action}`);
  const scope = read('scope/article_write.json');
  assert.equal([scope.access, scope.approval, scope.calls], ['app', true, writes]);
  assert.not(list('scope').includes('article_read.json'), 'reads are open to every app');
  assert.equal(await listOpen(), []);
  await treadle('rest generate article --access app --action restore');
  assert.equal(read('scope/article_write.json').calls, [...writes, 'app-article-restore'], 'it is extended');
  await treadle('rest generate comment --access user');
  assert.is((await treadle('rest generate comment --access app --action create')).code, 0);
  assert.equal(read('scope/comment_app_write.json').calls, ['app-comment-create']);
  assert.is(read('scope/comment_write.json').access, 'user');
  const { approval: _, ...free } = scope;
  writeFileSync(join(state.root, 'config/scope/article_write.json'), JSON.stringify(free));
  assert.is((await listOpen()).length, 4, 'a scope without approval holds nobody back');
  writeFileSync(join(state.root, 'config/scope/article_write.json'), JSON.stringify({ ...free, calls: [] }));
  const [first] = await listOpen();
  assert.match(
    String(first),
    'REST_WRITE_OPEN config/rest/app-article-create.json: Anybody who signs up and registers an app can change rows of "article" with the call "app-article-create".',
  );
  for (const change of [{ api: false }, { auth: { signup: false } }]) {
    const settings = read('settings.json');
    writeFileSync(join(state.root, 'config/settings.json'), JSON.stringify({ ...settings, ...change }));
    assert.equal(await listOpen(), [], `nobody registers an app: ${JSON.stringify(change)}`);
    writeFileSync(join(state.root, 'config/settings.json'), JSON.stringify(settings));
  }
});

test('check and doctor advise on what strangers change or see, until the call says that it is meant so', async () => {
  await treadle('schema create contact --field mail:email --field name:text');
  await treadle('schema create ticket --field text:text --relation contact=1:1');
  const base = { title: 'X', access: 'public', method: 'get' };
  const calls: readonly (readonly [object, RegExp | undefined])[] = [
    [
      { event: 'system-model-create', method: 'post', parameters: { schema: 'article' } },
      /can change rows of "article"/,
    ],
    [{ event: 'system-model-update', method: 'post' }, /can change rows of any schema/],
    [
      { event: 'system-model-batch', method: 'post', parameters: { schema: 'article' } },
      /can change rows of "article"/,
    ],
    [
      { event: 'system-model-import', method: 'post', parameters: { schema: 'article' } },
      /can change rows of "article"/,
    ],
    [
      { event: 'system-relation-link', method: 'put', parameters: { schema1: 'article', schema2: 'comment' } },
      /can change rows of "article" and "comment"/,
    ],
    [{ event: 'system-relation-unlink-all', method: 'delete' }, /can change rows of any schema/],
    [{ event: 'auth-update', method: 'post' }, /can cause auth-update/],
    [{ event: 'app-approve', method: 'post' }, /can cause app-approve/],
    [{ event: 'auth-search' }, /can see accounts with their e-mail addresses/],
    [{ event: 'auth-detail' }, /can see accounts/],
    [{ event: 'app-search' }, /can see what "app-search" returns/],
    [{ event: 'system-model-search' }, /can see rows of any schema/],
    [
      { event: 'system-model-search', parameters: { schema: 'contact' } },
      /"contact", which has the column "contact_mail"/,
    ],
    [
      { event: 'system-model-detail', parameters: { schema: 'ticket' } },
      /"contact", which has the column "contact_mail"/,
    ],
    [{ event: 'system-model-search', parameters: { schema: 'contact', fields: 'contact_name' } }, undefined],
    [{ event: 'system-model-search', parameters: { schema: 'comment' } }, /rows of "comment" of every user/],
    [{ event: 'system-model-search', parameters: { schema: 'profile' } }, undefined],
    [{ event: 'system-model-detail', parameters: { schema: 'article' } }, undefined],
  ];
  for (const [call, expected] of calls) {
    const file = join(state.root, 'config/rest/x.json');
    const write = (more: object) =>
      writeFileSync(file, JSON.stringify({ ...base, path: '/public/x', ...call, ...more }));
    write({});
    const told = await listOpen();
    assert.is(told.length, expected ? 1 : 0, `${JSON.stringify(call)}: ${told}`);
    if (expected) assert.match(String(told[0]), expected);
    write({ open: true });
    assert.equal(await listOpen(), [], JSON.stringify(call));
    write({});
  }
  writeFileSync(
    join(state.root, 'config/rest/x.json'),
    JSON.stringify({ ...base, path: '/public/x', event: 'auth-search' }),
  );
  const doctor = await treadle('doctor');
  assert.is(doctor.code, 0);
  assert.match(doctor.out, /advice +open call +config\/rest\/x\.json: Anybody can see accounts/);
});

test('a named relation, a relation to itself, and schemas that cannot be linked', async () => {
  for (const line of [
    'schema create topic --field name:text:required --relation profile=1:1',
    'relation add topic N:N topic --name kin',
    'relation add topic 1:0 article --name lead',
  ])
    assert.is((await treadle(line)).code, 0, line);
  const { code, err } = await treadle('rest generate topic --access user --action link');
  assert.is(code, 0, err);
  assert.equal(
    list('rest').filter((file) => file.startsWith('user-topic')),
    ['user-topic-link-kin.json', 'user-topic-link-lead.json'],
  );
  assert.is(read('rest/user-topic-link-kin.json').path, '/user/topic/link/:topic_id_1/kin/:topic_id_2');
  assert.is(read('rest/user-topic-link-lead.json').parameters.relation, 'lead');
  const none = await treadle('rest generate comment --access user --action link --json');
  assert.is(none.code, 0);
  assert.match(JSON.parse(none.out).skipped[0], 'link was left out');
});

test('once more changes nothing and says so; nor does a call that was renamed come twice', async () => {
  await treadle('rest generate comment --access user');
  const before = list('rest');
  const again = await treadle('rest generate comment --access user');
  assert.is(again.code, 0);
  assert.match(again.out, '5 calls already existed and were kept. Nothing to change.');
  assert.is((await treadle('rest rename user-comment-create say')).code, 0);
  const third = await treadle('rest generate comment --access user --json');
  assert.is(third.code, 0, third.out);
  assert.equal(JSON.parse(third.out).files, []);
  assert.is(list('rest').length, before.length);
  assert.ok(read('scope/comment_write.json').calls.includes('say'));
});

test('--dry-run writes nothing; an unknown action or schema is told with the nearest', async () => {
  const before = [list('rest'), list('scope')];
  const dry = await treadle('rest generate comment --access user --action batch --dry-run --json');
  assert.is(dry.code, 0);
  assert.equal(
    JSON.parse(dry.out).files.map(({ file, change }: { file: string; change: string }) => `${change} ${file}`),
    ['created config/rest/user-comment-batch.json', 'created config/scope/comment_write.json'],
  );
  assert.equal([list('rest'), list('scope')], before);
  assert.match((await treadle('rest generate comment --action bach')).err, 'Did you mean "batch"?');
  assert.match((await treadle('rest generate coment')).err, 'Did you mean "comment"?');
  // Rows of an article have no owner.
  const owned = await treadle('rest generate article --access user --action create');
  assert.is(owned.code, 5);
  assert.match(owned.err, 'treadle relation add article 1:1 profile');
});

test('app calls join a scope where one is named; a call that a scope lists is not removed unseen', async () => {
  assert.is((await treadle('rest generate article --access app --action search,create --scope stats')).code, 0);
  assert.equal([read('scope/stats.json').access, read('scope/stats.json').calls.length], ['app', 2]);
  const kept = await treadle('rest remove app-article-search');
  assert.is(kept.code, 5);
  assert.match(kept.err, 'config/scope/stats.json');
  assert.is((await treadle('rest remove app-article-search --cascade')).code, 0);
  assert.equal(read('scope/stats.json').calls, ['app-article-create']);
});

test('rest create refuses an event that nobody hears, and tells of a change by GET', async () => {
  const create = (name: string, event: string) =>
    treadle(
      `rest create ${name} --title X --access public --method get --path /public/${name} --event ${event} --parameter schema=article`,
    );
  const refused = await create('a', 'system-model-serch');
  assert.is(refused.code, 5);
  assert.match(refused.err, 'Did you mean "system-model-search"?');
  assert.match((await create('b', 'system-model-remove')).out, 'changes data by GET');
  const plain = await create('c', 'system-model-search');
  assert.equal(plain.out.trim().split('\n'), ['created config/rest/c.json', 'GET /rest/public/c']);
});

test.run();
