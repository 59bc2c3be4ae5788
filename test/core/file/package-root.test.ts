import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TreadleError } from '../../../src/core/errors.ts';
import { findPackageRoot, packageRoot, packageVersion } from '../../../src/core/file/package-root.ts';

const root = suite('package root');
root('is the folder of package.json', () => {
  assert.ok(packageRoot.length > 1);
  assert.match(packageVersion, /^\d+\.\d+\.\d+/);
});

root('is not a folder inside with a package.json that names only the kind of its modules', () => {
  const folder = mkdtempSync(join(tmpdir(), 'treadle-root-'));
  const inner = join(folder, 'dist/bin');
  mkdirSync(inner, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "version": "1.2.3" }');
  writeFileSync(join(inner, 'package.json'), '{ "type": "commonjs" }');
  assert.equal(findPackageRoot(inner), { root: folder, version: '1.2.3' });
  rmSync(folder, { recursive: true });
});

root('a copy without package.json says what is missing', () => {
  assert.throws(
    () => findPackageRoot('/nowhere/dist'),
    (error: TreadleError) => error.code === 'PACKAGE_INCOMPLETE' && error.message.includes('/nowhere/dist'),
  );
});
root.run();
