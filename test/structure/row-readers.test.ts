import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { listFiles, sourceRoot, toName } from './source.ts';

/** Why a file reads rows of schemas or accounts by itself, and in how many places. */
interface Reader {
  readonly places: number;
  readonly reason: string;
}

const known = JSON.parse(readFileSync(join(packageRoot, 'test/structure/row-readers.json'), 'utf8')) as Record<
  string,
  Reader
>;

/** What reads a table that the code does not name, a profile or an account, and what reads rows without an event. */
const READS: readonly RegExp[] = [
  /\bselectFrom\(\s*(?:[a-z]|['"`](?:profile|treadle_auth)\b|AUTH\b)/g,
  /\b(?:inner|left)Join\(\s*(?:[a-z]|['"`](?:profile|treadle_auth)\b|AUTH\b)/g,
  /\b(?:from|join) (?:profile|treadle_auth)\b/g,
  /\bsql\.table\(/g,
  /\bgetSearcher\([^)]*\)\s*\.(?:search|detail|reached|rowFilter)\(/g,
  /\bsearcher\.(?:search|detail|reached|rowFilter)\(/g,
  /\b(?:findAuth|findAccount|findProfile|findUser|readColumns|readStored|readRow)\(/g,
];

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

const test = suite('structure/row-readers');

test('every place in a feature that reads rows or accounts by itself is listed, with the reason', () => {
  const found: Record<string, number> = {};
  for (const file of listFiles(join(sourceRoot, 'feature'))) {
    const text = withoutComments(readFileSync(file, 'utf8'));
    const places = READS.reduce((sum, pattern) => sum + [...text.matchAll(pattern)].length, 0);
    if (places > 0) found[toName(file)] = places;
  }
  const listed = Object.fromEntries(Object.entries(known).map(([file, { places }]) => [file, places]));
  const hint =
    'Ask findVisibleColumns or showRows of src/access/show.ts who may see the row, then add the place to row-readers.json.';
  assert.equal(found, listed, hint);
});

test('each reason says who may see what is read', () => {
  const short = Object.entries(known).filter(([, { reason }]) => reason.split(' ').length < 5);
  assert.equal(short, []);
});

test.run();
