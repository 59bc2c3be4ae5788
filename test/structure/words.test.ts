// The field's words: a list of home-made words with their terms. Each has a number of declarations that still have it, which may only
// become smaller.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listFiles, sourceRoot, toName } from './source.ts';

const words = suite('structure/words');
const WORDS = JSON.parse(readFileSync(new URL('./words.json', import.meta.url), 'utf8')) as Record<
  string,
  { readonly term: string; readonly most: number }
>;
const DECLARED = /\b(?:interface|type|class|function\*?|const|let)\s+([A-Za-z_$][\w$]*)/g;
const TYPES = /\b(?:interface|type|class)\s+([A-Z][\w$]*)(?=[\s<{=])/g;
/** A participle alone tells what was done with a thing, not what it is. */
const PARTICIPLE =
  /^(?:[A-Z][a-z]*ed|Found|Known|Shown|Given|Held|Kept|Told|Taken|Written|Read|Sent|Seen|Begun|Built|Made|Left|Brought|Heard|Drawn|Chosen|Hidden|Bound)$/;
/** Names of the public API, and nouns that end like a participle. */
const ALLOWED: ReadonlySet<string> = new Set([
  'Emitted',
  'Committed',
  'Compared',
  'Sorted',
  'Found',
  'Seed',
  'Feed',
  'Embed',
  'Need',
]);

const files = listFiles(sourceRoot);
const texts = files.map((file) => ({
  file,
  text: readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, ''),
}));

/** `cachedFile`, `CACHED_FILE` and `findCached` have the word `cached`. */
const has = (name: string, word: string): boolean =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_$]+/)
    .some((part) => part === word || part === `${word}s`);

words('no type is named by a participle', () => {
  const found = texts.flatMap(({ file, text }) =>
    [...text.matchAll(TYPES)].flatMap(([, name = '']) =>
      PARTICIPLE.test(name) && !ALLOWED.has(name) ? [`${toName(file)}: ${name}`] : [],
    ),
  );
  assert.equal(found, []);
});

words('no file is named by a home-made word', () => {
  const found = files
    .map(toName)
    .filter((file) => Object.keys(WORDS).some((word) => has(basename(file, '.ts').replaceAll('-', '_'), word)));
  assert.equal(found, []);
});

words('home-made words become fewer', () => {
  const names = texts.flatMap(({ file, text }) =>
    [...text.matchAll(DECLARED)].map(([, name = '']) => ({ file, name })),
  );
  for (const [word, { term, most }] of Object.entries(WORDS)) {
    const found = names.filter(({ name }) => has(name, word));
    const list = found.map(({ file, name }) => `${toName(file)}: ${name}`).slice(0, 40);
    assert.ok(
      found.length <= most,
      `${found.length} names have "${word}", at most ${most} may; say ${term}\n${list.join('\n')}`,
    );
    assert.ok(found.length === most, `only ${found.length} names have "${word}": lower "most" in words.json`);
  }
});

words.run();
