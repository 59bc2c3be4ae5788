import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isError } from '../../src/core/errors.ts';
import { createAnswers, Folders, run } from './run.ts';

const folders = new Folders();
const test = suite('cli/definition-rename');
test.after(() => folders.remove());

const readText = (root: string, file: string): string => readFileSync(join(root, file), 'utf8');
const read = (root: string, file: string): Record<string, unknown> => JSON.parse(readText(root, file));

/** Every file of a project with its bytes. */
function readAll(root: string): Map<string, string> {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    statSync(join(root, file)).isFile(),
  );
  return new Map(files.sort().map((file) => [file, readText(root, file)] as const));
}

async function runAll(root: string, lines: readonly string[]): Promise<void> {
  for (const line of lines) {
    const { code, err, out } = await run(line.split(' '), { cwd: root });
    assert.is(code, 0, `treadle ${line}\n${out}${err}`);
  }
}

/** No definition is broken; code may still name what was removed, which is a warning. */
async function checkClean(root: string): Promise<void> {
  const { out } = await run(['check', '--json'], { cwd: root });
  assert.equal(JSON.parse(out).problems.filter(isError), []);
}

/** A rename and its reverse leave every byte unchanged; in between, `check` finds no problem. */
const THERE_AND_BACK: readonly (readonly [string, string])[] = [
  ['schema rename article post --code', 'schema rename post article --code'],
  ['schema rename comment remark --code', 'schema rename remark comment --code'],
  ['schema rename article blog-post --code --paths', 'schema rename blog-post article --code --paths'],
  ['field rename article title headline --code', 'field rename article headline title --code'],
  ['field rename comment detail text --code', 'field rename comment text detail --code'],
  ['field rename profile name nick --code', 'field rename profile nick name --code'],
  ['relation rename article comment remark', 'relation rename article remark comment'],
  ['rest rename public-article-search find', 'rest rename find public-article-search'],
  ['rest rename user-profile-detail me', 'rest rename me user-profile-detail'],
  ['scope rename profile_read see', 'scope rename see profile_read'],
  ['webhook rename profile-created born', 'webhook rename born profile-created'],
  ['app rename reader browser', 'app rename browser reader'],
  ['role rename editor author', 'role rename author editor'],
  ['fieldset rename address place', 'fieldset rename place address'],
  ['field rename fieldset/address zip code', 'field rename fieldset/address code zip'],
];

async function makeFull(): Promise<string> {
  const root = folders.makeProject();
  await runAll(root, [
    'api populate',
    'role create editor --permission all:/admin/system/model/article/**',
    'app create reader --title Reader --scope profile_read --hook profile-created --webhook https://example.org/h',
    'fieldset create address --field zip:text --field city:text',
    'field add article place --type fieldset --fieldset address --before active',
  ]);
  return root;
}

const withoutFormer = (files: unknown): unknown =>
  JSON.parse(
    JSON.stringify(files)
      .replaceAll(/ *\\"was\\": \\"[a-z_-]+\\",?\\n/g, '')
      .replaceAll(/,(\\n *\})/g, '$1'),
  );

for (const [there, back] of THERE_AND_BACK) {
  test(`treadle ${there}, and back`, async () => {
    const root = await makeFull();
    const before = readAll(root);
    assert.is((await run([...there.split(' '), '--dry-run'], { cwd: root })).code, 0);
    assert.equal(readAll(root), before, 'a dry run writes nothing');
    await runAll(root, [there]);
    assert.not.equal(readAll(root), before);
    await checkClean(root);
    await runAll(root, [back]);
    // A database that was migrated in between has the other name: only `was` records it.
    assert.equal(withoutFormer(readAll(root)), withoutFormer(before));
  });
}

test('a schema: its file, its fixture, what names it; code is listed and left', async () => {
  const root = await makeFull();
  const code = readText(root, 'app/www/src/controller/article.ts');
  const { out } = await run(['schema', 'rename', 'article', 'post'], { cwd: root });
  assert.match(out, 'renamed config/schema/article.json to config/schema/post.json');
  assert.match(out, 'renamed fixture/article.ndjson to fixture/post.ndjson');
  assert.match(out, "app/www/src/controller/article.ts:13  schema: 'article',");
  assert.match(out, '2 calls keep their paths');
  assert.is(readText(root, 'app/www/src/controller/article.ts'), code);
  assert.not(existsSync(join(root, 'config/schema/article.json')));
  assert.is(read(root, 'config/rest/public-article-detail.json').path, '/public/article/detail/:post_id');
  assert.match(readText(root, 'app/www/src/template/article/detail.html'), '{{{item.post_detail}}}');
  assert.match(readText(root, 'config/role/editor.json'), '/admin/system/model/post/**');
  assert.match(readText(root, 'fixture/comment.ndjson'), '{"post_id":1,');
});

test('a hook keeps its secret under another name', async () => {
  const root = await makeFull();
  const before = (await run(['webhook', 'secret', 'profile-created'], { cwd: root })).out;
  const { out } = await run(['webhook', 'rename', 'profile-created', 'born'], { cwd: root });
  assert.match(out, 'Its signing secret stays');
  assert.is((await run(['webhook', 'secret', 'born'], { cwd: root })).out, before);
  const app = (await run(['webhook', 'secret', 'born', '--app', 'reader'], { cwd: root })).out;
  assert.is.not(app, before);
  await runAll(root, ['webhook update born --unset secret-name']);
  assert.is.not((await run(['webhook', 'secret', 'born'], { cwd: root })).out, before);
});

const REFUSED: readonly (readonly [string, number, RegExp])[] = [
  ['schema rename artcle post', 64, /Did you mean "article"/],
  ['schema rename article comment', 1, /config\/schema\/comment.json already exists/],
  ['schema rename profile person', 64, /schema update profile --singular/],
  ['schema rename article app', 5, /may not be named "app"/],
  ['schema rename article Post', 5, /must start with a lower case letter/],
  ['field rename article titel x', 64, /Did you mean "title"/],
  ['field rename article title slug', 1, /already has a field "slug"/],
  ['field rename article title id', 5, /it is the primary key/],
  ['relation rename article coment x', 64, /Did you mean "comment"|There is only comment/],
  ['rest rename public-article-search public-article-detail', 1, /already exists/],
  ['rest rename public-article-search', 64, /argument <new> is missing/],
];

test('what cannot be is refused, and nothing is written', async () => {
  const root = await makeFull();
  const before = readAll(root);
  for (const [line, code, message] of REFUSED) {
    const result = await run(line.split(' '), { cwd: root });
    assert.is(result.code, code, line);
    assert.match(result.err, message);
  }
  assert.equal(readAll(root), before);
});

test('what was broken before stops no rename, and is told of', async () => {
  const root = await makeFull();
  writeFileSync(join(root, 'config/rest/broken.json'), '{');
  const { code, out } = await run(['schema', 'rename', 'article', 'post'], { cwd: root });
  assert.is(code, 0);
  assert.match(out, 'config/rest/broken.json is broken and was not checked.');
});

test('as JSON: files, what is left, what to know', async () => {
  const root = await makeFull();
  const { out } = await run(['field', 'rename', 'article', 'title', 'headline', '--json', '--dry-run'], { cwd: root });
  const told = JSON.parse(out);
  assert.is(told.isDryRun, true);
  const [first] = told.files;
  assert.equal([first.file, first.change], ['config/schema/article.json', 'changed']);
  assert.ok(first.diff.some((line: string) => line.includes('+       "was": "title"')));
  assert.ok(told.left.every((each: { line: number }) => each.line > 0));
  assert.ok(told.notes.some((note: string) => note.includes('article_title is article_headline from now on')));
});

test('a person chooses what to rename, and may think better of it', async () => {
  const root = await makeFull();
  const before = readAll(root);
  const no = createAnswers(['article', 'title', 'headline', false]);
  assert.is((await run(['field', 'rename'], { cwd: root, isTTY: true, prompt: no })).code, 1);
  assert.equal(readAll(root), before);
  const yes = createAnswers(['article', 'title', 'headline', true]);
  const { code, err } = await run(['field', 'rename'], { cwd: root, isTTY: true, prompt: yes });
  assert.is(code, 0);
  assert.match(err, 'treadle field rename article title headline');
});

test('removal names what would break; --cascade takes it too, and the project stays whole', async () => {
  const root = await makeFull();
  const before = readAll(root);
  const refused = await run(['schema', 'remove', 'article', '--json'], { cwd: root });
  assert.is(refused.code, 5);
  const { problems } = JSON.parse(refused.out) as { problems: { code: string; file: string; line: number }[] };
  assert.ok(problems.length >= 3 && problems.every(({ code, line }) => code === 'CLI_REFERENCE_LEFT' && line > 0));
  assert.equal(readAll(root), before);
  const { code, out } = await run(['schema', 'remove', 'article', '--cascade'], { cwd: root });
  assert.is(code, 0);
  assert.match(out, 'The table and its rows stay in the database. To drop it: treadle migrate --allow-loss');
  assert.match(out, 'removed config/rest/public-article-search.json');
  assert.match(out, "app/www/src/controller/article.ts:13  schema: 'article',");
  await checkClean(root);
});

test('a person is shown what names it, and asked', async () => {
  const root = await makeFull();
  const before = readAll(root);
  const no = createAnswers([false]);
  const refused = await run(['field', 'remove', 'article', 'title'], { cwd: root, isTTY: true, prompt: no });
  assert.is(refused.code, 1);
  assert.match(refused.err, /config\/schema\/article.json:\d+ display names article_title/);
  assert.equal(readAll(root), before);
  const yes = createAnswers([true]);
  const done = await run(['field', 'remove', 'article', 'title'], { cwd: root, isTTY: true, prompt: yes });
  assert.is(done.code, 0);
  assert.match(done.out, 'The column article_title and its values stay');
  await checkClean(root);
});

test.run();
