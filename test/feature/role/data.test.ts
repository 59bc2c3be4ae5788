import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runStep } from './_every.ts';
import { createRandom, drawRoles, startRoleWorld } from './_world.ts';

const test = suite('roles: data');

/** Requests of the suite in all; `test/torture/roles.mjs` sends more. */
const CASES = Number(process.env.ROLE_CASES ?? 600);
/** Some of these roles show a searched, a joined or a related column in some rows only. */
const SEEDS = [1, 4, 52, 54, 59, 70];
/** What was drawn, over all seeds. */
const drawn = new Map<string, number>();
/** What must be among it, so that a slip there is noticed. */
const KINDS = [
  'words some',
  'joined words all some',
  'related some',
  'alternative some',
  'alternative none',
  'own search 200',
  'own detail 404',
  'condition current 200',
  'condition other 412',
  'condition other 404',
  'pages 200',
  'reader data',
  'reader accounts',
  'reader exports',
  'history of note',
];

for (const seed of SEEDS) {
  test(`every door answers as the oracle says, for rules drawn by seed ${seed}`, async () => {
    const random = createRandom(seed);
    const world = await startRoleWorld(drawRoles(random), random);
    const seen = new Map<string, number>();
    const differing: string[] = [];
    try {
      for (let index = 0; index < CASES / SEEDS.length; index += 1) {
        const difference = await runStep(world, random, seen);
        if (difference !== undefined) differing.push(`case ${index}: ${difference}`);
      }
    } finally {
      await world.world.close();
    }
    assert.equal(differing.length, 0, differing.slice(0, 12).join('\n'));
    assert.ok(seen.size > 40, String(seen.size));
    for (const [kind, count] of seen) drawn.set(kind, (drawn.get(kind) ?? 0) + count);
  });
}

test('every kind of request that hides something was drawn', () => {
  const missing = KINDS.filter((kind) => !drawn.has(kind));
  assert.equal(missing, [], [...drawn].map(([kind, count]) => `${kind}: ${count}`).join('\n'));
});

test.run();
