import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAnswers, Folders, run } from './run.ts';

/** Commands write nothing that `check` refuses. */
const test = suite('cli/refused');
const folders = new Folders();
test.after(() => folders.remove());

/** All definitions, by file. */
function readAll(root: string): Record<string, string> {
  const config = join(root, 'config');
  const files = readdirSync(config, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(config, file), 'utf8')]));
}

const REST = ['rest', 'create', 'z', '--title', 'F', '--access', 'public', '--method', 'get', '--path', '/p'];
const HOOK = ['webhook', 'create', 'w', '--title', 'T', '--type', 'article.x'];

for (const [title, words] of [
  [
    'a filter by an unknown column',
    [
      ...REST,
      '--event',
      'system-model-search',
      '--parameter',
      'schema=article',
      '--parameter',
      'filter.article_nope=1',
    ],
  ],
  ['a misspelt event of a call', [...REST, '--event', 'system-model-serch']],
  ['a misspelt event of a hook', [...HOOK, '--event', 'system-model-creat', '--parameter', 'schema=article']],
] as const) {
  test(`${title} is refused with 5, and nothing is written`, async () => {
    const root = folders.makeProject();
    const before = readAll(root);
    for (const more of [[], ['--dry-run'], ['--json']]) {
      const { code, out, err } = await run([...words, ...more], { cwd: root });
      assert.is(code, 5, out + err);
      assert.equal(readAll(root), before);
    }
    assert.is((await run(['check'], { cwd: root })).code, 0);
  });
}

test('what the project has already stops no other edit', async () => {
  const root = folders.makeProject();
  const file = join(root, 'config/rest/public-article-search.json');
  const call = JSON.parse(readFileSync(file, 'utf8'));
  const { writeFileSync } = await import('node:fs');
  writeFileSync(file, `${JSON.stringify({ ...call, event: 'system-model-serch' }, null, 2)}\n`);
  assert.is((await run(['check'], { cwd: root })).code, 5);
  for (const words of [
    ['schema', 'create', 'hat', '--field', 'size:number'],
    ['rest', 'rename', 'public-article-search', 'public-find'],
    ['rest', 'remove', 'public-profile-search'],
  ]) {
    const { code, out, err } = await run(words, { cwd: root });
    assert.is(code, 0, out + err);
  }
  assert.ok(existsSync(join(root, 'config/rest/public-find.json')));
});

test('a no is an answer: nothing is changed, and it is not called an interruption', async () => {
  const root = folders.makeProject();
  const before = readAll(root);
  const { code, err } = await run(['schema', 'remove', 'article'], {
    cwd: root,
    isTTY: true,
    prompt: createAnswers([false]),
  });
  assert.is(code, 1);
  assert.match(err, 'Nothing was changed.');
  assert.not.match(err, 'Interrupted');
  assert.equal(readAll(root), before);
});

test.run();
