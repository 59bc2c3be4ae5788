import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Row } from '../../../src/database/row-statement.ts';
import { compareHistory, KEYS, type Told } from './_history.ts';
import {
  createRandom,
  drawNote,
  drawPhone,
  drawRoles,
  drawTag,
  type Random,
  type RoleWorld,
  startRoleWorld,
} from './_world.ts';

const test = suite('roles: history');

const SEEDS = [11, 12, 13, 14];
/** Changes whose entries are compared, for each seed. */
const CHANGES = Number(process.env.ROLE_CASES ?? 120) / SEEDS.length;

async function change({ world, people, rows }: RoleWorld, random: Random): Promise<Told | undefined> {
  const schema = random.pick(['note', 'note', 'note', 'tag', 'profile']);
  const key = KEYS[schema] as string;
  const drawn: Row =
    schema === 'note'
      ? { ...drawNote(random), profile_id: random.pick(people).profileId }
      : schema === 'tag'
        ? drawTag(random)
        : { profile_team: random.pick(['red', 'blue']), profile_phone: drawPhone(random) };
  const before = await rows(schema);
  const id = random.pick(before)[key];
  const isMade = schema !== 'profile' && random.chance(0.15);
  const action = isMade
    ? 'create'
    : schema === 'profile'
      ? 'update'
      : random.pick(['update', 'update', 'remove', 'restore']);
  const values = Object.fromEntries(Object.entries(drawn).filter(() => isMade || random.chance(0.5)));
  const stage = { schema, ...(isMade ? {} : { [key]: id }), ...(action === 'update' || isMade ? values : {}) };
  const entries = await world.site.rows('treadle_history');
  await world.site.app.emit(`system-model-${action}` as never, stage as never);
  const [entry] = (await world.site.rows('treadle_history')).slice(entries.length);
  if (entry === undefined) return undefined;
  const after = (await rows(schema)).find((row) => row[key] === Number(entry.row_id)) as Row;
  const was = before.find((row) => row[key] === Number(entry.row_id));
  return { id: Number(entry.history_id), schema, before: was, after };
}

for (const seed of SEEDS) {
  test(`entries and versions show what the rules let a person see of the row as it was, for rules drawn by seed ${seed}`, async () => {
    const random = createRandom(seed);
    const role = await startRoleWorld(drawRoles(random), random);
    try {
      const told: Told[] = [];
      for (let index = 0; index < CHANGES; index += 1) {
        const made = await change(role, random);
        if (made) told.push(made);
      }
      const wrong: string[] = [];
      for (const entry of told)
        for (const person of [undefined, ...role.people]) {
          const difference = await compareHistory(role, entry, person);
          if (difference !== undefined) wrong.push(difference);
        }
      assert.is(wrong.length, 0, wrong.slice(0, 5).join('\n'));
      assert.ok(told.length > CHANGES / 3, String(told.length));
    } finally {
      await role.world.close();
    }
  });
}

test.run();
