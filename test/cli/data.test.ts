import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { main } from '../../src/cli/main.ts';
import { Folders, type RunResult, run } from './run.ts';

const folders = new Folders();
const test = suite('cli/data');
test.after(() => folders.remove());

const project = folders.makeProject();
const at = (argv: readonly string[], stdin?: string): Promise<RunResult> =>
  run(argv, { cwd: project, ...(stdin === undefined ? {} : { stdin }) });
const count = async (schema: string): Promise<number> =>
  JSON.parse((await at(['export', schema, '--json'])).out).length;

test('check and a dry migration need no database and make none', async () => {
  assert.is((await at(['check'])).code, 0);
  const { code, out } = await at(['migrate', '--dry-run', '--exit-code', '--json']);
  assert.is(code, 2);
  assert.ok(JSON.parse(out).steps.length > 3);
  assert.not(existsSync(join(project, 'var')));
});

test('migrate, then nothing is left to do', async () => {
  assert.is((await at(['migrate'])).code, 0);
  const { code, out } = await at(['migrate', '--dry-run', '--exit-code']);
  assert.is(code, 0);
  assert.match(out, 'The database is up to date.');
});

test('check names an event that nobody listens to, and the one that was meant', async () => {
  const root = folders.makeProject();
  assert.is((await run(['check'], { cwd: root })).out, 'No problems found.\n');
  const call = { title: 'X', access: 'public', method: 'get', path: '/public/x', event: 'system-model-serch' };
  writeFileSync(join(root, 'config/rest/x.json'), JSON.stringify(call));
  const { code, out } = await run(['check'], { cwd: root });
  assert.is(code, 5);
  assert.match(out, /x\.json.*Did you mean "system-model-search"\?/);
});

test('a broken definition: check exits with 5 and names file and line', async () => {
  const root = folders.makeProject();
  writeFileSync(join(root, 'config/rest/x.json'), '{ "titel": "X" }');
  const { code, out } = await run(['check'], { cwd: root });
  assert.is(code, 5);
  assert.match(out, /config\/rest\/x\.json:1.*Did you mean "title"/);
});

test('the samples are imported, and a file is taken whole or not at all', async () => {
  for (const name of ['profile', 'article', 'comment']) {
    assert.is((await at(['import', name, `fixture/${name}.ndjson`])).code, 0, name);
  }
  const before = await count('article');
  writeFileSync(join(project, 'bad.csv'), 'headline,detail\nGood,<p>x</p>\n,<p>y</p>\nAlso good,z,too many\n');
  const argv = ['import', 'article', 'bad.csv', '--map', 'headline=title', '--json'];
  const refused = await at(argv);
  assert.is(refused.code, 1);
  const { imported, bad } = JSON.parse(refused.out);
  assert.is(imported, 0);
  assert.equal(
    bad.map(({ line }: { line: number }) => line),
    [3, 4],
    'one cannot be read, the other is not valid: both are named',
  );
  const trial = JSON.parse((await at([...argv, '--skip-bad', '--dry-run'])).out);
  assert.equal([trial.isDryRun, trial.imported, trial.bad.length], [true, 0, 2]);
  assert.is(await count('article'), before);
  const skipped = await at([...argv, '--skip-bad']);
  assert.is(skipped.code, 0, skipped.err);
  const told = JSON.parse(skipped.out);
  assert.is(told.imported, 1);
  assert.equal(
    told.bad.map(({ line }: { line: number }) => line),
    [3, 4],
  );
  assert.is(await count('article'), before + 1);
});

test('unknown keys are named, or left out when asked', async () => {
  const row = JSON.stringify({ title: 'T', colour: 'red' });
  const refused = await at(['import', 'article', '-'], row);
  assert.is(refused.code, 1);
  assert.match(refused.err, 'line 1: "colour" is not a column of article');
  const many = await at(['import', 'article', '-'], `${row}\n${row}\n{"title":"good"}\n${row}\n`);
  assert.match(many.err, 'lines 1-2, 4: "colour" is not a column of article');
  writeFileSync(join(project, 'rows.xml'), '<x/>');
  const { code, err } = await at(['import', 'article', 'rows.xml']);
  assert.is(code, 64);
  assert.match(err, '--format ndjson|json|csv');
  assert.is((await at(['import', 'article', '-', '--ignore-unknown'], row)).code, 0);
  assert.is((await at(['import', 'article', '-', '--map', 'colour=titel'], row)).code, 64);
  assert.is((await at(['import', 'artcle', '-'], row)).code, 64);
  assert.is((await at(['import', 'article', 'gone.csv'])).code, 64);
});

test('what is exported is imported again', async () => {
  const other = folders.makeProject();
  for (const [name, format] of [
    ['profile', 'csv'],
    ['article', 'json'],
    ['comment', 'ndjson'],
  ] as const) {
    const file = join(other, `out.${format}`);
    assert.is((await at(['export', name, '--out', file])).code, 0);
    const { code, err } = await run(['import', name, file], { cwd: other });
    assert.is(code, 0, err);
    const strip = (text: string): string => text.replace(/"\w+_(created|updated)": "[^"]*"/g, '');
    const theirs = await run(['export', name, '--json'], { cwd: other });
    assert.is(strip(theirs.out), strip((await at(['export', name, '--json'])).out));
  }
  assert.match(readFileSync(join(other, 'out.csv'), 'utf8'), /^profile_id,profile_name/);
});

test('users: made, listed, given another password, disabled', async () => {
  const argv = ['user', 'create', '--email', 'a@example.org', '--name', 'Ada'];
  assert.is((await at(argv)).code, 64);
  assert.is((await at(argv, 'short\n')).code, 1);
  const odd = ['user', 'create', '--email', 'no address', '--name', 'Ada'];
  assert.match((await at(odd, 'weft-and-warp-4711\n')).err, /^--email: Should be/);
  assert.is((await at(argv, 'weft-and-warp-4711\n')).code, 0);
  const [user] = JSON.parse((await at(['user', 'list', '--json'])).out);
  assert.is(user.auth_slug, 'a@example.org');
  assert.not('auth_password' in user);
  assert.is((await at(['user', 'password', 'a@example.org'], 'another-long-one-12\n')).code, 0);
  assert.is((await at(['user', 'disable', 'a@example.org'])).code, 0);
  assert.match((await at(['user', 'list'])).out, 'No users yet.');
  assert.match((await at(['user', 'list', '--all'])).out, 'disabled');
  assert.is((await at(['user', 'disable', 'nobody@example.org'])).code, 1);
});

test('emit: one document either way', async () => {
  const good = await at(['emit', 'system-model-search', 'schema=article', 'limit=2', '--json']);
  assert.is(good.code, 0);
  assert.is(JSON.parse(good.out).results.rows.length, 2);
  const bad = await at(['emit', 'system-model-create', 'schema=comment', '--json']);
  assert.match(JSON.parse(bad.out).hint, /\w{4}/);
  assert.is(bad.code, 1);
  assert.is(JSON.parse(bad.out).error, true);
  assert.match((await at(['emit', 'system-model-serch'])).err, 'Did you mean "system-model-search"?');
  const said = await at(['emit', 'system-model-detail', 'schema=artcle']);
  assert.is(said.out, '');
  assert.is(said.err.split('Did you mean').length, 2, 'the one fault is said once');
});

test('emit: names a key that the event does not read', async () => {
  assert.match(
    (await at(['emit', 'job-detail', 'job_i=7'])).err,
    '"job-detail" does not read "job_i". Did you mean "job_id"?',
  );
  assert.is((await at(['emit', 'job-detail', 'job_id=7'])).err.includes('does not read'), false);
  assert.is((await at(['emit', 'job-detail', 'id=7', '--json'])).err.includes('does not read'), false);
});

test('emit: nested values as a query string has them, or dotted', async () => {
  const argv = ['emit', 'system-model-search', 'schema=article', 'fields=article_id', 'total=0', '--json'];
  const ids = async (...more: string[]) => JSON.parse((await at([...argv, ...more])).out).results.rows.length;
  const all = await ids();
  const some = await ids('filter[article_category]=web');
  assert.ok(some > 0 && some < all);
  assert.is(await ids('filter.article_category=web'), some);
  assert.is(await ids('filter[article_category][eq]=web'), some);
  assert.is(await ids('filter.article_category.in=web', 'filter[article_category][in]=loom'), some);
  const refused = await at([...argv, 'a.__proto__.x=1']);
  assert.equal([refused.code, /__proto__.*cannot name a parameter/.test(refused.out)], [1, true]);
});

test('routes and events', async () => {
  const { out } = await at(['routes']);
  assert.match(out, /POST\s+\/article\/:article_id\s+app\/www\/src\/controller\/article\.ts:\d+/);
  assert.match(out, /GET\s+\/rest\/public\/article\/search\s+config\/rest\/public-article-search\.json/);
  assert.match(out, /GET\s+\/health\/live\s+treadle\s+200 if/);
  const { events, listeners } = JSON.parse((await at(['events', '--json'])).out);
  assert.equal(
    listeners.map(({ event, place }: { event: string; place: string }) => `${event} ${place.replace(/\d+$/, '')}`),
    ['www-render-page app/www/src/events.ts:'],
  );
  assert.ok(events.some(({ event }: { event: string }) => event === 'system-relation-link'));
  const isFiring = (name: string) => events.find(({ event }: { event: string }) => event === name).firesHooks;
  assert.equal(['app-create', 'app-search'].map(isFiring), [true, false]);
  const [, part] = (await at(['events'])).out.split(/^app-search$/m);
  assert.match(String(String(part).split(/^\S/m)[0]), '  no web hook fires on it\n');
});

test('docs are written, checked, and out of date after a change', async () => {
  const root = folders.makeProject();
  const docs = (...more: string[]): Promise<RunResult> => run(['docs', '--out', 'docs', ...more], { cwd: root });
  assert.is((await docs('--check')).code, 2);
  assert.is((await docs()).code, 0);
  assert.ok(existsSync(join(root, 'docs/openapi.json')));
  const page = readFileSync(join(root, 'docs/calls/public-article-search.html'), 'utf8');
  assert.match(page, /<p><code class="t-code">rows<\/code>/, 'names of an event’s description stand as code');
  assert.is((await docs('--check')).code, 0);
  await run(['rest', 'generate', 'comment'], { cwd: root });
  assert.is((await docs('--check')).code, 2);
});

test('doctor finds nothing bad', async () => {
  const { code, out } = await at(['doctor', '--json']);
  assert.is(code, 0);
  assert.is(JSON.parse(out).error, false);
});

test('doctor advises where people reach the server by plain http', async () => {
  const find = async (env: Record<string, string>): Promise<readonly { what: string; text: string }[]> => {
    const { code, out } = await run(['doctor', '--json'], { cwd: project, env });
    assert.is(code, 0);
    return JSON.parse(out).findings.filter(({ what }: { what: string }) => what === 'plain http');
  };
  const https = { TREADLE_BASE_URL: 'https://blog.example' };
  for (const env of [{}, { HOST: '127.0.0.1' }, { HOST: 'localhost' }, { HOST: '::1' }, { HOST: '0.0.0.0', ...https }])
    assert.equal(await find(env), [], JSON.stringify(env));
  assert.equal(await find({ TREADLE_BASE_URL: 'http://127.0.0.1:3000' }), []);
  for (const env of [{ HOST: '0.0.0.0' }, { HOST: '::' }, { HOST: '192.0.2.7' }, { HOST: 'blog.example' }]) {
    const [found] = await find(env);
    assert.match(String(found?.text), /by plain http.*Put a proxy with TLS in front/, JSON.stringify(env));
  }
});

for (const command of ['dev', 'start']) {
  test(`${command} prints the address, serves, and ends when told`, async () => {
    const stopper = new AbortController();
    const told: { url: (text: string) => void } = { url: () => {} };
    const announced = new Promise<string>((resolve) => {
      told.url = resolve;
    });
    const io = { stdout: { write: (text: string) => told.url(text.trim()) }, stderr: { write() {} } };
    const ended = main([command, '--port', '0'], { ...io, cwd: project, env: {}, signal: stopper.signal });
    const url = await Promise.race([announced, ended.then((code) => `ended with ${code}`)]);
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    const page = await fetch(`${url}/articles`);
    assert.is(page.status, 200);
    assert.match(await page.text(), 'A loom for the kitchen table');
    stopper.abort();
    assert.is(await ended, 0);
  });
}
test('start refuses a database that lacks something, and a broken definition', async () => {
  const root = folders.makeProject();
  assert.is((await run(['start', '--port', '0'], { cwd: root })).code, 1);
  writeFileSync(join(root, 'config/rest/x.json'), '{');
  assert.is((await run(['start', '--port', '0'], { cwd: root })).code, 5);
});

test.run();
