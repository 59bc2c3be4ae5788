import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CHECKS, see } from './_readers.ts';
import { createRandom, drawRoles, startRoleWorld } from './_world.ts';

const test = suite('roles: what reads rows beside the searches');

const SEEDS = Array.from({ length: Math.ceil(Number(process.env.ROLE_CASES ?? 400) / 100) }, (_, index) => 21 + index);

for (const seed of SEEDS) {
  test(`the data file, accounts and exports show what the rules let a person see, for rules drawn by seed ${seed}`, async () => {
    const random = createRandom(seed);
    const role = await startRoleWorld(drawRoles(random), random);
    const { app } = role.world.site;
    for (let index = 0; index < 5; index += 1)
      await app.emit('system-model-remove', { schema: 'note', note_id: 1 + random.below(24) } as never);
    try {
      const wrong: string[] = [];
      for (const person of [undefined, ...role.people]) {
        const seen = await see(role, person);
        for (const [name, check] of Object.entries(CHECKS)) {
          const difference = await check(seen);
          if (difference !== undefined) wrong.push(`${name}: ${difference}`);
        }
      }
      assert.is(wrong.length, 0, wrong.slice(0, 6).join('\n'));
    } finally {
      await role.world.close();
    }
  });
}

test.run();
