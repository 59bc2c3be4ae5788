import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { getProgram, Running } from './_process.ts';
import { Folders, run } from './run.ts';

const folders = new Folders();
const test = suite('cli/out');
test.after(() => folders.remove());

test('what goes to /dev/stdout is the file, and nothing else', async () => {
  const root = folders.makeProject();
  for (const argv of [['migrate'], ['import', 'profile', 'fixture/profile.ndjson']]) {
    assert.is((await run(argv, { cwd: root })).code, 0, argv.join(' '));
  }
  const rows = await run(['export', 'profile'], { cwd: root });
  await run(['types', '--out', 'made.d.ts'], { cwd: root });
  for (const [argv, text] of [
    [['export', 'profile', '--out', '/dev/stdout'], rows.out],
    [['types', '--out', '/dev/stdout'], readFileSync(join(root, 'made.d.ts'), 'utf8')],
  ] as const) {
    const running = new Running(getProgram(), argv, { cwd: root });
    assert.is((await running.ended).code, 0, running.err);
    assert.is(running.out, text, argv.join(' '));
  }
});

test('docs --out refuses a file, and a folder below one, and says what to name', async () => {
  const root = folders.makeProject();
  writeFileSync(join(root, 'file'), 'mine\n');
  for (const out of ['file', 'file/below', 'file/below/more', '/dev/null']) {
    const { code, err } = await run(['docs', '--out', out], { cwd: root });
    assert.is(code, 64, out);
    assert.match(err, /is not a folder/, out);
    assert.match(err, 'Name a folder.', out);
  }
  assert.is(readFileSync(join(root, 'file'), 'utf8'), 'mine\n');
});

test.run();
