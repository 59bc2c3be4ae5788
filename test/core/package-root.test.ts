import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot, packageVersion } from '../../src/core/package-root.ts';

const root = suite('package root');
root('is the folder of package.json', () => {
  assert.ok(packageRoot.length > 1);
  assert.match(packageVersion, /^\d+\.\d+\.\d+/);
});
root.run();
