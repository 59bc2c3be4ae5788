// The same searches in many orders, each on a new server: cursor x total x words x sort by JSON x related filter x rules x
// people. No answer may depend on the searches before it.
// Usage: node --import tsx test/torture/shuffled.mjs [--short] [--seed n]. 20 orders; --short asks in 2.
// On PostgreSQL with TREADLE_TEST_POSTGRES=postgres://root@127.0.0.1:5432/postgres.
import process from 'node:process';
import { createShuffle, listDifferences, listFaults, startShuffled } from '../store/read/_shuffled.ts';

const words = process.argv.slice(2);
const at = words.indexOf('--seed');
const shuffle = createShuffle(at < 0 ? 1 : Number(words[at + 1]));
const orders = words.includes('--short') ? 2 : 20;

const site = await startShuffled();
let differing = 0;
try {
  const forwards = await site.answer(site.all);
  const counts = new Map();
  for (const text of forwards.values()) counts.set(text.slice(0, 3), (counts.get(text.slice(0, 3)) ?? 0) + 1);
  const answers = [...counts].map(([status, count]) => `${count} x ${status}`).join(', ');
  process.stdout.write(`${site.all.length} searches: ${answers}\n`);
  for (let index = 0; index < orders; index += 1) {
    const order = index === 0 ? [...site.all].reverse() : shuffle(site.all);
    const found = await site.answer(order);
    const faults = [...listDifferences(forwards, found), ...listFaults(site.all, found)];
    differing += faults.length;
    for (const fault of faults.slice(0, 5)) process.stdout.write(`order ${index}: ${fault}\n`);
  }
} finally {
  await site.close();
}
process.stdout.write(`${site.all.length * (orders + 1)} requests in ${orders + 1} orders, ${differing} differences\n`);
process.exit(differing === 0 ? 0 : 1);
