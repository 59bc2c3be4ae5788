import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { listFiles, sourceRoot, toName } from './source.ts';

/** Exports of the public API have users outside the repository. */
const ENTRIES = ['index.ts', 'testing/site.ts'].map((file) => join(sourceRoot, file));
/** Exports that only tests use until the admin displays and edits values. */
const AWAITED = ['src/model/field/control.ts', 'src/model/format/format.ts'];

const sources = listFiles(sourceRoot);
const users = [
  ...sources,
  ...['bin', 'docs', '.ci'].flatMap((folder) => [
    ...listFiles(join(packageRoot, folder)),
    ...listFiles(join(packageRoot, folder), '.mjs'),
  ]),
];
const tests = [...listFiles(join(packageRoot, 'test')), ...listFiles(join(packageRoot, 'test'), '.mjs')];
const texts = new Map([...users, ...tests].map((file) => [file, readFileSync(file, 'utf8')]));
const textOf = (file: string): string => texts.get(file) ?? '';

const DECLARED = /^export (?:declare )?(?:abstract )?(?:async )?(function\*?|const|class|interface|type|enum) (\w+)/gm;
const NAMED = /(?:^|\n)(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*['"](\.[^'"]+)['"]/g;
const OPEN = /(?:import\(\s*|(?:import|export)\s*\*[^'"]*from\s*)['"](\.[^'"]+)['"]/g;

interface Export {
  readonly file: string;
  readonly name: string;
  readonly isType: boolean;
}

/** The names of `{ a, type b as c }`: in the other file, and here. */
function listNames(list: string): { readonly name: string; readonly alias: string }[] {
  const items = list.split(',').map((item) => item.trim().replace(/^type\s+/, ''));
  return items.filter(Boolean).map((item) => {
    const [name = '', alias = name] = item.split(/\s+as\s+/);
    return { name, alias };
  });
}

function listExports(file: string): Export[] {
  const text = textOf(file);
  const declared = [...text.matchAll(DECLARED)].map(([, kind, name]) => ({
    file,
    name: name as string,
    isType: kind === 'interface' || kind === 'type',
  }));
  const again = [...text.matchAll(/^export (type )?\{([^}]*)\}/gm)];
  return [
    ...declared,
    ...again.flatMap(([, type, list]) =>
      listNames(list as string).map(({ alias }) => ({ file, name: alias, isType: type !== undefined })),
    ),
  ];
}

/**
 * `file:name` of everything that these files import; for a file imported as a whole, the names that its importer
 * mentions.
 */
function listUsed(files: readonly string[]): Set<string> {
  const used = new Set<string>();
  for (const file of files) {
    const text = textOf(file);
    const at = (specifier: string): string => resolve(dirname(file), specifier).replace(/\.js$/, '.ts');
    for (const [, list, specifier] of text.matchAll(NAMED))
      for (const { name } of listNames(list as string)) used.add(`${at(specifier as string)}:${name}`);
    const words = new Set(text.match(/\w+/g));
    for (const [, specifier] of text.matchAll(OPEN)) {
      const target = at(specifier as string);
      for (const { name } of texts.has(target) ? listExports(target) : [])
        if (words.has(name)) used.add(`${target}:${name}`);
    }
  }
  return used;
}

/** True if the file's other code uses the name too; for a type, if another export does, so that its users see it. */
function isNamedAgain({ file, name, isType }: Export): boolean {
  const word = new RegExp(`\\b${name}\\b`, 'g');
  const parts = textOf(file).split(/^(?=[A-Za-z/])/m);
  const counted = isType ? parts.filter((part) => /^export\b/.test(part)) : parts;
  return (counted.join('').match(word) ?? []).length > 1;
}

const exported = sources.filter((file) => !ENTRIES.includes(file)).flatMap(listExports);
const print = (list: readonly Export[]): string[] => list.map(({ file, name }) => `${toName(file)}: ${name}`);
const unused = suite('unused');

unused('every export has a user in another file', () => {
  const used = listUsed([...users, ...tests]);
  const wrong = exported.filter(
    (each) => !used.has(`${each.file}:${each.name}`) && !(each.isType && isNamedAgain(each)),
  );
  assert.equal(print(wrong), []);
});

unused('nothing exists for its tests alone', () => {
  const used = listUsed(users);
  const wrong = exported.filter(
    (each) =>
      !each.isType &&
      !used.has(`${each.file}:${each.name}`) &&
      !isNamedAgain(each) &&
      !AWAITED.includes(toName(each.file)),
  );
  assert.equal(print(wrong), []);
});

unused('every source file is imported, or is an entry', () => {
  const mentioned = [...users].map(textOf).join('\n');
  const wrong = sources.filter((file) => {
    const name = relative(dirname(dirname(file)), file)
      .split('/')
      .at(-1) as string;
    return !ENTRIES.includes(file) && !mentioned.includes(`/${name}`);
  });
  assert.equal(wrong.map(toName), []);
});

unused.run();
