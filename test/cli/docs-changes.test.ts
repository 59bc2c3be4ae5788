import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findNextVersion, isRaised } from '../../src/cli/docs/version.ts';
import type { Change } from '../../src/edit/api-change/change.ts';
import { Folders, run } from './run.ts';

/** `treadle docs --changes`: what a release breaks and adds, and the version that it asks for. */
const changes = suite('docs --changes');
const folders = new Folders();
changes.after(() => folders.remove());

interface Said {
  readonly isBreaking: boolean;
  readonly changes: readonly { readonly level: string; readonly code: string; readonly calls: readonly string[] }[];
  readonly version: { readonly before?: string; readonly now?: string; readonly asks?: string };
}

function git(cwd: string, ...words: string[]): void {
  const who = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', '-c', 'commit.gpgsign=false'];
  const { status, stderr } = spawnSync('git', [...who, ...words], { cwd, encoding: 'utf8' });
  assert.is(status, 0, stderr);
}

function editJson(file: string, edit: (data: Record<string, unknown>) => void): void {
  const data = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  edit(data);
  writeFileSync(file, `${JSON.stringify(data, null, 2)}\n`);
}

const toChanges = (...levels: Change['level'][]): Change[] =>
  levels.map((level) => ({ level, code: 'x', calls: ['a'], place: '', message: '' }));

const BREAKS = toChanges('breaking', 'additive');
const ADDS = toChanges('risky', 'additive');
const MAY = toChanges('risky');

for (const [before, found, wanted] of [
  ['1.4.2', BREAKS, '2.0.0'],
  ['1.4.2', ADDS, '1.5.0'],
  ['1.4.2', MAY, '1.4.3'],
  ['1.4.2', [], '1.4.2'],
  ['0.4.2', BREAKS, '0.5.0'],
  ['0.4.2', ADDS, '0.4.3'],
  ['2.0.0-beta.1', BREAKS, '3.0.0'],
  [undefined, BREAKS, undefined],
  ['next', BREAKS, undefined],
] as const) {
  changes(`${before} with ${found.map(({ level }) => level).join(', ') || 'nothing'} becomes ${wanted}`, () => {
    assert.is(findNextVersion(before, found), wanted);
  });
}

for (const [has, needs, wanted] of [
  ['2.0.0', '2.0.0', true],
  ['1.9.9', '2.0.0', false],
  ['2.0.1', '2.0.0', true],
  ['10.0.0', '9.0.0', true],
  ['1.10.0', '1.9.0', true],
  [undefined, '1.0.0', false],
] as const) {
  changes(`${has} ${wanted ? 'is' : 'is not'} at least ${needs}`, () => assert.is(isRaised(has, needs), wanted));
}

changes('tells what breaks and what is new since a revision, and holds back until the version is raised', async () => {
  const cwd = folders.makeProject();
  // The project is a folder of a larger repository.
  git(dirname(cwd), 'init', '--quiet');
  await run(['api', 'populate'], { cwd });
  git(dirname(cwd), 'add', '.');
  git(dirname(cwd), 'commit', '--quiet', '-m', 'first');
  git(dirname(cwd), 'tag', 'v1');
  const go = async (): Promise<{ code: number; said: Said }> => {
    const { code, out, err } = await run(['docs', '--changes', 'v1', '--json'], { cwd });
    assert.is(err, '');
    return { code, said: JSON.parse(out) as Said };
  };
  assert.equal((await go()).said.changes, []);

  const schema = join(cwd, 'config/schema/article.json');
  editJson(schema, (data) => (data.fields as object[]).push({ name: 'subtitle', type: 'text' }));
  const added = await go();
  assert.is(added.code, 0);
  assert.is(added.said.version.asks, '0.1.1');
  assert.ok(added.said.changes.some(({ code }) => code === 'answer-field-added'));

  rmSync(join(cwd, 'config/rest/public-article-search.json'));
  const broken = await go();
  assert.is(broken.code, 2);
  assert.ok(
    broken.said.changes.some(({ code, calls }) => code === 'call-removed' && calls[0] === 'public-article-search'),
  );
  assert.equal(broken.said.version, { before: '0.1.0', now: '0.1.0', asks: '0.2.0' });
  const text = await run(['docs', '--changes', 'v1'], { cwd });
  assert.match(text.out, 'ask for 0.2.0; it is still there. Raise "version" in package.json');

  editJson(join(cwd, 'package.json'), (data) => {
    data.version = '0.2.0';
  });
  assert.is((await go()).code, 0, 'the version says that it breaks');
  const { out } = await run(['docs', '--out', 'docs', '--json'], { cwd });
  assert.ok(out);
  const document = JSON.parse(readFileSync(join(cwd, 'docs/openapi.json'), 'utf8')) as { info: { version: string } };
  assert.is(document.info.version, '0.2.0', 'the document has the version of package.json');
});

changes('code of the revision never runs', async () => {
  const cwd = folders.makeProject('bare');
  const file = join(cwd, 'app/www/.treadle.ts');
  const whole = readFileSync(file, 'utf8');
  git(cwd, 'init', '--quiet');
  writeFileSync(file, "throw new Error('This ran.');\n");
  git(cwd, 'add', '.');
  git(cwd, 'commit', '--quiet', '-m', 'first');
  writeFileSync(file, whole);
  const { code, out } = await run(['docs', '--changes', 'HEAD'], { cwd });
  assert.is(code, 0);
  assert.match(out, 'The API is the same as in HEAD.');
});

for (const [name, words, wanted] of [
  ['a revision that is none', ['--changes', 'nothing'], 'git does not read nothing'],
  ['an option of git', ['--changes', '--all'], ''],
  ['a folder beside it', ['--changes', 'HEAD', '--out', 'docs'], '--out does not go with --changes.'],
  ['a check beside it', ['--changes', 'HEAD', '--check'], '--check does not go with --changes.'],
] as const) {
  changes(`refuses ${name}`, async () => {
    const cwd = folders.makeProject('bare');
    git(cwd, 'init', '--quiet');
    const { code, err, out } = await run(['docs', ...words], { cwd });
    assert.ok(code === 1 || code === 64, String(code));
    assert.match(err + out, wanted);
  });
}

changes('a folder without a repository, and one whose definitions were broken, say so', async () => {
  const cwd = folders.makeProject('bare');
  const none = await run(['docs', '--changes', 'HEAD'], { cwd });
  assert.is(none.code, 1);
  assert.match(none.err, 'git does not read HEAD');
  git(cwd, 'init', '--quiet');
  const schema = join(cwd, 'config/schema/profile.json');
  const whole = readFileSync(schema, 'utf8');
  editJson(schema, (data) => {
    data.fields = 'none';
  });
  git(cwd, 'add', '.');
  git(cwd, 'commit', '--quiet', '-m', 'broken');
  writeFileSync(schema, whole);
  const broken = await run(['docs', '--changes', 'HEAD'], { cwd });
  assert.is(broken.code, 5);
  assert.match(broken.err, 'HEAD:config/schema/profile.json');
});

changes.run();
