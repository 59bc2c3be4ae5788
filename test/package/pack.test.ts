import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../src/core/file/package-root.ts';

const execute = promisify(execFile);
const temporary = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-pack-')));
const stage = join(temporary, 'stage');
const unpacked = join(temporary, 'unpacked', 'package');
/** Not part of a new clone. */
const LEFT_OUT: ReadonlySet<string> = new Set(['node_modules', '.git', 'dist', 'coverage', 'demo', 'var']);

/** The environment without the additions of `npm test`, so that children start as from a shell. */
const environment: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^npm_|^NODE_V8_COVERAGE$|^FORCE_COLOR$|^INIT_CWD$|^(?:TREADLE|DATABASE)_|^(?:PORT|HOST)$/.test(name),
  ),
);
const npmEnvironment = { ...environment, npm_config_audit: 'false', npm_config_fund: 'false', CI: 'true' };

const run = (program: string, words: readonly string[], cwd: string, env: NodeJS.ProcessEnv = npmEnvironment) =>
  execute(program, [...words], { cwd, env, maxBuffer: 16 * 1024 * 1024 });

/** Files below a folder by their path in it, with forward slashes. */
const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort();

const readText = (...parts: string[]): string => readFileSync(join(...parts), 'utf8');

/** Builds and packs a copy, so that no other test sees an incomplete `dist/`. Returns the tarball. */
async function pack(): Promise<string> {
  cpSync(packageRoot, stage, {
    recursive: true,
    filter: (from) => !LEFT_OUT.has(relative(packageRoot, from).split(/[\\/]/)[0] ?? ''),
  });
  await run(process.execPath, ['.ci/build.mjs', relative(packageRoot, join(stage, 'dist'))], packageRoot, environment);
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--silent'], stage);
  mkdirSync(dirname(unpacked), { recursive: true });
  const tarball = join(stage, stdout.trim());
  await run('tar', ['-xzf', tarball, '-C', dirname(unpacked)], stage);
  return tarball;
}

const packing = pack();
// Each test reports its failure, so it is not unhandled.
packing.catch(() => {});
/** Also if a child fails: no process may outlive the test. */
const children = new Set<ChildProcess>();

const test = suite('package/pack');
test.after(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(temporary, { recursive: true, force: true });
});

test('a clone can be built and packed', async () => {
  assert.match(await packing, /treadle-.+\.tgz$/);
});

test('the package has what runs and what is read, and nothing else', () => {
  const files = listFiles(unpacked);
  const allowed =
    /^(?:dist\/(?:bin|src)\/.+\.(?:[cm]?js|d\.ts)|dist\/bin\/package\.json|dist\/THIRD-PARTY-NOTICES\.txt|(?:scaffold|templates)\/.+|docs\/(?:.+\.md|errors\.json)|(?:package\.json|README\.md|LICENSE|CHANGELOG\.md))$/;
  assert.equal(
    files.filter((file) => !allowed.test(file)),
    [],
  );
  for (const folder of ['scaffold', 'templates'])
    assert.equal(listFiles(join(unpacked, folder)), listFiles(join(packageRoot, folder)), folder);
  assert.ok(files.includes('scaffold/blog/app/www/.treadle.ts'));
  assert.ok(files.includes('scaffold/blog/.github/workflows/docs.yml'));
});

test('the program runs, and every file that package.json names exists', () => {
  const manifest = JSON.parse(readText(unpacked, 'package.json'));
  const bin = join(unpacked, manifest.bin.treadle);
  assert.match(readFileSync(bin, 'utf8'), /^#!\/usr\/bin\/env node\n/);
  assert.is(statSync(bin).mode & 0o111, 0o111);
  for (const name of ['.', './test'])
    for (const target of [manifest.exports[name].types, manifest.exports[name].default])
      assert.ok(existsSync(join(unpacked, target)), target);
});

test('every declaration finds those that it imports', () => {
  const lost = listFiles(join(unpacked, 'dist'))
    .filter((file) => file.endsWith('.d.ts'))
    .flatMap((file) =>
      [...readText(unpacked, 'dist', file).matchAll(/(?:from|import\()\s*['"](\.[^'"]+)['"]/g)]
        .map(([, specifier = '']) => resolve(unpacked, 'dist', dirname(file), specifier.replace(/\.[jt]s$/, '.d.ts')))
        .filter((target) => !existsSync(target))
        .map((target) => `${file}: ${relative(unpacked, target)}`),
    );
  assert.equal(lost, []);
});

test('no file names a path of the machine that built it', () => {
  const marks = [packageRoot, temporary, homedir()].filter((path) => path.length > 1);
  const wrong = listFiles(unpacked).filter((file) => {
    const text = readText(unpacked, file);
    return marks.some((mark) => text.includes(`${mark}/`));
  });
  assert.equal(wrong, []);
});

/** Starts `npm run dev` on a free port, requests the blog's pages, and stops it as a supervisor does. */
async function visit(project: string): Promise<void> {
  const child = spawn('npm', ['run', 'dev', '--', '--port', '0'], { cwd: project, env: npmEnvironment });
  children.add(child);
  const said: string[] = [];
  child.stderr.on('data', (chunk) => said.push(String(chunk)));
  // `close` also waits for the server to release its output; the end of npm alone would leave it waiting here.
  const closed = once(child, 'close');
  const url = await Promise.race([findUrl(child, said), closed.then(() => undefined)]);
  assert.ok(url, said.join(''));
  const page = await fetch(`${url}/articles`);
  assert.is(page.status, 200);
  assert.match(await page.text(), '<title>Articles');
  assert.is((await fetch(`${url}/styles/treadle.css`)).status, 200);
  assert.match(await (await fetch(`${url}/rest/public/article/search`)).text(), /^\{"error":false,/);
  child.kill('SIGTERM');
  await closed;
  children.delete(child);
  const isUp = await fetch(`${url}/articles`).then(
    () => true,
    () => false,
  );
  assert.not(isUp, 'npm has ended, and the server has not');
}

async function findUrl(child: ChildProcess, said: string[]): Promise<string | undefined> {
  if (!child.stdout) return undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(`${line}\n`);
    if (/^http:\/\/127\.0\.0\.1:\d+$/.test(line)) return line;
  }
  return undefined;
}

/** Links packages from the repository's `node_modules` into a folder. */
function linkPackages(modules: string, names: readonly string[]): void {
  mkdirSync(modules, { recursive: true });
  for (const name of names) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(packageRoot, 'node_modules', name), join(modules, name));
  }
}

const listDependencies = (leftOut?: string): string[] =>
  Object.keys(JSON.parse(readText(unpacked, 'package.json')).dependencies).filter((name) => name !== leftOut);

/** Runs the commands that the project's README names, as its CI does: they pass, and find a misspelt column. */
async function checkAndTest(project: string): Promise<void> {
  await run('npm', ['run', 'check'], project);
  const { stdout } = await run('npm', ['test'], project);
  assert.match(stdout, /pass [1-9]\d*\n[\s\S]*fail 0\n/);
  const controller = join(project, 'app/www/src/controller/article.ts');
  if (!existsSync(controller)) return;
  const right = readFileSync(controller, 'utf8');
  writeFileSync(controller, right.replace('item.article_title)', 'item.article_titel)'));
  const wrong = await run('npm', ['run', 'check'], project).then(
    () => 'It passed.',
    ({ stdout: said, stderr }: { stdout: string; stderr: string }) => said + stderr,
  );
  assert.not.equal(right, readFileSync(controller, 'utf8'));
  assert.match(wrong, /article\.ts[(:]\d+[,:]\d+\)?.*article_titel/, wrong);
  writeFileSync(controller, right);
}

test('create needs no database; then the project checks, tests and serves from the package', async () => {
  const tarball = await packing;
  linkPackages(join(dirname(unpacked), 'node_modules'), listDependencies('sqlite3'));
  const words = ['create', 'blog', '--use', tarball, '--no-install', '--no-git'];
  await run(process.execPath, [join(unpacked, 'dist/bin/treadle.js'), ...words], temporary);
  const project = join(temporary, 'blog');
  assert.is(JSON.parse(readText(project, 'package.json')).dependencies.treadle, `file:${tarball}`);

  const modules = join(project, 'node_modules');
  const { devDependencies } = JSON.parse(readText(project, 'package.json'));
  linkPackages(modules, [...listDependencies(), ...Object.keys(devDependencies)]);
  cpSync(unpacked, join(modules, 'treadle'), { recursive: true });
  mkdirSync(join(modules, '.bin'));
  symlinkSync('../treadle/dist/bin/treadle.js', join(modules, '.bin', 'treadle'));
  symlinkSync('../typescript/bin/tsc', join(modules, '.bin', 'tsc'));
  await checkAndTest(project);
  await visit(project);
});

/**
 * The compiled part of sqlite3 from the installed copy, packed as its authors publish it, in the folder where
 * its install script looks first. This only saves a minute and a half of compiling.
 */
async function offerBinary(folder: string): Promise<NodeJS.ProcessEnv> {
  const from = join(packageRoot, 'node_modules', 'sqlite3');
  const { version, binary } = JSON.parse(readText(from, 'package.json'));
  mkdirSync(folder);
  for (const libc of ['', 'musl', 'glibc']) {
    const platform = `${process.platform}${libc}-${process.arch}`;
    const name = `sqlite3-v${version}-napi-v${Math.max(...binary.napi_versions)}-${platform}.tar.gz`;
    await run('tar', ['-czf', join(folder, name), '-C', from, 'build/Release/node_sqlite3.node'], folder);
  }
  return { npm_config_sqlite3_local_prebuilds: folder };
}

/** Runs `npx`, `npm install` and the commands of the README with the real npm from the registry, including install scripts. */
async function installAndVisit(): Promise<void> {
  const tarball = await packing;
  const folder = join(temporary, 'by-npx');
  mkdirSync(folder);
  const env = { ...npmEnvironment, npm_config_cache: join(temporary, 'npm-cache') };
  // Install scripts do not run here, so SQLite's native part is missing: `create` must not need it. The path has a
  // prefix, because npx would take a bare path for a program.
  const words = ['--yes', '--ignore-scripts', `file:${tarball}`];
  const flags = ['--use', tarball, '--no-install', '--no-git'];
  await run('npx', [...words, 'create', 'x', ...flags], folder, env);
  assert.equal(readdirSync(folder), ['x']);
  const project = join(folder, 'x');
  // The promise rejects if npm ends with a code other than 0.
  await run('npm', ['install'], project, { ...env, ...(await offerBinary(join(temporary, 'prebuilds'))) });
  assert.ok(existsSync(join(project, 'node_modules/.bin/treadle')));
  assert.ok(existsSync(join(project, 'node_modules/sqlite3/build/Release/node_sqlite3.node')));
  await checkAndTest(project);
  await visit(project);
}

const NAME = 'npx <tarball> create, npm install, check, test and dev, by npm from the registry';
if (process.env.TREADLE_TEST_INSTALL) test(NAME, installAndVisit);
else {
  test.skip(NAME, installAndVisit);
  process.stdout.write(`skipped: ${NAME} (set TREADLE_TEST_INSTALL=1; .ci/run does)\n`);
}

test.run();
