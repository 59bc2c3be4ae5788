import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Prompt } from '../../src/cli/prompt.ts';
import { Folders, run } from './run.ts';

/** Questions ask again where an answer would be refused. */
const test = suite('cli/wizard');
const folders = new Folders();
test.after(() => folders.remove());

/** Answers as a person does who types the next answer where one is refused. */
function createTyping(answers: readonly unknown[]): Prompt & { readonly refused: [string, string][] } {
  const left = [...answers];
  const refused: [string, string][] = [];
  const take = (message: string): unknown => {
    if (left.length === 0) throw new Error(`Nobody answers: ${message}`);
    return left.shift();
  };
  const next = async (message: string): Promise<never> => take(message) as never;
  return {
    refused,
    async text(message, { check } = {}) {
      for (;;) {
        const typed = String(take(message));
        const fault = typed === '' ? undefined : await check?.(typed);
        if (fault === undefined) return typed;
        refused.push([typed, fault]);
      }
    },
    password: next,
    choice: next,
    search: next,
    several: next,
    confirm: next,
  };
}

interface Case {
  readonly title: string;
  readonly argv: readonly string[];
  readonly answers: readonly unknown[];
  /** The refused answers, each with a part of what is said. */
  readonly refused: readonly (readonly [string, string])[];
  readonly file: string;
}

const CASES: readonly Case[] = [
  {
    title: 'a call',
    argv: ['rest', 'create'],
    answers: [
      ...['public-article-search', 'Zz', 'zz', 'F', 'public', 'get'],
      ...['bad path', 'p', '/rest/access', '/p/:a/:a', '/public/Article/search', '/public/zz'],
      ...['system-model-serch', 'nope', 'system-model-search'],
    ],
    refused: [
      ['public-article-search', 'config/rest/public-article-search.json already exists.'],
      ['Zz', 'starts with a lower case letter'],
      ['bad path', 'must start with one "/"'],
      ['p', 'must start with one "/"'],
      ['/rest/access', 'where apps get their tokens'],
      ['/p/:a/:a', 'names the parameter ":a" twice'],
      ['/public/Article/search', 'Another call answers get'],
      ['system-model-serch', 'Did you mean "system-model-search"?'],
      ['nope', 'Nothing listens to "nope"'],
    ],
    file: 'config/rest/zz.json',
  },
  {
    title: 'a web hook on rows',
    argv: ['webhook', 'create'],
    answers: [
      ...['article.created', 'ftp://x', 'https://example.org/hook'],
      ...['in-code', 'made', 'Made', 'created', 'article.created'],
    ],
    refused: [
      ['ftp://x', 'http'],
      ['in-code', "The project's code has a web hook of that name"],
      ['created', 'words with a dot between'],
    ],
    file: 'config/webhook/made.json',
  },
  {
    title: 'a web hook on another event',
    argv: ['webhook', 'create'],
    answers: ['other', '', 'paid', 'Paid', 'system-model-creat', 'invoice-pay', 'invoice.paid'],
    refused: [['system-model-creat', 'Did you mean "system-model-create"?']],
    file: 'config/webhook/paid.json',
  },
  {
    title: 'a scope',
    argv: ['scope', 'create'],
    answers: ['a b', 'read', 'Read', []],
    refused: [['a b', 'starts with a lower case letter']],
    file: 'config/scope/read.json',
  },
  {
    title: 'a role',
    argv: ['role', 'create'],
    answers: ['editor', 'foo:/x', 'get', 'get:/staff/**'],
    refused: [
      ['foo:/x', 'does not start with a method'],
      ['get', 'is not a path'],
    ],
    file: 'config/role/editor.json',
  },
  {
    title: 'an app',
    argv: ['app', 'create'],
    answers: ['reader', 'Reader', 'nope', 'https://example.org/callback'],
    refused: [['nope', 'It ']],
    file: 'config/app/reader.json',
  },
  {
    title: 'a copy',
    argv: ['rest', 'copy'],
    answers: ['public-article-search', 'public-article-detail', 'other'],
    refused: [['public-article-detail', 'already exists']],
    file: '',
  },
  {
    title: 'another name of a schema',
    argv: ['schema', 'rename', 'article'],
    answers: ['profile', 'post', true],
    refused: [['profile', 'config/schema/profile.json already exists.']],
    file: 'config/schema/post.json',
  },
  {
    title: 'a schema',
    argv: ['schema', 'create'],
    answers: ['article', 'task', 'Task', 'Tasks', '', '', '', true],
    refused: [['article', 'config/schema/article.json already exists.']],
    file: 'config/schema/task.json',
  },
];

for (const { title, argv, answers, refused, file } of CASES) {
  test(title, async () => {
    const root = folders.makeProject();
    const include = join(root, 'app/www/.treadle.ts');
    const code = `const inCode = (app: any) => app.webhook({ name: 'in-code', type: 'a.b', event: 'invoice-pay' });\n`;
    writeFileSync(
      include,
      code + readFileSync(include, 'utf8').replace('export default [', 'export default [inCode, '),
    );
    const prompt = createTyping(answers);
    const { code: exit, out, err } = await run(argv, { cwd: root, isTTY: true, prompt });
    const told = prompt.refused.map(([typed, fault], index) => [
      typed,
      fault.includes(refused[index]?.[1] ?? '\u0000'),
    ]);
    assert.equal(
      told,
      refused.map(([typed]) => [typed, true]),
      JSON.stringify(prompt.refused, null, 2) + err,
    );
    if (file === '') return;
    assert.is(exit, 0, out + err);
    assert.ok(existsSync(join(root, file)));
  });
}

test.run();
