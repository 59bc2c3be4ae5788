import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../src/core/file/package-root.ts';

const tree = suite('structure/tree');

const TOP = new Set(
  'bin docs scaffold src templates test CHANGELOG.md CONTRIBUTING.md LICENSE README.md package-lock.json package.json tsconfig.json'.split(
    ' ',
  ),
);

tree('git holds sources only: nothing that a build or a run leaves behind', () => {
  // A copy without git, such as an unpacked archive, has nothing to look at.
  if (!existsSync(join(packageRoot, '.git'))) return;
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: packageRoot,
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  const names = new Set(listed.split('\n').map((path) => path.split('/')[0] ?? ''));
  assert.equal(
    [...names].filter((name) => name !== '' && !name.startsWith('.') && !TOP.has(name)),
    [],
  );
});

tree.run();
