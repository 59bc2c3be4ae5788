// Also on PostgreSQL: a constraint keeps there what triggers keep on SQLite.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Shop, startShop } from './_shop.ts';

const reservation = {
  name: 'reservation',
  singular: 'Reservation',
  plural: 'Reservations',
  fields: [
    { name: 'from', label: 'From', type: 'date' },
    { name: 'until', label: 'Until', type: 'date' },
    { name: 'note', type: 'text' },
    { name: 'active', type: 'active' },
  ],
  relations: [{ schema: 'talk', kind: '1:0' }],
  exclude: [{ columns: ['talk_id'], range: ['from', 'until'], message: 'This room is taken then' }],
};

const exclude = suite('exclude');
const world: { shop?: Shop } = {};
const shop = (): Shop => world.shop as Shop;

exclude.before(async () => {
  world.shop = await startShop({
    code: 'export default function shop() {}',
    files: { 'config/schema/reservation.json': reservation },
  });
});
exclude.after(() => shop().site.close());

exclude('x', async () => {
  const talk = Number((await shop().emit('system-model-create', { schema: 'talk', talk_title: 'A' })).talk_id);
  const book = (from: string | null, until: string | null) =>
    shop().site.app.emit('system-model-create', {
      schema: 'reservation',
      talk_id: talk,
      reservation_from: from,
      reservation_until: until,
    });
  const seen: unknown[] = [];
  for (const [from, until] of [
    ['2026-01-01', '2026-01-05'],
    ['2026-01-05', '2026-01-06'],
    ['2026-01-04', '2026-01-06'],
    ['2026-01-07', '2026-01-03'],
    ['2026-01-03', '2026-01-03'],
    [null, '2026-01-01'],
    [null, '2025-01-01'],
    ['2026-02-01', null],
    ['2027-02-01', null],
    ['2025-02-01', '2027-01-01'],
  ] as const) {
    const made = await book(from, until);
    seen.push([from, until, made.getStatus(), made.getMessage(), made.getValidation()]);
  }
  throw new Error(seen.map((x) => JSON.stringify(x)).join('\n'));
});
exclude.run();
