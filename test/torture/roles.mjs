// Rules of roles, drawn by chance, against an oracle over plain rows: every door, action and schema.
// Usage: node --import tsx test/torture/roles.mjs [--short] [--seed n]. 20,000 requests; --short sends 500.
// On PostgreSQL with TREADLE_TEST_POSTGRES=postgres://root@127.0.0.1:5432/postgres.
import process from 'node:process';
import { runStep } from '../feature/role/_every.ts';
import { createRandom, drawRoles, startRoleWorld } from '../feature/role/_world.ts';

const words = process.argv.slice(2);
const at = words.indexOf('--seed');
const first = at < 0 ? 1 : Number(words[at + 1]);
const cases = words.includes('--short') ? 500 : 20_000;
const PER_WORLD = 500;

let differing = 0;
const seen = new Map();
for (let done = 0, seed = first; done < cases; done += PER_WORLD, seed += 1) {
  const random = createRandom(seed);
  const world = await startRoleWorld(drawRoles(random), random);
  try {
    for (let index = 0; index < PER_WORLD; index += 1) {
      const difference = await runStep(world, random, seen);
      if (difference === undefined) continue;
      differing += 1;
      if (differing <= 40) process.stdout.write(`seed ${seed}, case ${index}: ${difference.slice(0, 1500)}\n`);
    }
  } finally {
    await world.world.close();
  }
}
process.stdout.write(`${cases} requests, ${differing} differences, ${seen.size} kinds of door, action and status\n`);
process.exit(differing === 0 ? 0 : 1);
