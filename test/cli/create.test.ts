import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findManager } from '../../src/cli/create/install.ts';
import { TEMPLATES, toPackageName } from '../../src/cli/create/template.ts';
import { packageRoot, packageVersion } from '../../src/core/file/package-root.ts';
import { Folders, run } from './run.ts';

const folders = new Folders();
const test = suite('cli/create');
test.after(() => folders.remove());

const readPackage = (root: string) => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

test('the blog has the layout of the contract', async () => {
  const cwd = folders.make();
  const { code, err } = await run(['create', 'My Blog', '--no-install', '--no-git'], { cwd });
  assert.is(code, 0, err);
  const root = join(cwd, 'My Blog');
  const files = `package.json tsconfig.json .gitignore README.md .env .env.example config/settings.json
    config/schema/article.json config/schema/comment.json config/schema/profile.json
    config/rest/public-article-search.json config/rest/public-article-detail.json config/rest/public-profile-search.json
    app/www/.treadle.ts app/www/src/bootstrap/template.ts app/www/src/controller/static.ts app/www/src/controller/article.ts
    app/www/src/events.ts app/www/src/template/_page.html app/www/src/template/article/search.html
    app/www/src/template/article/detail.html public/styles/app.css fixture/article.ndjson fixture/comment.ndjson
    fixture/profile.ndjson .github/workflows/docs.yml`.split(/\s+/);
  for (const file of files) assert.ok(existsSync(join(root, file)), file);
  assert.is(readPackage(root).name, 'my-blog');
  assert.is(readPackage(root).type, 'module');
  assert.is(readPackage(root).dependencies.treadle, `^${packageVersion}`);
  assert.equal(readPackage(root).allowScripts, { esbuild: false, fsevents: false, sqlite3: true, treadle: false });
  const settings = JSON.parse(readFileSync(join(root, 'config/settings.json'), 'utf8'));
  assert.is(settings.name, 'My blog');
  assert.is(settings.home, '/articles');
  assert.match(readFileSync(join(root, '.env'), 'utf8'), /^TREADLE_SECRET=[\w-]{43}$/m);
  assert.is(statSync(join(root, '.env')).mode & 0o777, 0o600);
  assert.match(readFileSync(join(root, '.gitignore'), 'utf8'), /^\.env$/m);
  assert.match(err, /cd 'My Blog'\n {2}npm install\n {2}npm run dev/);
  assert.equal(readdirSync(cwd), ['My Blog']);
});

test('a project checks with the compiler and packages that Treadle itself is checked with', () => {
  const own = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')).devDependencies;
  for (const template of TEMPLATES) {
    const made = JSON.parse(readFileSync(join(packageRoot, 'scaffold', template, '_package.json'), 'utf8'));
    for (const [name, range] of Object.entries(made.devDependencies)) assert.is(range, own[name], name);
  }
});

test('no brace of ours is left, and Handlebars keep theirs', async () => {
  const root = folders.makeProject();
  for (const file of ['package.json', 'README.md', 'config/settings.json']) {
    assert.not.match(readFileSync(join(root, file), 'utf8'), '{{');
  }
  assert.match(readFileSync(join(root, 'app/www/src/template/_page.html'), 'utf8'), '{{title}}');
});

test('every secret is another', async () => {
  const cwd = folders.make();
  const secrets = [];
  for (const name of ['a', 'b']) {
    await run(['create', name, '--no-install', '--no-git', '--template', 'bare'], { cwd });
    secrets.push(readFileSync(join(cwd, name, '.env'), 'utf8'));
  }
  assert.is.not(secrets[0], secrets[1]);
});

test('the bare template checks out too', async () => {
  const cwd = folders.make();
  assert.is((await run(['create', 'x', '--template', 'bare', '--no-install', '--no-git'], { cwd })).code, 0);
  const { code, out } = await run(['schema', 'list', '--cwd', 'x', '--json'], { cwd });
  assert.is(code, 0);
  assert.equal(
    JSON.parse(out).map(({ name }: { name: string }) => name),
    ['profile'],
  );
});

test('a folder that is not empty is refused, an empty one or one with only .git is taken', async () => {
  const cwd = folders.make();
  mkdirSync(join(cwd, 'full'));
  writeFileSync(join(cwd, 'full', 'notes.txt'), 'mine');
  const { code, err } = await run(['create', 'full', '--no-install', '--no-git'], { cwd });
  assert.is(code, 1);
  assert.match(err, 'notes.txt is in it');
  assert.equal(readdirSync(join(cwd, 'full')), ['notes.txt']);
  mkdirSync(join(cwd, 'empty', '.git'), { recursive: true });
  assert.is((await run(['create', 'empty', '--no-install', '--no-git'], { cwd })).code, 0);
  assert.is((await run(['create', '.', '--no-install', '--no-git'], { cwd: folders.make() })).code, 0);
});

test('--use takes a tarball or a folder by its absolute path, and anything else as it is', async () => {
  const cwd = folders.make();
  writeFileSync(join(cwd, 'treadle.tgz'), '');
  for (const [use, wanted] of [
    ['./treadle.tgz', `file:${join(cwd, 'treadle.tgz')}`],
    ['treadle.tgz', `file:${join(cwd, 'treadle.tgz')}`],
    ['0.2.0', '0.2.0'],
    ['treadle@next', 'next'],
  ] as const) {
    const name = `p${readdirSync(cwd).length}`;
    assert.is((await run(['create', name, '--use', use, '--no-install', '--no-git'], { cwd })).code, 0);
    assert.is(readPackage(join(cwd, name)).dependencies.treadle, wanted);
  }
  assert.is((await run(['create', 'q', '--use', './gone.tgz', '--no-install', '--no-git'], { cwd })).code, 1);
  assert.not(existsSync(join(cwd, 'q')));
});

test('a dry run lists the files and writes none', async () => {
  const cwd = folders.make();
  const { out } = await run(['create', 'x', '--dry-run'], { cwd });
  assert.match(out, 'would write app/www/.treadle.ts');
  assert.equal(readdirSync(cwd), []);
});

test('git init makes a repository that ignores .env', async () => {
  const cwd = folders.make();
  const env = { PATH: process.env.PATH, HOME: cwd };
  await run(['create', 'x', '--no-install'], { cwd, env });
  const status = execFileSync('git', ['status', '--porcelain', '-uall'], { cwd: join(cwd, 'x'), env }).toString();
  assert.match(status, '?? .env.example');
  assert.not.match(status, /\?\? \.env$/m);
});

/** An environment in which npm is this shell script. */
function fakeNpm(script: string): Record<string, string | undefined> {
  const folder = folders.make();
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: `${folder}:${process.env.PATH}`, HOME: folder };
}

test('installs dependencies with the npm of the machine', async () => {
  const cwd = folders.make();
  const { code, err } = await run(['create', 'x'], { cwd, env: fakeNpm('echo "$@" > asked; test -f package.json') });
  assert.is(code, 0, err);
  assert.is(readFileSync(join(cwd, 'x', 'asked'), 'utf8'), 'install\n');
  assert.match(err, 'Next:\n  cd x\n  npm run dev');
});

test('where the installation fails, the project stays and the command says what to type', async () => {
  const cwd = folders.make();
  const { code, err } = await run(['create', 'x', '--no-git'], { cwd, env: fakeNpm('exit 7') });
  assert.is(code, 1);
  assert.match(err, `"npm install" failed. Run it again in ${join(cwd, 'x')}`);
  assert.ok(existsSync(join(cwd, 'x', 'config', 'settings.json')));
});

test('Ctrl-C takes away what was written, and nothing that was there before', async () => {
  const cwd = folders.make();
  const env = fakeNpm('mkdir node_modules; kill -INT $$');
  const { code, err } = await run(['create', 'x', '--no-git'], { cwd, env });
  assert.is(code, 130);
  assert.match(err, 'Interrupted.');
  assert.equal(readdirSync(cwd), []);
  mkdirSync(join(cwd, '.git'));
  writeFileSync(join(cwd, '.git', 'config'), 'mine');
  assert.is((await run(['create', '.'], { cwd, env })).code, 130);
  assert.equal(readdirSync(cwd), ['.git']);
  assert.is(readFileSync(join(cwd, '.git', 'config'), 'utf8'), 'mine');
});

test('names of packages and managers', () => {
  assert.is(toPackageName('My Blog!'), 'my-blog');
  assert.is(toPackageName('.hidden'), 'hidden');
  assert.is(toPackageName('été'), 't');
  assert.is(toPackageName('***'), 'my-site');
  assert.is(findManager('pnpm/9.1.0 npm/? node/v20'), 'pnpm');
  assert.is(findManager('other/1.0'), 'npm');
  assert.is(findManager(undefined), 'npm');
});

test.run();
