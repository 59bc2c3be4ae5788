import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findIcon, listIconNames } from '../../src/model/icon.ts';

const test = suite('model/icon');

test('an icon is an <svg> that screen readers skip; an older name of it still works', () => {
  const icon = findIcon('newspaper') ?? '';
  assert.match(icon, /^<svg class="t-icon" [^>]*aria-hidden="true"><.*<\/svg>$/);
  assert.not.match(icon, /<script|\son\w+=/);
  assert.is(findIcon('alert-circle'), findIcon('circle-alert'));
});

test('an unknown name has no icon, nor does a property of every object', () => {
  for (const name of ['', 'newspapr', 'constructor', '__proto__', '"><script>']) assert.is(findIcon(name), undefined);
});

test('every icon that Treadle names exists', () => {
  assert.ok(listIconNames().length > 1000);
  for (const name of ['menu', 'table-2', 'layout-dashboard', 'database-zap']) assert.ok(findIcon(name), name);
});

test.run();
