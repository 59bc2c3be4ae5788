import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TreadleError } from '../../src/core/errors.ts';
import { getFile, writeFileAtomically } from '../../src/project/write.ts';
import { createFolder } from './_folder.ts';

const test = suite('project/write');
const FILE = 'config/role/admin.json';

test('makes the folders, replaces the text, leaves nothing behind', async () => {
  const folder = createFolder();
  for (const text of ['{}\n', '{ "slug": "admin" }\n']) {
    await writeFileAtomically(join(folder.root, FILE), text);
    assert.is(readFileSync(join(folder.root, FILE), 'utf8'), text);
  }
  assert.equal(readdirSync(join(folder.root, 'config/role')), ['admin.json']);
  folder.remove();
});

test('a write that fails leaves no temporary file', async () => {
  const folder = createFolder();
  mkdirSync(join(folder.root, FILE, 'inner'), { recursive: true });
  try {
    await writeFileAtomically(join(folder.root, FILE), 'x');
    assert.unreachable();
  } catch (error) {
    assert.match((error as NodeJS.ErrnoException).code ?? '', /WRITE_TARGET_INVALID/);
  }
  assert.equal(readdirSync(join(folder.root, 'config/role')), ['admin.json']);
  folder.remove();
});

test('refuses names that would leave the folder', () => {
  for (const name of ['../../x', 'a/b', '.hidden', '', 'a\\b', 'a\u0000b']) {
    try {
      getFile('role', name);
      assert.unreachable();
    } catch (error) {
      assert.is((error as TreadleError).code, 'PROJECT_NAME_INVALID');
      assert.instance(error, TreadleError);
    }
  }
  assert.is(getFile('role', 'admin'), FILE);
  assert.is(getFile('settings', ''), 'config/settings.json');
});

test.run();
