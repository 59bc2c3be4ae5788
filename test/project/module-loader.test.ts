import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { printProblem } from '../../src/core/errors.ts';
import { createModuleCache, createModuleLoader, type ModuleCache } from '../../src/project/module-loader.ts';
import { createFolder } from './_folder.ts';

const test = suite('project/module-loader');

/** Loads `main.ts` of a folder with these files; returns its exports, or the printed problem. */
function load(files: Readonly<Record<string, string>>, provided: object = {}): unknown {
  const folder = createFolder(files);
  try {
    const result = createModuleLoader({ root: folder.root, provided }).load('main.ts');
    return result.isLoaded ? result.exports : printProblem(result.problem).replaceAll(folder.root, '<root>');
  } finally {
    folder.remove();
  }
}

const toDefault = (exports: unknown): unknown => (exports as { default: unknown }).default;

test('TypeScript, without types and without a build', () => {
  const main = `import type { Gone } from './gone';
import { add } from './src/sum';
class Box { constructor(readonly value: number) {} count?: number; }
const list: Gone[] = [];
export default { sum: add(1, 2) satisfies number, box: new Box(3).value, list } as const;`;
  const exports = load({
    'main.ts': main,
    'src/sum.ts': 'export function add(a: number, b: number): number { return a + b; }',
  });
  assert.equal(toDefault(exports), { sum: 3, box: 3, list: [] });
});

test('every extension that may be left out, folders, hidden files, and `.js` for `.ts`', () => {
  const exports = load({
    'main.ts': `import a from './a'; import b from './b'; import c from './c'; import d from './d'; import e from './e';
import f from './.hidden'; import g from './g.js'; import h from './h.json'; import i from '.'; import j from './dir/';
export default [a, b, c, d, e, f, g, h.x, i, j];`,
    'a.ts': "export default 'a' as string;",
    'b.js': "export default 'b';",
    'c.mjs': "export default 'c';",
    'd.cjs': "module.exports = 'd';",
    'e/index.ts': "export default 'e';",
    '.hidden.ts': "export default 'f';",
    'g.ts': "export default 'g';",
    'h.json': '{ "x": "h" }',
    'index.ts': "export default 'i';",
    'dir/index.ts': "export default 'j';",
    'dir.ts': "export default 'wrong';",
  });
  assert.equal(toDefault(exports), ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']);
});

test('`treadle` is what runs; nothing below it is public', () => {
  const provided = { Request: class Request {} };
  const named = load({ 'main.ts': "import { Request } from 'treadle'; export default Request;" }, provided);
  assert.is(toDefault(named), provided.Request);
  const lazy = load({ 'main.ts': "export default () => import('treadle');" }, provided);
  assert.type(toDefault(lazy), 'function');
  assert.is(
    load({ 'main.ts': "const one = 1;\nimport x from 'treadle/src/core';\nexport default [one, x];" }),
    'main.ts:2: "treadle/src/core" is not public. Import from "treadle" what you need. [PROJECT_MODULE_MISSING]',
  );
});

test("Node's own modules and installed packages, CommonJS and ES modules", () => {
  const exports = load({
    'main.ts': `import { join } from 'node:path'; import fs from 'fs'; import old from 'old'; import * as fresh from 'fresh'; import main from 'fresh';
export default [join('a', 'b'), typeof fs.readFileSync, old.name, fresh.name, main];`,
    'node_modules/old/index.js': "module.exports = { name: 'old' };",
    'node_modules/fresh/package.json': '{ "name": "fresh", "type": "module", "exports": "./index.js" }',
    'node_modules/fresh/index.js': "export const name = 'fresh'; export default 'main';",
  });
  assert.equal(toDefault(exports), [join('a', 'b'), 'function', 'old', 'fresh', 'main']);
});

test('a circle gives what was exported so far, as CommonJS does', () => {
  const exports = load({
    'main.ts': "import { late } from './b'; export function early() { return 1; } export default () => late();",
    'b.ts': "import { early } from './main'; export const late = () => early() + 1;",
  });
  assert.is((toDefault(exports) as () => number)(), 2);
});

const BROKEN: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  [
    'syntax',
    { 'main.ts': 'const a = 1;\nconst b = ;\n' },
    'main.ts:2:11: This could not be read: Unexpected token. Correct it there. [PROJECT_MODULE_SYNTAX]',
  ],
  [
    'syntax that only the engine sees',
    { 'main.ts': "import './b';", 'b.ts': 'const a = 1;\nconst a = 2;\n' },
    "b.ts:2:7: This could not be read: Identifier 'a' has already been declared. Correct it there. [PROJECT_MODULE_SYNTAX]",
  ],
  [
    'await at the top',
    { 'main.ts': "import fs from 'node:fs';\n\nawait fs.promises.stat('/');\n" },
    'main.ts:3: This could not be read: await is only valid in async functions and the top level bodies of modules. A module is loaded synchronously: move the await into the exported function, which may be async. [PROJECT_MODULE_SYNTAX]',
  ],
  [
    'import.meta',
    { 'main.ts': 'export default import.meta.url;' },
    "main.ts:1: This could not be read: Cannot use 'import.meta' outside a module. Use __dirname and __filename instead of import.meta. [PROJECT_MODULE_SYNTAX]",
  ],
  [
    'a missing file',
    { 'main.ts': "import './src/b';", 'src/b.ts': "\nimport x from './nowhere';\nexport default x;" },
    'src/b.ts:2: There is no file "./nowhere". Check the spelling and the path; the extension may be omitted. [PROJECT_MODULE_MISSING]',
  ],
  [
    'a missing package',
    { 'main.ts': "import x from '@scope/nothing/deep';\nexport default x;" },
    'main.ts:1: The package "@scope/nothing/deep" does not exist. Install it: npm install @scope/nothing. [PROJECT_MODULE_MISSING]',
  ],
  [
    'a mistyped toolkit',
    { 'main.ts': "import { Request } from 'tredle';\nexport default Request;" },
    'main.ts:1: The package "tredle" does not exist. Did you mean "treadle"? [PROJECT_MODULE_MISSING]',
  ],
  [
    'a path through a file',
    { 'main.ts': "import x from './main.ts/x';\nexport default x;" },
    'main.ts:1: There is no file "./main.ts/x". Check the spelling and the path; the extension may be omitted. [PROJECT_MODULE_MISSING]',
  ],
  [
    'a missing module of Node',
    { 'main.ts': "import x from 'node:fss';\nexport default x;" },
    'main.ts:1: The package "node:fss" does not exist. Check the spelling. [PROJECT_MODULE_MISSING]',
  ],
  [
    'a package that throws',
    {
      'main.ts': "import x from 'bad';\nexport default x;",
      'node_modules/bad/index.js': "throw new Error('no luck');",
    },
    'main.ts:1: The package "bad" could not be loaded: no luck. Check what the package requires. [PROJECT_MODULE_MISSING]',
  ],
  [
    'a throw',
    {
      'main.ts': "import './b';",
      'b.ts': "type A = string;\n\nfunction f(): A {\n  throw new Error('Broken.');\n}\nf();",
    },
    'b.ts:4: Loading it threw Error: Broken. Correct the code there. [PROJECT_MODULE_THREW]',
  ],
  [
    'a thrown text',
    { 'main.ts': "throw 'just so';" },
    'main.ts: Loading it threw just so. Correct the code there. [PROJECT_MODULE_THREW]',
  ],
  [
    'broken JSON',
    { 'main.ts': "import x from './x.json';\nexport default x;", 'x.json': '{\n  "a": 1,\n}' },
    'x.json:2:9: This is not JSON: there is a "," after the last part. Correct it there. [PROJECT_MODULE_SYNTAX]',
  ],
  [
    'a kind of file that is no code',
    { 'main.ts': "import x from './x.html';\nexport default x;", 'x.html': '<p>' },
    'x.html: A .html cannot be imported. Supported: .ts, .tsx, .mts, .cts, .js, .mjs, .cjs, .json. [PROJECT_MODULE_KIND]',
  ],
  ['no file at all', {}, 'main.ts: There is no such file. Check the spelling and the path. [PROJECT_MODULE_MISSING]'],
];

for (const [name, files, expected] of BROKEN) test(`a problem: ${name}`, () => assert.is(load(files), expected));

test('a stack names the file and the line as they are written', () => {
  const exports = load({
    'main.ts': 'interface A {\n  b: string;\n}\n\nexport default (): A => {\n  throw new Error();\n};',
  });
  try {
    (toDefault(exports) as () => void)();
    assert.unreachable();
  } catch (error) {
    assert.match(String((error as Error).stack), /main\.ts:6:/);
  }
});

test('a new loader has fresh modules, and compiles again only what changed', () => {
  const folder = createFolder({
    'main.ts': "import { n } from './n'; export const box = { n };",
    'n.ts': 'export const n = 1;',
  });
  const cache: ModuleCache = createModuleCache();
  const reload = (): { n: number } => {
    const result = createModuleLoader({ root: folder.root, provided: {}, cache }).load('main.ts');
    return result.isLoaded ? (result.exports as { box: { n: number } }).box : { n: -1 };
  };
  const first = reload();
  const kept = cache.get(join(folder.root, 'main.ts'))?.compiled;
  const second = reload();
  assert.is.not(first, second);
  assert.equal(first, second);
  assert.is(cache.get(join(folder.root, 'main.ts'))?.compiled, kept);
  folder.write('n.ts', 'export const n = 2;');
  utimesSync(join(folder.root, 'n.ts'), 1, 1);
  assert.is(reload().n, 2);
  assert.is(cache.size, 2);
  folder.remove();
});

test('what was loaded, each once', () => {
  const folder = createFolder({
    'main.ts': "import a from './a'; import b from './b'; export default a === b;",
    'a.ts': "import c from './c'; export default c;",
    'b.ts': "import c from './c'; export default c;",
    'c.ts': 'export default {};',
  });
  const loader = createModuleLoader({ root: folder.root, provided: {} });
  const result = loader.load(join(folder.root, 'main'));
  assert.is(result.isLoaded && toDefault(result.exports), true);
  assert.equal(loader.files.map((file) => file.slice(folder.root.length + 1)).sort(), [
    'a.ts',
    'b.ts',
    'c.ts',
    'main.ts',
  ]);
  folder.remove();
});

test.run();
