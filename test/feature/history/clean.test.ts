import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot } from '../../boot.ts';
import { createFakeClock } from '../../clock.ts';

const test = suite('what a history keeps');
const DAY = 86_400;
const EVERY_MS = 600_000;
/** More than the cleaner deletes in one write. */
const OLD = 1300;

test('entries past their days are deleted until none is left, whatever their number; newer ones stay', async () => {
  const clock = createFakeClock();
  const site = await boot({ clock, settings: { history: { days: 30 } } });
  try {
    const { database } = site.app.services;
    const now = Math.floor(clock.now() / 1000);
    const insert = (number: number, age: number) => {
      const row = { subject: 'article', row_id: number, entry: '{}', created_at: now - age };
      return database.kysely.insertInto('treadle_history').values(row).execute();
    };
    const before = (await site.rows('treadle_history')).length;
    await database.write(async () => {
      for (let number = 0; number < OLD; number += 1) await insert(number, 31 * DAY);
      for (let number = 0; number < 3; number += 1) await insert(number, 29 * DAY);
    });
    clock.advance(EVERY_MS);
    for (let turn = 0; turn < 500; turn += 1) {
      // Each look at the table gives the cleaner time for its write.
      if ((await site.rows('treadle_history')).length === before + 3) break;
      clock.advance(50);
    }
    assert.is((await site.rows('treadle_history')).length, before + 3);
  } finally {
    await site.close();
  }
});

test.run();
