import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { writeTogether } from '../../src/project/write-together.ts';
import { createFolder } from './_folder.ts';

const test = suite('project/write-together');
test('writes, makes folders and removes', async () => {
  const { root, remove } = createFolder({ old: 'o' });
  await writeTogether(root, [
    { file: 'a/b/new', text: 'n' },
    { file: 'old', text: undefined },
    { file: 'never', text: undefined },
  ]);
  assert.is(readFileSync(join(root, 'a/b/new'), 'utf8'), 'n');
  assert.not(existsSync(join(root, 'old')));
  remove();
});

test('where one cannot be written, all are as they were', async () => {
  const { root, remove } = createFolder({ one: '1', gone: 'g' });
  // The second path is a file where the third needs a folder: found only while the files are moved into place.
  const changes = [
    { file: 'one', text: 'changed' },
    { file: 'fresh', text: 'f' },
    { file: 'two', text: 'x' },
    { file: 'two/inner', text: 'x' },
    { file: 'gone', text: undefined },
  ];
  try {
    await writeTogether(root, changes);
    assert.unreachable();
  } catch (error) {
    assert.is((error as { code?: string }).code, 'PROJECT_WRITE_FAILED');
  }
  assert.is(readFileSync(join(root, 'one'), 'utf8'), '1');
  assert.is(readFileSync(join(root, 'gone'), 'utf8'), 'g');
  assert.not(existsSync(join(root, 'fresh')));
  assert.ok(statSync(join(root, 'two')).isDirectory());
  remove();
});

test.run();
