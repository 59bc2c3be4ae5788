import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runCase } from './_cases.ts';
import { createRandom, drawRoles, startRoleWorld } from './_world.ts';

const test = suite('roles: data');

/** Requests of the suite in all; `test/torture/roles.mjs` sends more. */
const CASES = Number(process.env.ROLE_CASES ?? 1000);
const SEEDS = [1, 2, 3, 4];

for (const seed of SEEDS) {
  test(`every door answers as the oracle says, for rules drawn by seed ${seed}`, async () => {
    const random = createRandom(seed);
    const world = await startRoleWorld(drawRoles(random), random);
    const seen = new Map<string, number>();
    const differing: string[] = [];
    try {
      for (let index = 0; index < CASES / SEEDS.length; index += 1) {
        const difference = await runCase(world, random, seen);
        if (difference !== undefined) differing.push(`case ${index}: ${difference}`);
      }
    } finally {
      await world.world.close();
    }
    assert.equal(differing.length, 0, differing.slice(0, 12).join('\n'));
    assert.ok(seen.size > 40, String(seen.size));
  });
}

test.run();
