import { once } from 'node:events';
import { renameSync, rmSync, truncateSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { watchProject } from '../../src/project/watch.ts';
import { writeFileAtomically } from '../../src/project/write.ts';
import { createFolder } from './_folder.ts';

const test = suite('project/watch');

/** Runs `change` on a watched folder; returns all reported files up to `last`. */
async function watchUntil(last: string, change: (root: string) => unknown): Promise<string[][]> {
  const folder = createFolder({
    'config/schema/a.json': '{}',
    'app/www/.treadle.ts': '',
    'public/x.css': '',
    '.env': 'A=1',
  });
  const told: string[][] = [];
  let end: (() => void) | undefined;
  const isTold = new Promise<void>((resolve) => {
    end = resolve;
  });
  const watcher = watchProject(folder.root, (files) => {
    told.push(files);
    if (files.includes(last)) end?.();
  });
  await watcher.ready;
  await change(folder.root);
  await isTold;
  await watcher.close();
  folder.remove();
  return told;
}

test('changes that come together are told together', async () => {
  const told = await watchUntil('config/schema/b.json', (root) => {
    writeFileSync(join(root, 'config/schema/a.json'), '{"a":1}');
    writeFileSync(join(root, 'config/schema/b.json'), '{"b":1}');
  });
  assert.equal(told, [['config/schema/a.json', 'config/schema/b.json']]);
});

test('swap files and our own half-written ones are passed over; public files are not, since pages show them', async () => {
  const told = await watchUntil('.env', (root) => {
    writeFileSync(join(root, 'public/x.css'), 'a {}');
    writeFileSync(join(root, 'config/schema/.a.json.swp'), 'x');
    writeFileSync(join(root, 'config/schema/a.json~'), 'x');
    writeFileSync(join(root, '.env'), 'A=2');
  });
  assert.equal(told, [['.env', 'public/x.css']]);
});

test('a file replaced by renaming, as careful editors do, and by Treadle itself', async () => {
  const told = await watchUntil('config/role/admin.json', async (root) => {
    writeFileSync(join(root, 'app/new.tmp'), 'export default [];');
    renameSync(join(root, 'app/new.tmp'), join(root, 'app/www/.treadle.ts'));
    await writeFileAtomically(join(root, 'config/role/admin.json'), '{}');
  });
  assert.equal([...new Set(told.flat())].sort(), ['app/www/.treadle.ts', 'config/role/admin.json']);
});

test('a removed file is told of', async () => {
  const told = await watchUntil('config/schema/a.json', (root) => rmSync(join(root, 'config/schema/a.json')));
  assert.equal(told, [['config/schema/a.json']]);
});

test('a file that is empty for a moment is reported once it has content', async () => {
  const told = await watchUntil('config/schema/a.json', async (root) => {
    const path = join(root, 'config/schema/a.json');
    const eyes = watch(join(root, 'config/schema'));
    truncateSync(path, 0);
    await once(eyes, 'change');
    eyes.close();
    writeFileSync(path, '{"whole":true}');
  });
  assert.is(told.length, 1);
});

test.run();
