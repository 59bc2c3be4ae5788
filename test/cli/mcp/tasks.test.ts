// Ten tasks, done by a script that knows only what `treadle mcp` answers: flags, code, columns and addresses are read from
// the tools. As an assistant does, it writes files that the docs show and runs commands that they name.
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../../src/core/file/package-root.ts';
import { Project, runCommand } from '../../project.ts';
import { Script } from './_script.ts';

const test = suite('cli/mcp: ten tasks');
const project = new Project('blog');
const script = new Script(project.root);
test.after(async () => {
  await script.end();
  await project.remove();
});

interface Field {
  readonly name: string;
  readonly type: string;
}

async function listFields(): Promise<readonly Field[]> {
  const { definition } = (await script.tool('describe', { kind: 'schema', name: 'ticket' })) as {
    definition: { fields: Field[] };
  };
  return definition.fields;
}

async function listRoutes(search: string): Promise<string[]> {
  const { routes } = (await script.tool('routes', { search })) as { routes: { path: string }[] };
  return routes.map(({ path }) => path);
}

test('1, a schema', async () => {
  await script.changeLike('schema create', { article: 'ticket' });
  assert.ok((await listFields()).length >= 2);
});

test('2, a call', async () => {
  await script.changeLike('rest generate', { article: 'ticket' });
  assert.ok((await listRoutes('/rest/public/ticket')).length >= 2);
});

test('3, user calls and a scope: the refusal says which relation is missing', async () => {
  await script.changeLike('rest generate', { comment: 'ticket' }, 1);
  const { rest } = (await script.tool('describe', { kind: 'rest' })) as { rest: string[] };
  const call = rest.find((name) => name.startsWith('user-ticket')) ?? '';
  await script.changeLike('scope create', { profile_read: 'tickets', 'user-profile-detail': call, profile: 'tickets' });
  const { definition } = (await script.tool('describe', { kind: 'scope', name: 'tickets' })) as {
    definition: { calls: string[] };
  };
  assert.equal(definition.calls, [call]);
});

test('4, a web hook', async () => {
  await script.changeLike('webhook create', { profile: 'ticket', Profile: 'Ticket' });
  const { webhook } = (await script.tool('describe', { kind: 'webhook' })) as { webhook: string[] };
  assert.equal(webhook, ['ticket-created']);
});

test('5, a page', async () => {
  const kinds = [/\/controller\/\w+\.ts$/, /\/template\/\w+\.html$/, /\/\.treadle\.ts$/];
  const files = await script.findFiles('write a page with a route and a template', ...kinds);
  // The list of the docs is that of another template: what it adds is put into the project's.
  for (const { file, text } of files) {
    if (!file.endsWith('.treadle.ts')) project.write(file, `${text}\n`);
  }
  const [name = ''] = files.flatMap(({ file }) => /controller\/(\w+)\.ts$/.exec(file)?.slice(1) ?? []);
  const list = files.find(({ file }) => file.endsWith('.treadle.ts'));
  assert.match(String(list?.text), `import ${name} from './src/controller/${name}';`);
  const own = project.read('app/www/.treadle.ts');
  const added = `import ${name} from './src/controller/${name}';\n${own.replace('export default [', `export default [${name}, `)}`;
  project.write('app/www/.treadle.ts', added);
  assert.equal((await script.tool('check')).error, false);
  assert.equal(await listRoutes(`/${name}`), [`/${name}`]);
});

test('6, a rename, before and after which the columns are read', async () => {
  const [field] = (await listFields()).filter(({ type }) => type === 'text');
  await script.changeLike('field rename', { article: 'ticket', title: String(field?.name), headline: 'subject' });
  assert.ok((await listFields()).some(({ name }) => name === 'subject'));
});

test('7, a role', async () => {
  await script.changeLike('role create', { editor: 'clerk', Editor: 'Clerk', article: 'ticket' });
  assert.ok(((await script.tool('describe')).role as string[]).includes('clerk'));
});

test('8, a migration', async () => {
  const plan = await script.tool('migrate');
  assert.match(JSON.stringify(plan.steps), 'Create the table ticket');
  assert.is((await script.tool('migrate', { apply: true })).applied, true);
  assert.equal((await script.tool('migrate')).steps, []);
});

test('9, an import', async () => {
  const words = await script.findCommand('import rows from a CSV file', 'import');
  assert.is(words[0], 'import');
  const file = words.find((word) => word.endsWith('.csv')) ?? '';
  const columns = (await listFields()).filter(({ type }) => type === 'text' || type === 'wysiwyg');
  const head = columns.map(({ name }) => name).join(',');
  project.write(file, `${head}\n${columns.map(() => 'One').join(',')}\n${columns.map(() => 'Two').join(',')}\n`);
  // The file has no profile: the relation of task 3 is 1:1, and a person must decide whose rows they are.
  await runCommand(
    ['emit', 'auth-create', 'auth_slug=ann@example.org', 'auth_password=correct horse battery', 'profile_name=Ann'],
    project.root,
  );
  const { rows: people } = (await script.tool('rows', { schema: 'profile' })) as { rows: { profile_id: number }[] };
  const owner = people[0]?.profile_id;
  project.write(
    file,
    project
      .read(file)
      .trim()
      .split('\n')
      .map((line, index) => `${line},${index === 0 ? 'profile_id' : owner}`)
      .join('\n'),
  );
  await runCommand(['import', 'ticket', ...words.slice(2).filter((word) => !word.startsWith('--'))], project.root);
  const { rows, total } = (await script.tool('rows', { schema: 'ticket', sort: 'ticket_id' })) as {
    rows: Record<string, unknown>[];
    total: number;
  };
  assert.is(total, 2);
  assert.is(rows[0]?.ticket_subject, 'One');
});

/** The package as an installed one: its source, without a build. */
function install(): void {
  const folder = project.path('node_modules/treadle');
  mkdirSync(folder, { recursive: true });
  symlinkSync(join(packageRoot, 'src'), join(folder, 'src'));
  const exports = { '.': './src/index.ts', './test': './src/testing/site.ts' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'treadle', type: 'module', exports }));
}

test('10, a test, which passes', async () => {
  const [shown] = await script.findFiles('write a test of a page', /^test\/.*\.test\.ts$/);
  assert.ok(shown);
  project.write(shown.file, `${shown.text}\n`);
  install();
  const tsx = createRequire(join(packageRoot, 'package.json')).resolve('tsx');
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', tsx, '--test', shown.file], {
    cwd: project.root,
    env: { PATH: process.env.PATH },
  });
  assert.match(stdout, /# pass [1-9]/);
  assert.match(stdout, '# fail 0');
});

test.run();
