import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeCall } from '../../src/cli/explain/call.ts';
import { findRoute } from '../../src/cli/explain/find.ts';
import { judge } from '../../src/cli/explain/verdict.ts';
import type { CompiledPlan } from '../../src/plan/compile.ts';
import { basic } from '../client.ts';
import { SECRET, type Site, startSite } from '../feature/rest/_site.ts';
import { Folders, run } from './run.ts';

const folders = new Folders();
const test = suite('cli/explain');
const state: { site?: Site; root: string } = { root: '' };
test.before(async () => {
  state.site = await startSite();
  state.root = folders.makeProject();
  await run(['api', 'populate'], { cwd: state.root });
  const file = join(state.root, 'app/www/src/controller/calls.ts');
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(
    file,
    `export default function calls(app) {
  app.on('system-model-*', function audit() {}, 7);
  app.get('/articles', function second() {});
  app.rest({ name: 'whoami', access: 'user', method: 'get', path: '/user/whoami' }, async function whoami() {});
}
`,
  );
  const include = join(state.root, 'app/www/.treadle.ts');
  writeFileSync(
    include,
    `import calls from './src/controller/calls';\nimport article from './src/controller/article';\nexport default [calls, article];\n`,
  );
});
test.after(async () => {
  await state.site?.close();
  folders.remove();
});

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked into as it comes.
type Explained = any;

async function explain(...argv: string[]): Promise<{ code: number; out: string; err: string; json: Explained }> {
  const done = await run(['explain', ...argv], { cwd: state.root });
  return { ...done, json: argv.includes('--json') ? JSON.parse(done.out) : undefined };
}

test('a call: its file, access, scopes, rows, event, listeners with their places, hooks', async () => {
  const { code, json } = await explain('get', '/rest/user/profile/detail?x=1', '--json');
  assert.is(code, 0);
  const { call } = json;
  assert.is(call.name, 'user-profile-detail');
  assert.is(call.file, 'config/rest/user-profile-detail.json');
  assert.equal(
    call.scopes.map(({ slug }: { slug: string }) => slug),
    ['profile_read'],
  );
  assert.is(call.rows, "the token's own profile");
  const steps = json.steps.map(({ name, decided }: { name: string; decided: string }) => `${name}: ${decided}`);
  assert.ok(steps.includes('guard: no role guards the path'), steps.join('; '));
  assert.ok(steps.includes('scope: needs profile_read'), steps.join('; '));
  assert.match(call.listeners[0].place, /^app\/www\/src\/controller\/calls\.ts:2$/);
  assert.is(call.listeners[0].priority, 7);
  assert.is(call.listeners.at(-1).by, 'treadle');
  const { out } = await explain('GET', 'http://127.0.0.1:3000/rest/public/article/detail/5');
  assert.match(out, 'article_id=5');
  assert.match(out, 'schema=article');
  assert.match(out, 'none: public calls have no limit');
});

test('a page, a hand-written call, a method that is not taken, and nothing', async () => {
  const page = await explain('GET', '/articles', '--json');
  assert.is(page.json.call, null, page.out);
  assert.match(page.json.routes[0].place, 'calls.ts:3');
  const own = await explain('GET', '/rest/user/whoami');
  assert.match(own.out, 'app/www/src/controller/calls.ts (hand-written)');
  assert.match(own.out, 'no token can call it');
  const wrong = await explain('DELETE', '/rest/public/article/search', '--json');
  assert.is(wrong.code, 1);
  assert.is(wrong.json.status, 405);
  assert.equal(wrong.json.methods, ['GET']);
  const none = await explain('GET', '/rest/public/article/serch');
  assert.is(none.code, 1);
  assert.match(none.out, 'Did you mean "/rest/public/article/search"?');
  assert.is((await explain('FETCH', '/x')).code, 64);
  assert.is((await explain('GET', 'articles')).code, 64);
});

test('a code is told apart by its form, and explained without a project', async () => {
  const outside = (...argv: string[]) => run(['explain', ...argv], { cwd: tmpdir() });
  const row = await outside('row_missing');
  assert.is(row.code, 0);
  assert.match(
    row.out,
    /^ROW_MISSING \(HTTP 404\)\n.+\nWhat to do: .+\nDocs: \/developer\/docs\/errors\/ROW_MISSING\n$/,
  );
  const advice = JSON.parse((await outside('DATABASE_DRIFT', '--json')).out);
  assert.equal(Object.keys(advice), ['code', 'status', 'meaning', 'remedy', 'docs']);
  assert.is(advice.docs, 'docs/reference/errors.md');
  const wrong = await outside('ROW_MISING', '--json');
  assert.is(wrong.code, 64);
  const { error, code, docs, hint } = JSON.parse(wrong.out);
  assert.equal(
    [error, code, docs, hint],
    [true, 'CLI_USAGE', 'docs/reference/errors.md', 'Did you mean "ROW_MISSING"?'],
  );
  const bare = await outside('GET', '--json');
  assert.is(bare.code, 64);
  assert.match(JSON.parse(bare.out).message, 'path');
});

test('a scope lists a hand-written call by its name; a name that nobody has is refused', async () => {
  const create = (call: string) =>
    run(['scope', 'create', `scope_${call.slice(0, 4)}`, '--name', 'Who', '--access', 'user', '--call', call], {
      cwd: state.root,
    });
  const wrong = await create('whoamy');
  assert.is(wrong.code, 5);
  assert.match(wrong.err, 'whoami');
  const right = await create('whoami');
  assert.is(right.code, 0, right.err);
  assert.equal((await explain('GET', '/rest/user/whoami', '--json')).json.call.scopes[0].slug, 'scope_whoa');
  const check = await run(['check'], { cwd: state.root });
  assert.is(check.code, 0, check.err);
  assert.not.match(`${check.out}${check.err}`, 'REST_CALL_UNREACHABLE');
  // Written by hand, without a command: reported when the project is compiled, with the place in the file.
  const file = join(state.root, 'config/scope/odd.json');
  writeFileSync(file, '{"slug":"odd","name":"Odd","access":"user","calls":[\n"whoamy"]}');
  const broken = await run(['check'], { cwd: state.root });
  rmSync(file);
  assert.is(broken.code, 5);
  assert.match(`${broken.out}${broken.err}`, /odd\.json:2:1 calls\[0\].*"whoamy".*Did you mean "whoami"/s);
});

test('for every call, the verdict on app and user is what a request meets', async () => {
  const site = state.site as Site;
  const plan = site.app.plan as CompiledPlan;
  const { kysely } = site.app.services.database;
  const seen = { passed: 0, refused: 0 };
  for (const client of ['full', 'poor', 'suspended']) {
    for (const scopes of client === 'full' ? [['all_read', 'named'], ['all_write'], []] : [['all_write']]) {
      await kysely.deleteFrom('treadle_token').execute();
      const token = await site.token({ client, scopes });
      for (const call of plan.calls) {
        const { access, method: defined } = call.definition;
        if (access === 'app' && client === 'full' && scopes.length > 0) continue;
        const method = defined === 'all' ? 'PUT' : defined.toUpperCase();
        const path = call.path.replace(/:[A-Za-z_0-9]+/g, '999').replace(/\*+/g, 'z');
        const facts = describeCall(plan, call, findRoute(plan, method, path));
        assert.is(facts.name, call.name);
        const verdict = await judge(site.app, facts, {
          app: client,
          email: access === 'user' ? 'Una@example.org' : undefined,
        });
        const headers = access === 'app' ? basic(client, SECRET) : {};
        const answer = await site.send(method, path, access === 'user' ? { token } : { headers });
        const passes = answer.headers['www-authenticate'] === undefined;
        assert.is(
          verdict.passes,
          passes,
          `${client} [${scopes}] ${method} ${path}: ${answer.status}, ${verdict.reasons}`,
        );
        seen[passes ? 'passed' : 'refused'] += 1;
        if (!passes) assert.match(verdict.reasons.join(' '), String(answer.status));
      }
    }
  }
  assert.ok(seen.passed > 50 && seen.refused > 50, JSON.stringify(seen));
});

test.run();
