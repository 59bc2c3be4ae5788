import { readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ask, Client, PASSWORD } from '../client.ts';
import { readForm } from '../definition-form.ts';
import { getProgram, Running } from './_process.ts';
import { Folders, run } from './run.ts';

/** Saves of definitions in the admin section of `treadle start`. */
const test = suite('cli/definition-save');
const folders = new Folders();
test.after(() => folders.remove());

const EMAIL = 'ada@example.org';
const SETTINGS = 'config/settings.json';
const CODE = `
export default function which(app) {
  app.get('/which', (request, response) => {
    response.setContent(JSON.stringify({ pid: process.pid, name: app.settings.name }));
  });
}
`;

const read = (cwd: string, file: string): string => readFileSync(join(cwd, file), 'utf8');

function change(cwd: string, file: string, edit: (value: Record<string, unknown>) => void): void {
  const value = JSON.parse(read(cwd, file)) as Record<string, unknown>;
  edit(value);
  writeFileSync(join(cwd, file), `${JSON.stringify(value, null, 2)}\n`);
}

/** A project whose admin section writes in production, with an administrator. */
async function makeProject(): Promise<string> {
  const cwd = folders.makeProject();
  change(cwd, SETTINGS, (settings) => Object.assign(settings, { admin: { write: true } }));
  writeFileSync(join(cwd, 'app/www/src/controller/which.ts'), CODE);
  const entry = 'app/www/.treadle.ts';
  const text = read(cwd, entry).replace('export default [', 'export default [which, ');
  writeFileSync(join(cwd, entry), `import which from './src/controller/which';\n${text}`);
  const options = { cwd, stdin: `${PASSWORD}\n` };
  for (const argv of [
    ['rest', 'generate', 'comment', '--access', 'public', '--action', 'search,detail'],
    ['migrate'],
    ['user', 'create', '--email', EMAIL, '--name', 'Ada', '--role', 'admin'],
  ]) {
    const done = await run(argv, options);
    assert.is(done.code, 0, `${argv.join(' ')}: ${done.err}`);
  }
  return cwd;
}

async function logIn(url: string): Promise<Client> {
  const ada = new Client(url);
  const answer = await ada.post('/auth/login', { auth_slug: EMAIL, auth_password: PASSWORD });
  assert.is(answer.status, 303, answer.text);
  return ada;
}

/** The names that the workers serve, after each has answered three times. */
async function listNames(url: string, workers: number): Promise<string[]> {
  const answers = new Map<number, string[]>();
  while (answers.size < workers || [...answers.values()].some(({ length }) => length < 3)) {
    const { pid, name } = (await ask(`${url}/which`)).json() as { pid: number; name: string };
    answers.set(pid, [...(answers.get(pid) ?? []), name]);
  }
  return [...new Set([...answers.values()].flat())];
}

test('all workers serve what one saved; the history has it once; a file that changed meanwhile stays', async () => {
  const cwd = await makeProject();
  const server = new Running(getProgram(), ['start', '--port', '0', '--workers', '2'], { cwd });
  try {
    const url = await server.url();
    for (const number of [1, 2]) await server.line('a worker serves', ({ worker }) => worker === number);
    const ada = await logIn(url);
    const path = '/admin/system/settings';
    const form = readForm((await ada.get(path)).text);
    assert.equal(await listNames(url, 2), [form['s[name]']]);
    const saved = await ada.post(path, { ...form, 's[name]': 'Second', do: 'save' });
    assert.is(saved.status, 303, saved.text);
    assert.equal(await listNames(url, 2), ['Second']);
    assert.is(JSON.parse(read(cwd, SETTINGS)).name, 'Second');

    const stale = readForm((await ada.get(path)).text);
    change(cwd, SETTINGS, (settings) => Object.assign(settings, { name: 'Elsewhere' }));
    const onDisk = read(cwd, SETTINGS);
    const refused = await ada.post(path, { ...stale, 's[name]': 'Third', do: 'save' });
    assert.is(refused.status, 409, refused.text);
    assert.is(read(cwd, SETTINGS), onDisk, 'the other change is kept');
    assert.equal(await listNames(url, 2), ['Second'], 'nobody has loaded it');

    const history = (await ada.get('/admin/history?schema=settings/settings')).text;
    assert.is(history.match(/href="\/admin\/history\/\d+"/g)?.length, 1);
  } finally {
    await server.kill('SIGTERM');
  }
});

/** The moments of a save at which the process is killed: the first change of a name in a folder. */
const MOMENTS: Readonly<Record<string, readonly [folder: string, name: string]>> = {
  'as it notes what it writes': ['var', 'writing'],
  'as the first new file is there': ['config/schema', 'remark.json'],
  'as the old file goes': ['config/schema', 'comment.json'],
};

/** Kills a server at a moment; resolves when it has ended. */
async function killAt(server: Running, cwd: string, [folder, name]: readonly [string, string]): Promise<void> {
  const watching = watch(join(cwd, folder), (_, changed) => {
    if (changed === name) server.child.kill('SIGKILL');
  });
  try {
    assert.is((await server.ended).signal, 'SIGKILL');
  } finally {
    watching.close();
  }
}

const listNamed = (cwd: string, name: string): string[] =>
  ['schema', 'rest'].flatMap((kind) =>
    readdirSync(join(cwd, 'config', kind)).filter((file) => !file.startsWith('.') && file.includes(name)),
  );

test('a server that is killed while it saves leaves the old definitions or the new ones, never half', async () => {
  for (const [title, moment] of Object.entries(MOMENTS)) {
    const cwd = await makeProject();
    const before = listNamed(cwd, 'comment');
    assert.ok(before.length > 2);
    const server = new Running(getProgram(), ['start', '--port', '0'], { cwd });
    const ada = await logIn(await server.url());
    const path = '/admin/system/schema/rename/comment';
    const form = readForm((await ada.get(path)).text);
    const killed = killAt(server, cwd, moment);
    const saving = ada.post(path, { ...form, to: 'remark', paths: '1', code: '1', do: 'save' }).then(
      ({ status, text }) => `${status} ${text}`,
      () => 'killed',
    );
    assert.is(await saving, 'killed', title);
    await killed;
    const checked = await run(['check'], { cwd });
    assert.is(checked.code, 0, `${title}: ${checked.out}${checked.err}`);
    const [old, made] = [listNamed(cwd, 'comment'), listNamed(cwd, 'remark')];
    assert.is(Math.min(old.length, made.length), 0, `${title}: ${[...old, ...made].join(', ')}`);
    assert.is(Math.max(old.length, made.length), before.length, title);
    assert.is((await run(['migrate', '--yes'], { cwd })).code, 0, title);
  }
});

test.run();
