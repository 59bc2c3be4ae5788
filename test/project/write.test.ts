import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProblemsError, TreadleError } from '../../src/core/errors.ts';
import { readDefinition } from '../../src/project/read.ts';
import { removeDefinition, writeDefinition } from '../../src/project/write.ts';
import { createFolder } from './_folder.ts';

const test = suite('project/write');
const ROLE = { permissions: [{ path: '/admin/**', method: 'all' }], name: 'Administrator', slug: 'admin' };
const FILE = 'config/role/admin.json';

test('makes the folders, orders the keys, ends with a newline, leaves nothing behind', async () => {
  const folder = createFolder();
  const written = await writeDefinition(folder.root, 'role', 'admin', ROLE);
  assert.is(written.file, FILE);
  assert.is(written.isChanged, true);
  assert.is(readFileSync(join(folder.root, FILE), 'utf8'), written.text);
  assert.is(
    written.text,
    '{\n  "slug": "admin",\n  "name": "Administrator",\n  "permissions": [\n    {\n      "method": "all",\n      "path": "/admin/**"\n    }\n  ]\n}\n',
  );
  assert.equal(readdirSync(join(folder.root, 'config/role')), ['admin.json']);
  folder.remove();
});

test('what says the same keeps the file byte for byte, in whatever form it is', async () => {
  const text =
    '{ "slug":"admin",\r\n\t"permissions": [ {"method":"all", "path":"/admin/**"} ], "name":"Administrator" }';
  const folder = createFolder({ [FILE]: text });
  const before = statSync(join(folder.root, FILE), { bigint: true });
  const read = await readDefinition(folder.root, 'role', 'admin');
  const written = await writeDefinition(folder.root, 'role', 'admin', read?.value);
  assert.equal(written, { file: FILE, text, isChanged: false });
  assert.is(statSync(join(folder.root, FILE), { bigint: true }).mtimeNs, before.mtimeNs);
  const renamed = await writeDefinition(folder.root, 'role', 'admin', { ...ROLE, name: 'Chief' });
  assert.is(renamed.isChanged, true);
  assert.match(readFileSync(join(folder.root, FILE), 'utf8'), '  "name": "Chief",\n');
  folder.remove();
});

test('settings are written without their defaults', async () => {
  const folder = createFolder({ 'config/settings.json': '{ "name": "My blog", "home": "/articles" }\n' });
  const read = await readDefinition(folder.root, 'settings', '');
  assert.equal(read?.value, { name: 'My blog', home: '/articles' });
  const written = await writeDefinition(folder.root, 'settings', '', { ...(read?.value as object), api: true });
  assert.is(written.text, '{\n  "name": "My blog",\n  "home": "/articles",\n  "api": true\n}\n');
  folder.remove();
});

test('a dry run tells and does nothing', async () => {
  const folder = createFolder();
  assert.is((await writeDefinition(folder.root, 'role', 'admin', ROLE, { isDryRun: true })).isChanged, true);
  assert.not.ok(existsSync(join(folder.root, 'config')));
  await writeDefinition(folder.root, 'role', 'admin', ROLE);
  assert.is((await removeDefinition(folder.root, 'role', 'admin', { isDryRun: true })).isChanged, true);
  assert.ok(existsSync(join(folder.root, FILE)));
  folder.remove();
});

test('removes; what is not there is no change', async () => {
  const folder = createFolder();
  await writeDefinition(folder.root, 'role', 'admin', ROLE);
  assert.is((await removeDefinition(folder.root, 'role', 'admin')).isChanged, true);
  assert.not.ok(existsSync(join(folder.root, FILE)));
  assert.is((await removeDefinition(folder.root, 'role', 'admin')).isChanged, false);
  assert.is(await readDefinition(folder.root, 'role', 'admin'), undefined);
  folder.remove();
});

test('refuses what does not fit the shape, with every problem, and writes nothing', async () => {
  const folder = createFolder();
  try {
    await writeDefinition(folder.root, 'role', 'admin', {
      slug: 'admin',
      nmae: 'x',
      permissions: [{ method: 'gte', path: 'x' }],
    });
    assert.unreachable();
  } catch (error) {
    assert.instance(error, ProblemsError);
    const paths = (error as ProblemsError).problems.map(({ path }) => path);
    assert.equal(paths.sort(), ['name', 'nmae', 'permissions[0].method', 'permissions[0].path']);
  }
  assert.not.ok(existsSync(join(folder.root, 'config')));
  folder.remove();
});

test('refuses names that would leave the folder', async () => {
  const folder = createFolder();
  for (const name of ['../../x', 'a/b', '.hidden', '', 'a\\b', 'a\u0000b']) {
    for (const act of [
      () => writeDefinition(folder.root, 'role', name, ROLE),
      () => removeDefinition(folder.root, 'role', name),
    ]) {
      try {
        await act();
        assert.unreachable();
      } catch (error) {
        assert.is((error as TreadleError).code, 'PROJECT_NAME_INVALID');
        assert.instance(error, TreadleError);
      }
    }
  }
  folder.remove();
});

test.run();
