import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TreadleError } from '../../src/core/errors.ts';
import { findPackageRoot, packageRoot, packageVersion } from '../../src/core/package-root.ts';

const root = suite('package root');
root('is the folder of package.json', () => {
  assert.ok(packageRoot.length > 1);
  assert.match(packageVersion, /^\d+\.\d+\.\d+/);
});

root('a copy without package.json says what is missing', () => {
  assert.throws(
    () => findPackageRoot('/nowhere/dist'),
    (error: TreadleError) => error.code === 'PACKAGE_INCOMPLETE' && error.message.includes('/nowhere/dist'),
  );
});
root.run();
