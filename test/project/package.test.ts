import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { printProblem } from '../../src/core/errors.ts';
import { createModuleLoader } from '../../src/project/module-loader.ts';
import { findPackages, loadPackages } from '../../src/project/package.ts';
import { createFolder } from './_folder.ts';

const test = suite('project/package');

interface Owner {
  readonly name: string;
  readonly folder: string;
  readonly heard: string[];
}

async function load(files: Readonly<Record<string, string>>, names?: readonly string[]) {
  const folder = createFolder(files);
  try {
    const { packages, problems } = await loadPackages<Owner>({
      root: folder.root,
      loader: createModuleLoader({ root: folder.root, provided: {} }),
      makePackage: (name, path) => ({ name, folder: path.slice(folder.root.length), heard: [] }),
      ...(names ? { names } : {}),
    });
    return { packages: [...packages.values()], problems: problems.map(printProblem) };
  } finally {
    folder.remove();
  }
}

const hear = (word: string): string =>
  `export default function ${word}(owner: { heard: string[] }) { owner.heard.push('${word}'); }`;

test('functions are called in order, each with its package', async () => {
  const { packages, problems } = await load({
    'app/www/.treadle.ts': "import one from './src/one'; import two from './src/two'; export default [one, two];",
    'app/www/src/one.ts': hear('one'),
    'app/www/src/two.ts': hear('two'),
    'app/blog/.treadle.ts':
      'export default async (owner: { heard: string[] }) => { await null; owner.heard.push("late"); };',
    'app/plain/readme.md': '',
    'app/note.txt': '',
  });
  assert.equal(problems, []);
  assert.equal(packages, [
    { name: '/app/blog', folder: '/app/blog', heard: ['late'] },
    { name: '/app/www', folder: '/app/www', heard: ['one', 'two'] },
  ]);
});

test('a project without packages, and a choice among them', async () => {
  assert.equal(await load({ 'package.json': '{}' }), { packages: [], problems: [] });
  const files = { 'app/a/.treadle.js': hear('a').replace(': { heard: string[] }', ''), 'app/b/.treadle.ts': hear('b') };
  const { packages } = await load(files, ['/app/a']);
  assert.equal(
    packages.map(({ name }) => name),
    ['/app/a'],
  );
});

test('include files that are not what they should be', async () => {
  const { packages, problems } = await load({
    'app/a/.treadle.ts': 'export const x = 1;',
    'app/b/.treadle.ts': 'export default [() => 1, 2, null];',
    'app/c/.treadle.ts': "import './nowhere';\nexport default [];",
    'app/d/.treadle.ts': 'export default [];',
    'app/e/.treadle.cjs': 'module.exports = function () {};',
  });
  assert.equal(
    packages.map(({ name }) => name),
    ['/app/e'],
  );
  const hint = 'Write: export default [template, statics, article, events]; [PROJECT_PACKAGE_EXPORT]';
  assert.equal(problems, [
    `app/a/.treadle.ts: The package /app/a has no function as default export. ${hint}`,
    `app/b/.treadle.ts: Entry 2 of the default export of /app/b is not a function but number. ${hint}`,
    `app/b/.treadle.ts: Entry 3 of the default export of /app/b is not a function but null. ${hint}`,
    'app/c/.treadle.ts:1: There is no file "./nowhere". Check the spelling and the path; the extension may be omitted. [PROJECT_MODULE_MISSING]',
    `app/d/.treadle.ts: The package /app/d has no function as default export. ${hint}`,
  ]);
});

test('a throw and a rejection name the file and line, and the others still load', async () => {
  const { packages, problems } = await load({
    'app/a/.treadle.ts':
      "import one from './one';\nexport default [one, async function two() {\n\n  throw new Error('two');\n}];",
    'app/a/one.ts': "export default function one(): void {\n  throw new TypeError('one');\n}",
    'app/b/.treadle.ts': hear('b'),
  });
  assert.equal(
    packages.map(({ name }) => name),
    ['/app/b'],
  );
  assert.equal(problems, [
    'app/a/one.ts:2: The function one of /app/a threw TypeError: one. Correct the code there. [PROJECT_PACKAGE_THREW]',
    'app/a/.treadle.ts:4: The function two of /app/a threw Error: two. Correct the code there. [PROJECT_PACKAGE_THREW]',
  ]);
});

test('a find without loading', () => {
  const folder = createFolder({ 'app/www/.treadle.ts': 'this is not even read' });
  assert.equal(
    findPackages(folder.root).map(({ name }) => name),
    ['/app/www'],
  );
  folder.remove();
});

test('what is broken is told at once: every file that cannot be read, every entry, a folder without its include file', async () => {
  const include =
    "import one from './src/one'; import two from './src/two'; import three from './src/three'; export default [one, two, three, 5];";
  const { problems } = await load({
    'app/www/.treadle.ts': include,
    'app/www/src/one.ts': 'export default function one( {',
    'app/www/src/two.ts': hear('two'),
    'app/www/src/three.ts': 'const x == 1;',
    'app/lost/src/one.ts': hear('one'),
  });
  assert.equal(
    problems.map((problem) => problem.replace(/:.*\[/, ' [')),
    [
      'app/lost [PROJECT_PACKAGE_INCLUDE]',
      'app/www/src/one.ts [PROJECT_MODULE_SYNTAX]',
      'app/www/src/three.ts [PROJECT_MODULE_SYNTAX]',
    ],
  );
  const thrower = 'export default function bad() { throw new Error("no"); }';
  const later = await load({
    'app/www/.treadle.ts': "import bad from './src/bad'; export default [5, bad];",
    'app/www/src/bad.ts': thrower,
  });
  assert.equal(
    later.problems.map((problem) => problem.replace(/:.*\[/, ' [')),
    ['app/www/.treadle.ts [PROJECT_PACKAGE_EXPORT]', 'app/www/src/bad.ts [PROJECT_PACKAGE_THREW]'],
  );
});

test.run();
