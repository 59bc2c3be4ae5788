import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../src/core/file/package-root.ts';

const table = readFileSync(join(packageRoot, 'test/security/conformance-web.md'), 'utf8');
const lines = table.split('\n').filter((line) => /^\| [A-Z]\d+ \|/.test(line));
/** `file: "title"` in backquotes. */
const NAMED = /`([\w/-]+): "([^`]*?)"?`/g;

const test = suite('the table of conformance');

test('every line has a test or a reason, and an id of its own', () => {
  const ids = lines.map((line) => line.split('|')[1]?.trim());
  assert.is(new Set(ids).size, ids.length);
  assert.ok(ids.length >= 35, `${ids.length} lines`);
  for (const line of lines) {
    const told = line.split('|').slice(3).join('|');
    const reason = told.replace(NAMED, '').replace(/[\s,.|]/g, '');
    assert.ok(NAMED.test(told) || reason.length > 20, line);
    NAMED.lastIndex = 0;
  }
});

test('every test that it names is there', () => {
  const gone = lines.flatMap((line) =>
    [...line.matchAll(NAMED)].flatMap(([, name = '', title = '']) => {
      const file = join(packageRoot, 'test', `${name}.test.ts`);
      if (!existsSync(file)) return [`${name}: no such file`];
      const source = readFileSync(file, 'utf8').replaceAll("\\'", "'");
      return title.length > 10 && source.includes(title) ? [] : [`${name}: no test "${title}"`];
    }),
  );
  assert.equal(gone, []);
});

test.run();
