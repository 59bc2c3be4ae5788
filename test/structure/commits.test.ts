import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../src/core/file/package-root.ts';

/**
 * A listener that claims to write the rows of web hooks itself does so, and one that claims to have no events writes
 * none.
 */
const commits = suite('structure/commits');

const feature = join(packageRoot, 'src', 'feature');
const COMMITTING = /\b(?:committing|commitResults)\(/;
const files = readdirSync(feature, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => join(feature, file));

/** The text of a file with the imported files of its feature, which may do it for the file. */
function readWithParts(file: string): string {
  const text = readFileSync(file, 'utf8');
  const parts = [...text.matchAll(/^\} from '(\.[^']+)';$|^import \{[^}]*\} from '(\.[^']+)';$/gm)]
    .map(([, long, short]) => join(dirname(file), String(long ?? short)))
    .filter((path) => files.includes(path));
  return [text, ...parts.map((path) => readFileSync(path, 'utf8'))].join('\n');
}

const listSaying = (word: string): string[] =>
  files.filter((file) => readFileSync(file, 'utf8').includes(`kind: '${word}'`));

commits('an event of the kind self calls committing', () => {
  const silent = listSaying('self').filter((file) => !COMMITTING.test(readWithParts(file)));
  assert.equal(silent, [], 'a web hook on these would never fire');
});

commits('an event of the kind silent does not', () => {
  const telling = listSaying('silent').filter((file) => COMMITTING.test(readFileSync(file, 'utf8')));
  assert.equal(telling, []);
  assert.ok(listSaying('silent').length > 0);
});

commits.run();
