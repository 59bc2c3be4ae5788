// A name that is lost would stop every build and every test of a process, and only there.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { listFiles, sourceRoot, toName } from './source.ts';

const test = suite('the list of late modules');

test('names files and packages that are there, each once', () => {
  const names = JSON.parse(readFileSync(join(packageRoot, '.ci/late.json'), 'utf8')) as string[];
  const lost = names.filter(
    (name) => !existsSync(join(packageRoot, name.startsWith('src/') ? '' : 'node_modules', name)),
  );
  assert.equal(lost, []);
  assert.is(new Set(names).size, names.length);
});

/** A shape that is made while a module loads needs zod at the start of a server, which reads it late. */
test('no module of a server makes a shape while it is loaded', () => {
  const folders = ['access', 'app', 'check', 'feature', 'http', 'page', 'pages', 'plan', 'queue', 'store'];
  const files = folders.flatMap((folder) => listFiles(join(sourceRoot, folder)));
  const early = files.filter((file) =>
    /^(?:export )?const \w+(?:: [^=\n]+)? =\s+z\b/m.test(readFileSync(file, 'utf8')),
  );
  assert.equal(early.map(toName), []);
});

test.run();
