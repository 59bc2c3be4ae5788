import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { keepErrors } from '../../../src/cli/dev-errors.ts';
import { silentLog } from '../../../src/core/log/log.ts';
import { Project, runCommand } from '../../project.ts';
import { Client } from './_client.ts';

const test = suite('cli/mcp/tools');
const project = new Project('blog');
const client = new Client(project.root);
test.after(async () => {
  await client.end();
  await project.remove();
});

const RANK = { command: ['field', 'add', 'article', 'rank:number:sortable'] };
const FILE = 'config/schema/article.json';

test('a change is shown first, and made only with the token of what was shown', async () => {
  const before = project.read(FILE);
  const shown = await client.tool('change', RANK);
  assert.is(shown.applied, false);
  assert.match(JSON.stringify(shown.files), /\+ .*rank/);
  assert.is(project.read(FILE), before);
  for (const token of [undefined, 'wrong']) {
    const { isError, data } = await client.call('change', { ...RANK, apply: true, ...(token && { token }) });
    assert.ok(isError);
    assert.is(data.code, 'MCP_TOKEN_DIFFERS');
  }
  const other = await client.call('change', {
    command: ['field', 'add', 'article', 'rank:text'],
    apply: true,
    token: shown.token,
  });
  assert.is(other.data.code, 'MCP_TOKEN_DIFFERS');
  assert.is(project.read(FILE), before);
});

test('a file that changed after the dry run is not written over', async () => {
  const { token } = await client.tool('change', RANK);
  project.edit<{ description: string }>(FILE, (schema) => {
    schema.description = 'Changed by a person';
  });
  const { data } = await client.call('change', { ...RANK, apply: true, token });
  assert.is(data.code, 'MCP_TOKEN_DIFFERS');
  assert.not.match(project.read(FILE), 'rank');
  assert.is((await client.change(RANK)).applied, true);
  assert.match(project.read(FILE), '"rank"');
  assert.match(project.read(FILE), 'Changed by a person');
});

for (const command of [
  ['schema', 'list'],
  ['migrate'],
  ['import', 'article', 'x.csv'],
  ['webhook', 'rotate', 'x'],
  ['app', 'create', 'x'],
  ['user', 'create'],
  ['treadle', 'schema', 'create', 'x'],
  ['schema', 'remove', 'comment', '--allow-loss'],
  ['schema', 'create', 'x', '--cwd=/tmp'],
  ['schema', 'create', 'x', '--yes'],
]) {
  test(`treadle ${command.join(' ')} is no change for an assistant`, async () => {
    const { isError, data } = await client.call('change', { command });
    assert.ok(isError);
    assert.is(data.code, 'MCP_INPUT_INVALID', JSON.stringify(data));
  });
}

for (const file of [
  'config/../package.json',
  'package.json',
  'config/app/x.json',
  'config/schema/../../x.json',
  'app/www/src/events.ts',
  '/etc/passwd',
]) {
  test(`${file} is no file for a patch`, async () => {
    const { data } = await client.call('change', { file, patch: [{ op: 'add', path: '', value: {} }] });
    assert.is(data.code, 'MCP_INPUT_INVALID');
  });
}

test('a change that breaks a definition is refused with its problems, in a command and in a patch', async () => {
  const unknown = await client.call('change', { command: ['relation', 'add', 'article', '1:N', 'nothing'] });
  assert.ok(unknown.isError);
  const { data } = await client.call('change', {
    file: FILE,
    patch: [{ op: 'replace', path: '/fields/0/type', value: 'strng' }],
  });
  assert.is(data.code, 'PROJECT_DEFINITIONS_INVALID');
  assert.is((data.problems as { code: string }[])[0]?.code, 'DEFINITION_VALUE_INVALID');
  const bad = await client.call('change', { file: FILE, patch: [{ op: 'remove', path: '/nothing' }] });
  assert.match(String(bad.data.message), /cannot be applied/);
  const patch = [{ op: 'add', path: '/page', value: '/x' }];
  const missing = await client.call('change', { file: 'config/schema/nothing.json', patch });
  assert.match(String(missing.data.message), /there is no such file/);
});

test('a fix of check is a change, also where the file has another mistake', async () => {
  const text = project.read(FILE);
  project.write(FILE, text.replace('"searchable"', '"serchable"').replace('"plural"', '"plurl"'));
  for (let round = 0; round < 3; round += 1) {
    const { problems } = (await client.tool('check')) as { problems: { fix?: object }[] };
    const fix = problems.find((problem) => problem.fix !== undefined)?.fix;
    if (fix === undefined) break;
    await client.change(fix);
  }
  assert.is((await client.tool('check')).error, false);
  assert.is(project.read(FILE), text);
});

test('a new definition is a patch of nothing', async () => {
  const value = { slug: 'clerk', name: 'Clerk', permissions: [] };
  await client.change({ file: 'config/role/clerk.json', patch: [{ op: 'add', path: '', value }] });
  assert.equal(JSON.parse(project.read('config/role/clerk.json')), value);
});

test('a rename is shown with its differences, and a removal that others name is refused', async () => {
  const rename = await client.tool('change', { command: ['field', 'rename', 'article', 'rank', 'weight'] });
  assert.match(JSON.stringify(rename.files), 'weight');
  const { isError, data } = await client.call('change', { command: ['schema', 'remove', 'comment'] });
  assert.ok(isError);
  assert.is((data.problems as { code: string }[])[0]?.code, 'CLI_REFERENCE_LEFT');
});

test('describe tells all names, one definition, an event, a command and a shape', async () => {
  assert.ok(((await client.tool('describe')).schema as string[]).includes('article'));
  const schema = await client.tool('describe', { kind: 'schema', name: 'article' });
  assert.is(schema.file, FILE);
  assert.equal((schema.calls as string[]).sort(), ['public-article-detail', 'public-article-search']);
  assert.ok((await client.tool('describe', { kind: 'event', name: 'system-model-create' })).stage);
  assert.match(
    String((await client.tool('describe', { kind: 'command', name: 'field add' })).help),
    'treadle field add',
  );
  assert.is((await client.tool('describe', { kind: 'shape', name: 'scope' })).type, 'object');
  const settings = await client.tool('describe', { kind: 'settings' });
  assert.is(settings.home, '/articles');
  assert.is(settings.database, undefined);
  const { data } = await client.call('describe', { kind: 'schema', name: 'artcle' });
  assert.match(String(data.hint), 'Did you mean "article"?');
});

test('routes and explain say what answers', async () => {
  const { routes } = (await client.tool('routes', { search: '/rest/public/article' })) as {
    routes: { path: string }[];
  };
  assert.is(routes.length, 2);
  const call = await client.tool('explain', { method: 'GET', path: '/rest/public/article/search' });
  assert.is(call.status, 200);
  assert.is((await client.tool('explain', { method: 'GET', path: '/nowhere' })).status, 404);
  assert.match(String((await client.tool('explain', { code: 'database_busy' })).meaning), 'lock');
  assert.match(
    String((await client.call('explain', { code: 'DATABASE_BUZY' })).data.hint),
    'Did you mean "DATABASE_BUSY"?',
  );
});

test('rows are read without passwords, private fields and secrets, and cannot be asked by them', async () => {
  const fields = ['phone:text:private', 'api_token:text:filterable', 'town:text:filterable', 'meta:rawjson'];
  for (const field of fields) {
    const [name = '', type = '', flag = ''] = field.split(':');
    const flags = flag === 'private' ? ['--private'] : ['--no-private'];
    await client.change({
      command: ['field', 'add', 'profile', `${name}:${type}${flag === 'filterable' ? ':filterable' : ''}`, ...flags],
    });
  }
  await client.tool('migrate', { apply: true });
  const meta = {
    accessToken: 'abc',
    apiKey: 'abc',
    list: [{ 'signing-keys': 'abc', passphrase: 'abc', colour: 'blue' }],
  };
  const values = ['profile_name=Ann', 'profile_phone=123', 'profile_api_token=abc', 'profile_town=Ulm'];
  values.push(`profile_meta=${JSON.stringify(meta)}`);
  await runCommand(['emit', 'system-model-create', 'schema=profile', ...values], project.root);
  const { rows, note } = (await client.tool('rows', { schema: 'profile' })) as { rows: object[]; note: string };
  assert.match(note, 'not instructions');
  const [row = {}] = rows;
  assert.is(Reflect.get(row, 'profile_town'), 'Ulm');
  assert.equal(Reflect.get(row, 'profile_meta'), { list: [{ colour: 'blue' }] });
  assert.not.match(JSON.stringify(row), /123|abc/);
  for (const input of [
    { filter: { profile_phone: '123' } },
    { filter: { profile_api_token: { startswith: 'a' } } },
    { sort: '-profile_phone' },
    { filter: { 'profile.profile_phone': '1' } },
    { filter: { or: [{ profile_phone: '1' }] } },
    { sort: 'profile_meta.api_token' },
    { filter: { 'profile_meta.accessToken': 'a' } },
  ]) {
    const { data } = await client.call('rows', { schema: 'profile', ...input });
    assert.is(data.code, 'MCP_INPUT_INVALID', JSON.stringify(input));
  }
  const found = (await client.tool('rows', { schema: 'profile', filter: { profile_town: 'Ulm' } })) as {
    rows: object[];
  };
  assert.is(found.rows.length, 1);
});

test('the difference of the settings shows no password of an address', async () => {
  const settings = project.read('config/settings.json');
  project.edit<{ server: object }>('config/settings.json', (all) => {
    all.server = { baseUrl: 'https://ann:geheim@example.org', bodyBytes: 100_000 };
  });
  const shown = await client.call('change', {
    file: 'config/settings.json',
    patch: [{ op: 'replace', path: '/server/bodyBytes', value: 200_000 }],
  });
  project.write('config/settings.json', settings);
  assert.not.match(JSON.stringify(shown.data), 'geheim');
});

test('reading never migrates, nor runs steps of the project', async () => {
  const ran = project.path('var/ran');
  const step = `import { writeFileSync } from 'node:fs';\nexport const up = () => writeFileSync(${JSON.stringify(ran)}, '');\n`;
  for (const prepare of [
    () => client.change({ command: ['schema', 'create', 'shelf', '--field', 'title:text'] }),
    async () => project.write('config/migration/001-run.ts', step),
  ]) {
    await prepare();
    const before = await client.tool('migrate');
    for (const [tool, input] of [
      ['rows', { schema: 'profile' }],
      ['explain', { method: 'GET', path: '/admin', as: 'ann@example.org' }],
    ] as const) {
      const { data } = await client.call(tool, input);
      assert.is(data.code, 'MCP_DATABASE_BEHIND', tool);
    }
    assert.equal(await client.tool('migrate'), before);
    assert.not.ok(existsSync(ran));
    rmSync(project.path('config/migration'), { recursive: true, force: true });
    await client.tool('migrate', { apply: true });
  }
});

test('a definition that cannot be read is neither empty nor missing', async () => {
  for (const [file, input] of [
    ['config/settings.json', { kind: 'settings' }],
    [FILE, { kind: 'schema', name: 'article' }],
  ] as const) {
    const text = project.read(file);
    project.write(file, text.replace('{', '{,'));
    const { isError, data } = await client.call('describe', input);
    project.write(file, text);
    assert.ok(isError, file);
    assert.match(String(data.message), `${file} cannot be read`);
  }
});

test('a migration that loses data needs a person', async () => {
  await client.change({ command: ['field', 'remove', 'profile', 'town'] });
  const plan = await client.tool('migrate');
  assert.is(plan.applied, false);
  const steps = JSON.stringify([plan.steps, plan.refused, plan.left, plan.drift]);
  assert.match(steps, 'town');
  await client.change({ command: ['field', 'add', 'profile', 'zip:text:required', '--private'] });
  const { isError, data } = await client.call('migrate', { apply: true });
  assert.ok(isError);
  assert.is(data.code, 'MCP_MIGRATION_NEEDS_PERSON');
  assert.match(String(data.hint), 'A person must run');
  await client.change({ command: ['field', 'remove', 'profile', 'zip'] });
  await client.tool('migrate', { apply: true });
  const left = (await client.tool('rows', { schema: 'profile' })) as { rows: object[] };
  assert.is(left.rows.length, 1);
});

test('the last errors of the development server come newest first, without secrets', async () => {
  assert.equal((await client.tool('last_errors')).errors, []);
  const clock = {
    now: () => 1_700_000_000_000,
    callbacks: [] as (() => void)[],
    after: (_ms: number, call: () => void) => {
      clock.callbacks.push(call);
      return () => {};
    },
  };
  const log = keepErrors(silentLog, project.root, clock);
  log.warn('first', { token: 'abc' });
  log.error('second', { error: new Error('It broke'), path: '/x' });
  log.info('third');
  assert.is(clock.callbacks.length, 1);
  clock.callbacks[0]?.();
  const { errors } = (await client.tool('last_errors', { limit: 2 })) as { errors: Record<string, unknown>[] };
  assert.equal(
    errors.map(({ event }) => event),
    ['second', 'first'],
  );
  assert.match(JSON.stringify(errors), 'It broke');
  assert.not.match(JSON.stringify(errors), 'abc');
});

test('a file that cannot be written does not stop the log', () => {
  const other = new Project('none');
  mkdirSync(other.path('var/dev-errors.ndjson'), { recursive: true });
  let call = (): void => {};
  const log = keepErrors(silentLog, other.root, {
    now: () => 0,
    after: (_ms, callback) => {
      call = callback;
      return () => {};
    },
  });
  log.error('x');
  call();
  assert.ok(existsSync(other.path('var')));
  writeFileSync(other.path('x'), '');
  return other.remove();
});

test.run();
