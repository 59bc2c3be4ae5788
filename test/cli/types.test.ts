import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compileProject } from '../../src/boot.ts';
import { TEMPLATES } from '../../src/cli/create/template.ts';
import { printTypes, TYPES_FILE } from '../../src/cli/types/file.ts';
import { toLiteral, toTypeNames } from '../../src/cli/types/print.ts';
import { createLateTypes, refreshTypes } from '../../src/cli/types/refresh.ts';
import { toInputType, toValueType } from '../../src/cli/types/value.ts';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { fieldKinds } from '../../src/model/field/field-kind.ts';
import { FIELD_TYPES } from '../../src/model/shape/schema.ts';
import { EVENTS, HEAD, RIGHT, WRONG } from '../types/handler-uses.ts';
import { Folders, run } from './run.ts';

const folders = new Folders();
const test = suite('cli/types');
const compiler = join(packageRoot, 'node_modules/typescript/bin/tsc');
/** Several threads check the same types again. */
const SPARING = ['--singleThreaded'];
/** Below node_modules, so that the imported packages are found. */
const declarations = mkdtempSync(join(packageRoot, 'node_modules/.treadle-declarations-'));
test.before(() => {
  // Emitted once without checks, because `npm run check` checks them; each project then compiles faster.
  const words = ['-p', '.ci/tsconfig.build.json', '--noCheck', ...SPARING, '--outDir', declarations];
  execFileSync(process.execPath, [compiler, ...words], { cwd: packageRoot });
});
test.after(() => {
  folders.remove();
  rmSync(declarations, { recursive: true, force: true });
});

/**
 * Compiler errors in a project's own files, against the declarations of this source; empty if there are none. Libraries
 * are not checked, so the project's types are compiled as source.
 */
async function compile(root: string): Promise<string> {
  const [types, source] = [join(root, TYPES_FILE), join(root, TYPES_FILE.replace(/\.d\.ts$/, '.ts'))];
  renameSync(types, source);
  const said = await compileSource(root);
  renameSync(source, types);
  return said;
}

function compileSource(root: string): Promise<string> {
  const options = {
    target: 'es2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: ['node'],
    typeRoots: [join(packageRoot, 'node_modules/@types')],
    paths: { treadle: [join(declarations, 'src/index.d.ts')] },
  };
  const config = { compilerOptions: options, include: ['app', 'app/www/.treadle.ts'] };
  writeFileSync(join(root, 'tsconfig.test.json'), JSON.stringify(config));
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [compiler, '-p', 'tsconfig.test.json', '--pretty', 'false', ...SPARING],
      { cwd: root },
      (_, out) => {
        // The source itself is checked with its own settings elsewhere.
        resolve(
          out
            .split('\n')
            .filter((line) => /^(app|error)/.test(line))
            .join('\n'),
        );
      },
    );
  });
}

function copyTyped(): string {
  const root = join(folders.make(), 'typed');
  cpSync(join(packageRoot, 'test/fixture/typed'), root, { recursive: true });
  return root;
}

test('with the file, right code compiles and each wrong column, sort, filter and value is refused', async () => {
  const root = copyTyped();
  assert.is((await run(['types'], { cwd: root })).code, 0);
  assert.is(await compile(root), '');
});

test('without what the file adds, nothing of that is noticed: it is the file that does it', async () => {
  const root = copyTyped();
  await run(['types'], { cwd: root });
  const file = join(root, TYPES_FILE);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.slice(0, text.indexOf("declare module 'treadle'")));
  const said = await compile(root);
  const wrong = readFileSync(join(root, 'app/www/src/use.ts'), 'utf8').split('@ts-expect-error').length - 2;
  const unused = said.split("Unused '@ts-expect-error' directive").length - 1;
  assert.ok(unused >= wrong - 2, `${unused} of ${wrong}\n${said}`);
});

test('the own settings are typed by what stands in the file, and without the file everything is unknown', async () => {
  const root = copyTyped();
  const file = join(root, 'config/settings.json');
  const custom = {
    shop: { 'free from': 50, open: true, note: null },
    tags: ['a', 'b'],
    mixed: [1, 'a'],
    none: [],
    empty: {},
  };
  const settings = { ...(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}), custom };
  writeFileSync(file, JSON.stringify(settings));
  assert.is((await run(['types'], { cwd: root })).code, 0);
  const code = [
    "import type { App } from 'treadle';",
    'export default function shop(app: App): void {',
    '  const { shop, tags, mixed, none, empty } = app.settings.custom;',
    "  const right: [number, boolean, null, string] = [shop['free from'], shop.open, shop.note, tags.join()];",
    "  const also: [number | string | undefined, unknown, unknown] = [mixed[0], none[0], empty['x']];",
    '  // @ts-expect-error it is a number',
    "  const wrong: string = shop['free from'];",
    '  // @ts-expect-error there is none',
    '  console.log(right, also, wrong, app.settings.custom.shp);',
    '  // @ts-expect-error settings are read only',
    '  shop.open = false;',
    '}',
  ];
  writeFileSync(join(root, 'app/www/src/shop.ts'), code.join('\n'));
  assert.is(await compile(root), '');
  assert.is((await run(['check'], { cwd: root })).code, 0);
  writeFileSync(file, JSON.stringify({ ...settings, custom: {} }));
  assert.is((await run(['types'], { cwd: root })).code, 0);
  assert.not.match(readFileSync(join(root, TYPES_FILE), 'utf8'), 'CustomSettings');
  assert.match(await compile(root), "'shop' is of type 'unknown'");
});

test('a wrong value is one error, which names it, and the response keeps its type', async () => {
  const root = copyTyped();
  await run(['types'], { cwd: root });
  const code = [
    "import type { App } from 'treadle';",
    'export default async function one(app: App) {',
    "  const found = await app.emit('system-model-search', { schema: 'blog-post', filter: { blog_post_state: 'gone' } });",
    '  if (found.isError()) throw new Error(String(found.getMessage()));',
    "  for (const row of found.getResults('rows') ?? []) row.blog_post_title.trim();",
    '  return found.getValidation();',
    '}',
  ];
  writeFileSync(join(root, 'app/www/src/one.ts'), code.join('\n'));
  const said = (await compile(root)).split('\n');
  assert.is(said.length, 1, said.join('\n'));
  assert.match(said[0] as string, 'app/www/src/one.ts(3,');
});

/** Uses, each in a block of its own and on one line. */
const toUses = (uses: readonly string[], comment = ''): string =>
  [
    HEAD,
    'export async function uses(): Promise<void> {',
    ...uses.map((use) => `  {${comment}\n    ${use}\n  }`),
    '}',
  ].join('\n');

test('handlers: right stages, rows, results and events compile, and every wrong one is an error at its line', async () => {
  const root = copyTyped();
  // For zod.
  symlinkSync(join(packageRoot, 'node_modules'), join(root, 'node_modules'));
  writeFileSync(join(root, 'app/www/.treadle.ts'), "import events from './src/events';\nexport default [events];\n");
  writeFileSync(join(root, 'app/www/src/events.ts'), EVENTS);
  assert.is((await run(['types'], { cwd: root })).code, 0);
  assert.match(
    readFileSync(join(root, TYPES_FILE), 'utf8'),
    "'note-count': { stage: { note_id: number; word?: string; };",
  );
  writeFileSync(join(root, 'app/www/src/right.ts'), toUses(RIGHT));
  writeFileSync(join(root, 'app/www/src/wrong.ts'), toUses(WRONG, '\n    // @ts-expect-error'));
  assert.ok(RIGHT.length >= 40 && WRONG.length >= 60, `${RIGHT.length} and ${WRONG.length}`);
  assert.is(await compile(root), '');
});

test('--check writes nothing, and exits with 2 if the file is missing or old', async () => {
  const root = copyTyped();
  const file = join(root, TYPES_FILE);
  const missing = await run(['types', '--check'], { cwd: root });
  assert.is(missing.code, 2);
  assert.match(missing.out, `out of date: ${TYPES_FILE}`);
  assert.not(existsSync(file));
  assert.match((await run(['types', '--dry-run'], { cwd: root })).out, 'would write');
  assert.not(existsSync(file));
  assert.match((await run(['types'], { cwd: root })).out, `wrote ${TYPES_FILE}`);
  assert.is((await run(['types', '--check'], { cwd: root })).code, 0);
  const before = statSync(file, { bigint: true }).mtimeNs;
  assert.match((await run(['types'], { cwd: root })).out, 'up to date');
  assert.is(statSync(file, { bigint: true }).mtimeNs, before, 'nothing is written where nothing changed');
  writeFileSync(file, `${readFileSync(file, 'utf8')}\n`);
  assert.is((await run(['types', '--check'], { cwd: root })).code, 2);
});

test('--out writes another file, and --json is one document', async () => {
  const root = copyTyped();
  const { code, out } = await run(['types', '--out', 'types/rows.d.ts', '--json'], { cwd: root });
  assert.is(code, 0);
  const { file, ...data } = JSON.parse(out);
  assert.equal(data, { schemas: ['blog-post', 'note', 'person'], isUpToDate: false, isWritten: true });
  assert.is(file, join(root, 'types/rows.d.ts'));
  assert.ok(existsSync(file));
  assert.not(existsSync(join(root, TYPES_FILE)));
});

test('the same definitions give the same bytes in every order', async () => {
  const { plan } = await compileProject(copyTyped(), {});
  assert.ok(plan);
  const { model } = plan;
  const turned = {
    ...model,
    schemas: new Map([...model.schemas].reverse()),
    fieldsets: new Map([...model.fieldsets].reverse()),
  };
  assert.is(printTypes(turned), printTypes(model));
});

test('dev keeps the file current where it is, and makes none', async () => {
  const root = copyTyped();
  const { plan } = await compileProject(root, {});
  assert.ok(plan);
  assert.is(await refreshTypes(plan, root), false);
  assert.not(existsSync(join(root, TYPES_FILE)));
  writeFileSync(join(root, TYPES_FILE), 'old');
  assert.is(await refreshTypes(plan, root), true);
  assert.is(readFileSync(join(root, TYPES_FILE), 'utf8'), printTypes(plan.model));
  assert.is(await refreshTypes(plan, root), false);
});

test('check brings the file up to date where it is, and makes none', async () => {
  const root = copyTyped();
  await run(['check'], { cwd: root });
  assert.not(existsSync(join(root, TYPES_FILE)));
  writeFileSync(join(root, TYPES_FILE), 'old');
  const { err } = await run(['check'], { cwd: root });
  assert.match(err, `Updated ${TYPES_FILE}.`);
  assert.is((await run(['types', '--check'], { cwd: root })).code, 0);
  assert.not.match((await run(['check'], { cwd: root })).err, 'Updated');
});

test('definitions that are broken write nothing', async () => {
  const root = copyTyped();
  rmSync(join(root, 'config/schema/person.json'));
  assert.is((await run(['types'], { cwd: root })).code, 5);
  assert.not(existsSync(join(root, TYPES_FILE)));
});

test('every field type has a type, and those without a value have none', () => {
  for (const type of FIELD_TYPES) {
    const text = toValueType({ name: 'x', type }, new Map());
    assert.is(text === 'never', fieldKinds[type].sql === undefined, type);
    const isText = fieldKinds[type].sql?.sqlite === 'text' && !fieldKinds[type].isJson;
    if (isText) assert.is(text, 'string', type);
  }
  assert.is(toInputType({ name: 'x', type: 'switch' }, new Map()), '0 | 1 | boolean');
});

test('names are identifiers of their own, and texts cannot leave their quotes', () => {
  const names = toTypeNames(['blog-post', 'blogPost', 'a_b', 'blog_post2']);
  assert.equal([...names.values()], ['AB', 'BlogPost', 'BlogPost_2', 'BlogPost2']);
  for (const text of ["it's", 'a "b"', 'back\\slash', "\\'", 'line\nbreak', '\u2028']) {
    assert.is(new Function(`return ${toLiteral(text)}`)(), text);
  }
});

for (const template of TEMPLATES) {
  test(`${template}: the types that a new project has are current and its code compiles with them`, async () => {
    const root = folders.makeProject(template);
    const { code, out } = await run(['types', '--check'], { cwd: root });
    assert.is(code, 0, out);
    assert.is(await compile(root), '');
  });
}

test('reloads that follow each other write the types once, and the end of the server does not lose them', async () => {
  const HOUR_MS = 3_600_000;
  const written: string[] = [];
  const model = { name: 'first' };
  const types = createLateTypes(async () => written.push(model.name), HOUR_MS);
  await types.settle();
  assert.equal(written, []);
  types.soon();
  model.name = 'second';
  types.soon();
  await types.settle();
  assert.equal(written, ['second']);
  await types.settle();
  assert.equal(written, ['second']);
});

test.run();
