import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { finishPending, notePending } from '../../src/project/pending-write.ts';
import { createFolder } from './_folder.ts';

const test = suite('project/pending-write');
const WRITER = fileURLToPath(new URL('_writer.ts', import.meta.url));

/** Runs the writer, kills it some milliseconds after its first round, and waits for its end. */
async function writeAndKill(root: string, milliseconds: number): Promise<void> {
  const child = spawn(process.execPath, ['--import', 'tsx', WRITER, root], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  setTimeout(() => child.kill('SIGKILL'), milliseconds);
  await ended;
}

test('whoever is killed while it writes several files leaves all of them old or all new', async () => {
  for (const milliseconds of [3, 31, 67, 112]) {
    const { root, remove } = createFolder({});
    await writeAndKill(root, milliseconds);
    await finishPending(root);
    const names = readdirSync(join(root, 'config')).filter((name) => !name.startsWith('.'));
    const texts = new Set(names.map((name) => readFileSync(join(root, 'config', name), 'utf8')));
    assert.is(names.length, 24);
    assert.is(texts.size, 1, [...texts].join());
    remove();
  }
});

/** Puts the note of another process, which has ended, in place of one of this process. */
async function noteOfTheDead(root: string, files: Parameters<typeof notePending>[1]): Promise<void> {
  const path = await notePending(root, files);
  const note = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  writeFileSync(path, JSON.stringify({ ...note, started: 1 }));
}

test('a note is finished but for files that somebody changed since, and forgotten', async () => {
  const { root, remove } = createFolder({ one: 'old', two: 'mine', gone: 'old', done: 'new' });
  await noteOfTheDead(root, [
    { file: 'one', before: 'old', text: 'new' },
    { file: 'two', before: 'old', text: 'new' },
    { file: 'gone', before: 'old', text: undefined },
    { file: 'done', before: 'old', text: 'new' },
    { file: 'fresh', before: undefined, text: 'new' },
  ]);
  await finishPending(root);
  const read = (name: string): string => readFileSync(join(root, name), 'utf8');
  assert.equal(['one', 'two', 'done', 'fresh'].map(read), ['new', 'mine', 'new', 'new']);
  assert.not(existsSync(join(root, 'gone')));
  assert.not(existsSync(join(root, 'var')));
  remove();
});

test('the note of a write that still runs is left to it', async () => {
  const { root, remove } = createFolder({ one: 'old' });
  await notePending(root, [{ file: 'one', before: 'old', text: 'new' }]);
  await finishPending(root);
  assert.is(readFileSync(join(root, 'one'), 'utf8'), 'old');
  remove();
});

test.run();
