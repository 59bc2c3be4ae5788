// Writes files together again and again, until it is killed: all `a…`, then all `b…`.
import process from 'node:process';
import { writeTogether } from '../../src/project/write-together.ts';

const root = process.argv[2] ?? '';
const files = Array.from({ length: 24 }, (_, index) => `config/file-${index}`);
for (let round = 0; ; round += 1) {
  const text = String(round);
  await writeTogether(
    root,
    files.map((file) => ({ file, text })),
  );
  if (round === 0) process.stdout.write('ready\n');
}
