import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { getProgram, Running } from './_process.ts';
import { Folders, run } from './run.ts';

/** `Services.reload()` in one worker of `treadle start --workers`. */
const reload = suite('cli/reload');
const folders = new Folders();
reload.after(() => folders.remove());

/**
 * The additional code of this test's program: no feature reloads yet, so it exposes the services to the project's
 * code.
 */
// A long line of the program may be broken anywhere between two tokens.
const START = /running\d*\.\s*application\s*=\s*application/g;

/** A copy of the built program that exposes its services. */
function copyProgram(): { readonly file: string; remove(): void } {
  const built = getProgram();
  const folder = `${dirname(built)}-lending`;
  cpSync(dirname(built), folder, { recursive: true, filter: (file) => !file.endsWith('.cache') });
  const program = join(folder, 'server.cjs');
  const text = readFileSync(program, 'utf8');
  assert.is(text.split(START).length, 2, 'the start of an application is in one place');
  writeFileSync(program, text.replace(START, '($&,globalThis.lentServices=application.services)'));
  return { file: join(folder, basename(built)), remove: () => rmSync(folder, { recursive: true }) };
}

const CODE = `
export default function reloading(app) {
  app.get('/which', (request, response) => {
    response.setContent(JSON.stringify({ pid: process.pid, name: app.settings.name }));
  });
  app.get('/reload', async (request, response) => {
    const problems = await globalThis.lentServices.reload();
    response.setContent(JSON.stringify(problems.filter(({ severity }) => severity !== 'advice')));
  });
}
`;

/** Uses a new connection, which any worker may get. */
function ask<T>(url: string): Promise<T> {
  return new Promise((resolve, reject) => {
    get(url, { agent: new Agent({ keepAlive: false }) }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve(JSON.parse(text) as T));
    }).on('error', reject);
  });
}

/** The served names, after each of the workers has answered three times. */
async function listNames(url: string, workers: number): Promise<string[]> {
  const answers = new Map<number, string[]>();
  while (answers.size < workers || [...answers.values()].some(({ length }) => length < 3)) {
    const { pid, name } = await ask<{ pid: number; name: string }>(`${url}/which`);
    answers.set(pid, [...(answers.get(pid) ?? []), name]);
  }
  return [...new Set([...answers.values()].flat())];
}

reload('a definition that one worker reloads is served by all when it resolves; a broken one by none', async () => {
  const cwd = folders.makeProject('bare');
  const entry = join(cwd, 'app/www/.treadle.ts');
  writeFileSync(join(cwd, 'app/www/src/controller/reloading.ts'), CODE);
  const text = readFileSync(entry, 'utf8').replace('export default [', 'export default [reloading, ');
  writeFileSync(entry, `import reloading from './src/controller/reloading';\n${text}`);
  assert.is((await run(['migrate'], { cwd })).code, 0);
  const program = copyProgram();
  const settings = join(cwd, 'config/settings.json');
  const rename = (name: string): void =>
    writeFileSync(settings, JSON.stringify({ ...JSON.parse(readFileSync(settings, 'utf8')), name }));
  rename('First');
  const server = new Running(program.file, ['start', '--port', '0', '--workers', '2'], { cwd });
  try {
    const url = await server.url();
    for (const number of [1, 2]) await server.line('a worker serves', ({ worker }) => worker === number);
    assert.equal(await listNames(url, 2), ['First']);
    rename('Second');
    assert.equal(await listNames(url, 2), ['First'], 'nobody has reloaded yet');
    assert.equal(await ask(`${url}/reload`), []);
    assert.equal(await listNames(url, 2), ['Second']);

    const good = readFileSync(settings, 'utf8');
    writeFileSync(settings, good.slice(0, -5));
    const problems = await ask<{ file: string }[]>(`${url}/reload`);
    assert.equal(
      problems.map(({ file }) => file),
      ['config/settings.json'],
    );
    assert.equal(await listNames(url, 2), ['Second']);

    writeFileSync(settings, good);
    rename('Third');
    assert.equal(await ask(`${url}/reload`), []);
    assert.equal(await listNames(url, 2), ['Third']);
  } finally {
    await server.kill('SIGTERM');
    program.remove();
  }
});

reload.run();
