import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Folders, run } from './run.ts';

/** The cycle of a project's workflow: write, change, see which clients break, write again. */
const docs = suite('docs --check');
const folders = new Folders();
docs.after(() => folders.remove());

interface Said {
  readonly isUpToDate: boolean;
  readonly isBreaking: boolean;
  readonly changed: string[];
  readonly removed: string[];
  readonly changes: { level: string; code: string; calls: string[]; message: string }[];
}

function editJson(file: string, edit: (data: Record<string, unknown>) => void): void {
  const data = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  edit(data);
  writeFileSync(file, `${JSON.stringify(data, null, 2)}\n`);
}

docs('tells what breaks clients, in words and as JSON, until the docs are written again', async () => {
  const cwd = folders.makeProject();
  const go = async (...more: string[]): Promise<{ code: number; said: Said; err: string }> => {
    const { code, out, err } = await run(['docs', '--out', 'docs', '--json', ...more], { cwd });
    return { code, said: JSON.parse(out) as Said, err };
  };
  await run(['api', 'populate'], { cwd });
  assert.is((await go('--check')).code, 2, 'nothing is written yet');
  const written = await go();
  assert.is(written.code, 0, written.err);
  assert.equal(written.said.changes, []);
  assert.is((await go('--check')).code, 0);
  const before = join(cwd, 'before.json');
  copyFileSync(join(cwd, 'docs/openapi.json'), before);

  // An additional field breaks no client.
  const schema = join(cwd, 'config/schema/article.json');
  editJson(schema, (data) => (data.fields as object[]).push({ name: 'subtitle', type: 'text' }));
  const added = await go('--check');
  assert.is(added.code, 2);
  assert.is(added.said.isBreaking, false);
  assert.ok(added.said.changes.some(({ code, level }) => code === 'answer-field-added' && level === 'additive'));
  assert.ok(added.said.changed.includes('openapi.json'));
  assert.is((await go()).code, 0);
  assert.is((await go('--check', '--against', 'before.json')).code, 0, 'nothing broke since');

  // A removed call and a removed field break clients.
  rmSync(join(cwd, 'config/rest/public-article-search.json'));
  editJson(schema, (data) => {
    data.fields = (data.fields as { name: string }[]).filter(({ name }) => name !== 'detail');
  });
  const broken = await go('--check');
  assert.is(broken.code, 2);
  assert.is(broken.said.isBreaking, true);
  const found = broken.said.changes.filter(({ level }) => level === 'breaking');
  assert.ok(found.some(({ code, calls }) => code === 'call-removed' && calls[0] === 'public-article-search'));
  assert.ok(found.some(({ code, message }) => code === 'answer-field-removed' && message.includes('article_detail')));
  const text = await run(['docs', '--out', 'docs', '--check'], { cwd });
  assert.match(text.out, 'breaks clients: public-article-search: the call is gone: GET /rest/public/article/search');
  assert.is((await go('--dry-run')).code, 0);
  assert.is((await go()).code, 0);
  assert.equal((await go('--check')).said.changes, []);
  const since = await go('--check', '--against', 'before.json');
  assert.is(since.code, 2, 'up to date, and yet it breaks what was out before');
  assert.is(since.said.isUpToDate, true);
});

docs('a file to compare with that is no document is said to be none', async () => {
  const cwd = folders.makeProject();
  const { code, err, out } = await run(['docs', '--out', 'docs', '--against', 'package.json'], { cwd });
  assert.is(code, 1);
  assert.match(err + out, 'package.json is not a readable OpenAPI document');
});

docs('the client is written, is up to date, and falls behind with the API', async () => {
  const cwd = folders.makeProject('bare');
  const go = (...more: string[]) => run(['client', '--out', 'src/api.ts', ...more], { cwd });
  assert.is((await go('--check')).code, 2);
  assert.is((await go('--dry-run')).code, 0);
  assert.not(existsSync(join(cwd, 'src/api.ts')));
  const { code, out, err } = await go();
  assert.is(code, 0);
  assert.match(out, 'wrote src/api.ts');
  assert.match(out + err, 'treadle client --out src/api.ts --check');
  assert.is((await go('--check')).code, 0);
  const call = {
    title: 'Search profiles',
    access: 'public',
    method: 'get',
    path: '/public/profile/search',
    event: 'system-model-search',
    parameters: { schema: 'profile' },
  };
  mkdirSync(join(cwd, 'config/rest'), { recursive: true });
  writeFileSync(join(cwd, 'config/rest/public-profile-search.json'), JSON.stringify(call));
  const { code: behind, out: said } = await go('--check', '--json');
  assert.is(behind, 2);
  assert.is((JSON.parse(said) as { isUpToDate: boolean }).isUpToDate, false);
  await go();
  assert.match(readFileSync(join(cwd, 'src/api.ts'), 'utf8'), 'publicSearchAll');
});

docs('a folder gets a package, and falls behind file by file', async () => {
  const cwd = folders.makeProject('bare');
  const go = (...more: string[]) => run(['client', '--out', 'packages/api', '--json', ...more], { cwd });
  const { code, out } = await go();
  assert.is(code, 0);
  const { files } = JSON.parse(out) as { files: string[] };
  assert.equal(files, ['README.md', 'index.ts', 'package.json', 'query.ts']);
  const manifest = JSON.parse(readFileSync(join(cwd, 'packages/api/package.json'), 'utf8'));
  assert.is(manifest.version, '0.1.0', 'the version of the project');
  assert.equal(Object.keys(manifest).includes('dependencies'), false);
  assert.is((await go('--check')).code, 0);
  rmSync(join(cwd, 'packages/api/query.ts'));
  writeFileSync(join(cwd, 'packages/api/notes.md'), 'mine');
  const behind = await go('--check');
  assert.is(behind.code, 2);
  assert.equal((JSON.parse(behind.out) as { changed: string[] }).changed, ['query.ts']);
  await go();
  assert.ok(existsSync(join(cwd, 'packages/api/notes.md')), 'other files stay');
});

docs('a Python client is a folder, whatever its name looks like', async () => {
  const cwd = folders.makeProject('bare');
  const { code, out, err } = await run(['client', '--out', 'api.py', '--target', 'python'], { cwd });
  assert.is(code, 0);
  assert.match(out, /wrote api\.py\/\w+_client\/client\.py/);
  assert.match(out + err, 'treadle client --out api.py --target python --check');
  assert.is((await run(['client', '--out', 'api.py', '--target', 'python', '--check'], { cwd })).code, 0);
});

docs('a client as a package never replaces what the project itself has', async () => {
  const cwd = folders.makeProject('bare');
  const before = readFileSync(join(cwd, 'package.json'), 'utf8');
  for (const target of ['typescript', 'python']) {
    const { code, err } = await run(['client', '--out', '.', '--target', target], { cwd });
    assert.is(code, 64);
    assert.match(err, 'is the folder of the project itself');
  }
  assert.is(readFileSync(join(cwd, 'package.json'), 'utf8'), before);
});

docs('a data provider is one file, by name or in a folder', async () => {
  const cwd = folders.makeProject();
  await run(['api', 'populate'], { cwd });
  const go = (out: string, ...more: string[]) => run(['client', '--out', out, ...more], { cwd });
  for (const target of ['react-admin', 'refine']) {
    assert.is((await go(`src/${target}.ts`, '--target', target)).code, 0);
    assert.match(readFileSync(join(cwd, `src/${target}.ts`), 'utf8'), 'createDataProvider');
  }
  const { out, err } = await go('admin', '--target', 'refine', '--access', 'public');
  assert.match(out, 'wrote admin/data-provider.ts');
  assert.match(out + err, 'treadle client --out admin --target refine --access public --check');
  assert.match(readFileSync(join(cwd, 'admin/data-provider.ts'), 'utf8'), '/rest/public/article/search');
  assert.is((await go('admin', '--target', 'angular')).code, 64);
});

docs('the workflow of both scaffolds runs it', () => {
  for (const template of ['blog', 'bare']) {
    const workflow = readFileSync(
      new URL(`../../scaffold/${template}/.github/workflows/docs.yml`, import.meta.url),
      'utf8',
    );
    assert.match(workflow, 'npx treadle docs --out docs --check');
    assert.match(workflow, '--against');
  }
});

docs.run();
