// A name that is lost would stop every build and every test of a process, and only there.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../src/core/file/package-root.ts';

const test = suite('the list of late modules');

test('names files and packages that are there, each once', () => {
  const names = JSON.parse(readFileSync(join(packageRoot, '.ci/late.json'), 'utf8')) as string[];
  const lost = names.filter(
    (name) => !existsSync(join(packageRoot, name.startsWith('src/') ? '' : 'node_modules', name)),
  );
  assert.equal(lost, []);
  assert.is(new Set(names).size, names.length);
});

test.run();
