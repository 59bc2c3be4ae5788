import { join } from 'node:path';
import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/core/clock.ts';
import type { Row } from '../../../src/database/row-statement.ts';
import { loadBinding } from '../../../src/database/sqlite/binding.ts';
import { Connection } from '../../../src/database/sqlite/connection.ts';
import type { App } from '../../../src/plan/app.ts';
import type { Site } from '../../boot.ts';
import { ask, asOwner, bootOwn, toFault } from './_own-site.ts';

/** Every row of a search, in any number, while others write. */
const test = suite('feature/schema/own-reads');
const state = {} as { site: Site };
/** More than two pages of 500. */
const COUNT = 1250;
const LONG = 'x'.repeat(12_000);

const SIZES = [null, 0.1 + 0.2, 1 / 3, -2 / 3, 1e21, 1e-7, -0, 5];
const KEYS = [{}, { key: 1 }, { key: 1.5 }, { key: 'a' }, { key: null }, null];

test.before(async () => {
  state.site = await bootOwn(false);
  const rows = Array.from({ length: COUNT }, (_, index) => ({
    stock_title: index % 50 === 0 ? 'hidden' : index % 3 === 0 ? null : `title ${index % 4}`,
    stock_size: SIZES[index % SIZES.length],
    stock_note: index % 40 === 7 || index === 499 ? { key: LONG } : KEYS[index % KEYS.length],
    stock_hits: index,
  }));
  // In parts: a slow machine would need longer than a transaction may last.
  for (let start = 0; start < COUNT; start += 250)
    await state.site.emit('system-model-import', { schema: 'stock', rows: rows.slice(start, start + 250) });
  const places = Array.from({ length: 60 }, (_, index) => ({
    stock_id: index + 1,
    place_row: index,
    place_guest: 'g',
  }));
  await state.site.emit('system-model-import', { schema: 'place', rows: places });
});
test.after(() => state.site?.close());

const listIds = async (app: App, search: object, each?: (row: Row) => unknown): Promise<number[]> => {
  const ids: number[] = [];
  for await (const row of app.rows('stock' as string, search as Row)) {
    ids.push(Number(row.stock_id));
    await each?.(row as Row);
  }
  return ids;
};

const SORTS: readonly (string | undefined)[] = [
  undefined,
  'stock_title',
  '-stock_title',
  'stock_size',
  '-stock_size',
  'stock_note.key',
  '-stock_note.key',
  '-stock_size,stock_title,-stock_note.key',
];
for (const sort of SORTS)
  test(`sort ${sort}: each row once, in the order of one page, whatever is null, equal, long or a double`, async () => {
    const page = await state.site.emit('system-model-search', { schema: 'stock', limit: 10_000, sort });
    const expected = (page.getResults('rows') as Row[]).map((row) => row.stock_id);
    assert.is(expected.length, COUNT);
    assert.equal(await asOwner((app) => listIds(app, { sort, fields: ['stock_id'] })), expected);
  });

test('limit is the most rows in all', async () => {
  for (const limit of [1, 499, 500, 501, 1000, '700', 10_000])
    assert.is(
      ((await asOwner((app) => listIds(app, { limit }))) as number[]).length,
      Math.min(Number(limit), COUNT),
      String(limit),
    );
});

const FAULTS: readonly (readonly [method: 'rows' | 'count' | 'exists', search: unknown, says: RegExp])[] = [
  ['rows', null, /ROWS_SEARCH_INVALID.*not an object/],
  ['rows', { limit: 0 }, /ROWS_SEARCH_INVALID.*whole number from 1 to 10000/],
  ['rows', { limit: 10_001 }, /ROWS_SEARCH_INVALID.*Leave it out/],
  ['rows', { offset: 1 }, /ROWS_SEARCH_INVALID.*"offset"/],
  ['rows', { group: 'stock_title' }, /ROWS_SEARCH_INVALID.*"group"/],
  ['rows', { filtr: {} }, /ROWS_SEARCH_INVALID.*app\.rows.*Did you mean "filter"/],
  ['count', { filtr: {} }, /ROWS_SEARCH_INVALID.*app\.count.*Did you mean "filter"/],
  ['exists', { filtr: {} }, /ROWS_SEARCH_INVALID.*app\.exists.*Did you mean "filter"/],
  ['count', { limit: 5 }, /ROWS_SEARCH_INVALID.*"limit" cannot be given to app\.count/],
  ['exists', { after: 'x' }, /ROWS_SEARCH_INVALID.*"after"/],
  ['rows', { filter: { stock_tite: 1 } }, /ROWS_REFUSED 400.*Did you mean "stock_title"/],
  ['count', { filter: { stock_tite: 1 } }, /ROWS_REFUSED 400.*Did you mean "stock_title"/],
  ['exists', { filter: { stock_tite: 1 } }, /ROWS_REFUSED 400.*Did you mean "stock_title"/],
  ['count', { sort: 'stock_hits' }, /ROWS_REFUSED 400.*sortable/],
];
for (const [method, search, says] of FAULTS)
  test(`app.${method} refuses ${JSON.stringify(search)}`, async () => {
    const read = async (app: App): Promise<unknown> =>
      method === 'rows' ? listIds(app, search as object) : app[method]('stock', search as never);
    assert.match(await toFault(asOwner(read)), says);
  });

test('an unknown schema is refused alike', async () => {
  const name = 'stok' as string;
  const reads: ((app: App) => Promise<unknown>)[] = [
    (app) => app.rows(name).next(),
    (app) => app.count(name),
    (app) => app.exists(name),
  ];
  for (const read of reads) assert.match(await toFault(asOwner(read)), /ROWS_REFUSED 422.*Did you mean "stock"/);
});

test('count and exists take the search of the rows, and tell of removed rows only on request', async () => {
  const search = {
    filter: { stock_hits: { lt: 100 } },
    sort: '-stock_title',
    fields: ['stock_id'],
    q: 'title',
  } as const;
  const read = await asOwner(async (app) => [(await listIds(app, search)).length, await app.count('stock', search)]);
  const [rows, count] = read as number[];
  assert.is(count, rows);
  assert.ok(Number(count) > 10);
  const answers = await asOwner((app) =>
    Promise.all([
      app.count('stock'),
      app.exists('stock'),
      app.exists('stock', { filter: { stock_hits: 5 } }),
      app.exists('stock', { filter: { stock_hits: -5 } }),
      app.exists('stock', { filter: { stock_active: 0 } }),
      app.count('stock', { filter: { 'place.place_row': { gte: 0 } } }),
      app.exists('stock', { filter: { place: { null: 0 } } }),
    ]),
  );
  assert.equal(answers, [COUNT, true, true, false, false, 60, true]);
});

test('exists reads one row at most, and count none', async () => {
  const { database } = state.site.app.services;
  const run = database.run.bind(database);
  const read: unknown[][] = [];
  Object.assign(database, {
    run: async (...all: Parameters<typeof run>) => {
      const rows = await run(...all);
      if (/\bstock\b/.test(all[0].sql)) read.push([rows.length, /count\(/.test(all[0].sql), all[1]]);
      return rows;
    },
  });
  try {
    await asOwner((app) => app.exists('stock'));
    assert.equal(read.length, 1);
    assert.is(Math.max(...((read[0]?.[2] ?? []) as number[])), 1, 'the limit of the statement');
    read.length = 0;
    assert.is(await asOwner((app) => app.count('stock')), COUNT);
    assert.equal(
      read.map(([rows, isCount]) => [rows, isCount]),
      [[1, true]],
    );
  } finally {
    Object.assign(database, { run });
  }
});

test('rows, counts and relations are those that the person may see; asSystem lifts it', async () => {
  const clerk = await state.site.as('Cleo', ['clerk']);
  const guest = state.site.browser();
  const visible = COUNT - Math.ceil(COUNT / 50);
  const all = async (app: App): Promise<unknown[]> => [
    (await listIds(app, {})).length,
    await app.count('stock'),
    await app.exists('stock', { filter: { stock_title: 'hidden' } }),
  ];
  assert.equal((await ask(clerk, all)).value, [visible, visible, false]);
  assert.equal((await ask(clerk, (app) => app.asSystem(() => all(app)))).value, [COUNT, COUNT, true]);
  assert.equal((await ask(guest, all)).value, [0, 0, false]);
  const titles = (await ask(clerk, async (app) => {
    const found: unknown[] = [];
    for await (const row of app.rows('place', { expand: ['stock'] as never, fields: ['place_id'] }))
      found.push((row as Row).stock_title ?? null);
    return found;
  })) as { value: unknown[] };
  assert.is(titles.value.length, 60);
  assert.not.ok(titles.value.includes('hidden'));
  const closed = await ask(guest, (app) => app.count('place'));
  assert.equal([closed.code, closed.status], ['ROWS_REFUSED', 403]);
});

test('rows are those of who called app.rows, whoever takes them', async () => {
  const clerk = await state.site.as('Cleo', ['clerk']);
  const answer = await ask(clerk, async (app) => {
    const [mine, whole] = [app.rows('stock'), app.asSystem(() => app.rows('stock'))];
    let [few, many] = [0, 0];
    await app.asSystem(async () => {
      for await (const _ of mine) few += 1;
    });
    for await (const _ of whole) many += 1;
    return [few === (await app.count('stock')), many];
  });
  assert.equal(answer.value, [true, COUNT]);
});

test('rows written meanwhile are neither repeated nor lost, and a loop that ends early leaves nothing behind', async () => {
  const { site } = state;
  const made: number[] = [];
  const removed: number[] = [];
  const ids = (await asOwner((app) =>
    listIds(app, { sort: 'stock_title' }, async ({ stock_id }) => {
      const id = Number(stock_id);
      if (id % 100 === 0) {
        const row = await site.emit('system-model-create', { schema: 'stock', stock_title: 'a first', stock_hits: -1 });
        made.push(Number(row.getResults('stock_id')));
      }
      if (id % 100 === 50) await site.emit('system-model-update', { schema: 'stock', stock_id: id, stock_hits: -7 });
      if (id % 100 === 60) {
        await site.emit('system-model-remove', { schema: 'stock', stock_id: id });
        removed.push(id);
      }
    }),
  )) as number[];
  assert.is(new Set(ids).size, ids.length);
  assert.is(ids.filter((id) => id <= COUNT).length, COUNT);
  for (const id of removed) await site.emit('system-model-restore', { schema: 'stock', stock_id: id });
  for (const id of made) await site.emit('system-model-remove', { schema: 'stock', stock_id: id });
  await asOwner(async (app) => {
    for await (const _ of app.rows('stock')) break;
  });
});

test('between two pages nothing is open: others write, the log is written back, no session is idle in a transaction', async () => {
  const { site } = state;
  const { database } = site.app.services;
  const rows = (await asOwner((app) => app.rows('stock'))) as AsyncGenerator<Row>;
  for (let taken = 0; taken < 501; taken += 1) await rows.next();
  await site.emit('system-model-update', { schema: 'stock', stock_id: 1, stock_hits: 0 });
  if (database.dialect === 'sqlite') {
    const binding = await loadBinding();
    const other = new Connection(await binding.open(join(site.root, 'var/app.db')), { binding, clock: systemClock });
    assert.equal(await other.control('pragma wal_checkpoint(truncate)'), [{ busy: 0, log: 0, checkpointed: 0 }]);
    await other.close();
  } else {
    const { rows: open } = await sql<Row>`select state, query from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%' and query like '%stock%'`.execute(
      database.kysely,
    );
    assert.equal(open, []);
  }
  let left = 0;
  for await (const _ of rows) left += 1;
  assert.is(left, COUNT - 501);
});

test('inside app.transaction it reads what that has written', async () => {
  const answer = await asOwner((app) =>
    app.transaction(async () => {
      await app.emit('system-model-create', { schema: 'stock', stock_title: 'inside' });
      const search = { filter: { stock_title: 'inside' } };
      return [(await listIds(app, search)).length, await app.count('stock', search), await app.exists('stock', search)];
    }),
  );
  assert.equal(answer, [1, 1, true]);
});

test.run();
