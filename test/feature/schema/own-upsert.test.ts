import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOwnerAccess, runAs, SYSTEM } from '../../../src/core/access.ts';
import type { Row } from '../../../src/database/row-statement.ts';
import { outsideTransaction } from '../../../src/database/transaction.ts';
import type { App } from '../../../src/plan/app.ts';
import type { Site } from '../../boot.ts';
import { ask, asOwner, bootOwn, countRuns, toFault } from './_own-site.ts';

/** The one row of a key, whoever writes it at the same time. */
const test = suite('feature/schema/own-upsert');
const state = {} as { site: Site };
test.before(async () => {
  state.site = await bootOwn(true);
});
test.after(() => state.site?.close());

const stocks = async (code: string): Promise<readonly Record<string, unknown>[]> =>
  (await state.site.rows('stock')).filter((row) => row.stock_code === code);

test('creates the row with key and values, then changes that row; a number may be added to', async () => {
  const made = (await asOwner((app) =>
    app.upsert('stock', { stock_code: 'A' }, { stock_title: 'one', stock_hits: { increment: 5 } }),
  )) as { row: Record<string, unknown>; isNew: boolean };
  assert.is(made.isNew, true);
  assert.equal([made.row.stock_code, made.row.stock_title, made.row.stock_hits], ['A', 'one', 15]);
  const changed = (await asOwner((app) =>
    app.upsert('stock', { stock_code: 'A' }, { stock_hits: { increment: 2 } }),
  )) as typeof made;
  assert.is(changed.isNew, false);
  assert.equal(
    [changed.row.stock_id, changed.row.stock_title, changed.row.stock_hits, 'original' in changed.row],
    [made.row.stock_id, 'one', 17, false],
  );
  assert.is((await stocks('A')).length, 1);
  const found = await asOwner((app) => app.count('stock', { q: 'one' }));
  assert.is(found, 1);
});

test('the key may be the primary key, and the columns of a rule in any order', async () => {
  const made = (await asOwner((app) => app.upsert('stock', { stock_id: 4000 }, { stock_title: 'by id' }))) as {
    row: Record<string, unknown>;
  };
  assert.is(made.row.stock_id, 4000);
  const next = await state.site.emit('system-model-create', { schema: 'stock', stock_title: 'next' });
  assert.is(next.getResults('stock_id'), 4001);
  const again = await asOwner((app) => app.upsert('stock', { stock_id: '4000' }, { stock_title: 'still' }));
  assert.equal([(again as { isNew: boolean }).isNew], [false]);
  for (const isNew of [true, false]) {
    const seat = await asOwner((app) =>
      app.upsert('place', { place_row: '7', stock_id: 4000 }, { place_guest: String(isNew) }),
    );
    assert.is((seat as { isNew: boolean }).isNew, isNew);
  }
  assert.equal(
    (await state.site.rows('place')).map((row) => [row.place_row, row.place_guest]),
    [[7, 'false']],
  );
});

test('a decimal in the key names the row of that number, however it is written, and no other', async () => {
  const write = async (key: Row, note: string) =>
    (await asOwner((app) => app.upsert('fee', key, { fee_note: note }))) as { row: Row; isNew: boolean };
  // SQLite stores 12.50 as 1250.
  const first = await write({ fee_amount: '12.5' }, 'a');
  const other = await write({ fee_amount: '1250' }, 'b');
  assert.equal([first.isNew, other.isNew], [true, true]);
  for (const text of ['12.50', 12.5, '+12.500', ' 12.5 ', '1.25e1']) {
    const { row, isNew } = await write({ fee_amount: text }, 'c');
    assert.equal([row.fee_id, row.fee_amount, isNew], [first.row.fee_id, '12.50', false], String(text));
  }
  for (const isNew of [true, false]) {
    const made = await write({ fee_rate: isNew ? '-0.5' : '-0.500', fee_kind: 'x' }, 'd');
    assert.equal([made.isNew, made.row.fee_rate], [isNew, '-0.500']);
  }
  assert.match(await toFault(write({ fee_amount: '12.505' }, 'e')), /^UPSERT_REFUSED 422 /);
  assert.equal((await state.site.rows('fee')).length, 3);
});

type Upsert = Parameters<App['upsert']>;
const INVALID: readonly (readonly [args: readonly unknown[], says: RegExp])[] = [
  [['stok', {}, {}], /no schema "stok".*Did you mean "stock"/],
  [['stock', undefined, {}], /key is not an object.*app\.upsert\('stock', \{ stock_id: 7 \}/],
  [['stock', { stock_code: 'A' }, 'x'], /values are not an object/],
  [['stock', {}, {}], /An empty object is not a key of stock.*Keys: stock_id; stock_code; stock_mail\./],
  [['stock', { stock_title: 'x' }, {}], /"stock_title" is not a key/],
  [['place', { place_row: 1 }, {}], /Keys: place_id; stock_id with place_row\./],
  [['stock', { stock_code: null }, {}], /"stock_code" in the key has no value/],
  [['stock', { stock_id: 'seven' }, {}], /"stock_id" must be a whole number/],
  [['stock', { stock_code: 'A' }, { stock_code: 'B' }], /in the key and in the values/],
  [['stock', { stock_code: 'A' }, { stock_tite: 'B' }], /"stock_tite" is not a column.*Did you mean "stock_title"/],
  [['stock', { stock_code: 'A' }, { title: 'B' }], /Did you mean "stock_title"/],
  [['stock', { stock_code: 'A' }, { stock_id: 5 }], /"stock_id" is set by Treadle/],
  [['stock', { stock_code: 'A' }, { stock_updated: 'x' }], /"stock_updated" is set by Treadle/],
  [['fee', { fee_amount: '1' }, { fee_twice: '3.00' }], /"fee_twice" is set by Treadle/],
  [['fee', { fee_twice: '25.00' }, {}], /"fee_twice" is not a key.*Keys: fee_id; fee_amount; fee_kind with fee_rate\./],
  [['card', { card_code: 'A' }, { card_label: 'x' }], /"card_label" is set by Treadle/],
  [['card', { card_label: 'A!' }, {}], /"card_label" is not a key of card.*Keys: card_id; card_code\./],
];
for (const [args, says] of INVALID)
  test(`refuses ${JSON.stringify(args)}`, async () => {
    const fault = await toFault(asOwner((app) => app.upsert(...(args as unknown as Upsert))) as Promise<unknown>);
    assert.match(fault, /^UPSERT_INVALID /);
    assert.match(fault, says);
  });

test('what the events refuse is refused with status and messages, and writes nothing', async () => {
  const before = await state.site.rows('stock');
  const cases: [key: Row, values: Row, fault: RegExp][] = [
    [{ stock_mail: 'no mail' }, {}, /^UPSERT_REFUSED 422 /],
    [{ stock_code: 'A' }, { stock_hits: 'many' }, /^UPSERT_REFUSED 422 /],
    [{ stock_code: 'V' }, { stock_title: 'vetoed' }, /^UPSERT_REFUSED 422 .*Vetoed/],
    [{ stock_code: 'A' }, { stock_title: 'taken back' }, /^UPSERT_REFUSED 422 .*Taken back/],
  ];
  for (const [key, values, fault] of cases)
    assert.match(await toFault(asOwner((app) => app.upsert('stock', key, values)) as Promise<unknown>), fault);
  await asOwner((app) => app.upsert('stock', { stock_code: 'M' }, { stock_mail: 'm@example.org' }));
  const taken = asOwner((app) => app.upsert('stock', { stock_code: 'N' }, { stock_mail: 'm@example.org' }));
  assert.match(await toFault(taken), /^UPSERT_REFUSED 409 /);
  assert.is((await state.site.rows('stock')).length, before.length + 1);
});

test('a removed row that a person may not change is not there for them', async () => {
  const clerk = await state.site.as('Rita', ['clerk']);
  for (const [title, status] of [
    ['hidden', 404],
    ['shown', 409],
  ] as const) {
    const { stock_id } = (
      await state.site.emit('system-model-create', { schema: 'stock', stock_code: `gone ${title}`, stock_title: title })
    ).getResults() as Row;
    await state.site.emit('system-model-remove', { schema: 'stock', stock_id });
    const answer = await ask(clerk, (app) => app.upsert('stock', { stock_id }, { stock_hits: 3 }));
    assert.equal([answer.code, answer.status], ['UPSERT_REFUSED', status], title);
  }
});

test('a removed row has let its key go, and only its id still names it', async () => {
  const write = (key: Row) => asOwner((app) => app.upsert('stock', key, { stock_title: 'r' })) as Promise<never>;
  const { row } = (await write({ stock_code: 'R' })) as { row: { stock_id: number } };
  await state.site.emit('system-model-remove', { schema: 'stock', stock_id: row.stock_id });
  assert.match(await toFault(write({ stock_id: row.stock_id })), /^UPSERT_REFUSED 409 .*removed.*Restore it/);
  const second = (await write({ stock_code: 'R' })) as { row: { stock_id: number }; isNew: boolean };
  assert.is(second.isNew, true);
  assert.is.not(second.row.stock_id, row.stock_id);
  assert.is((await stocks('R')).length, 2);
});

test('1,000 parallel calls with 10 keys give 10 rows, no error, and each is counted', async () => {
  const runs = [countRuns('create'), countRuns('update')] as const;
  const made = (await Promise.all(
    Array.from({ length: 1000 }, (_, index) =>
      asOwner((app) =>
        app.upsert(
          'stock',
          { stock_code: `K${index % 10}` },
          { stock_hits: { increment: 1 }, stock_title: 'parallel' },
        ),
      ),
    ),
  )) as { isNew: boolean }[];
  assert.is(made.filter(({ isNew }) => isNew).length, 10);
  const rows = (await state.site.rows('stock')).filter((row) => row.stock_title === 'parallel');
  assert.equal(
    rows.map((row) => row.stock_hits),
    Array(10).fill(110),
  );
  assert.equal([countRuns('create') - runs[0], countRuns('update') - runs[1]], [10, 990]);
});

test('creates, removals and upserts of the same keys at once: one row of each key, and no error of an upsert', async () => {
  const keys = Array.from({ length: 5 }, (_, index) => `X${index}`);
  const work = Array.from({ length: 150 }, async (_, index) => {
    const stock_code = keys[index % keys.length] as string;
    if (index % 3 === 0) return state.site.app.emit('system-model-create', { schema: 'stock', stock_code });
    if (index % 3 === 1) return asOwner((app) => app.upsert('stock', { stock_code }, { stock_title: 'x' }));
    const found = await state.site.app.emit('system-model-search', { schema: 'stock', filter: { stock_code } });
    const [row] = (found.getResults('rows') ?? []) as { stock_id: number }[];
    return row && state.site.app.emit('system-model-remove', { schema: 'stock', stock_id: row.stock_id });
  });
  await Promise.all(work);
  for (const stock_code of keys) {
    await asOwner((app) => app.upsert('stock', { stock_code }, { stock_title: 'last' }));
    assert.is((await stocks(stock_code)).filter((row) => row.stock_active === 1).length, 1);
  }
});

test('inside app.transaction it joins it, a refused call undoes itself alone, and the rest goes on', async () => {
  const answer = await asOwner((app) =>
    app.transaction(async () => {
      await app.upsert('stock', { stock_code: 'T1' }, { stock_title: 't' });
      const fault = await toFault(app.upsert('stock', { stock_code: 'T2' }, { stock_title: 'vetoed' }));
      const taken = await toFault(app.upsert('stock', { stock_code: 'T3' }, { stock_mail: 'm@example.org' }));
      const again = await app.upsert('stock', { stock_code: 'T1' }, { stock_title: 'again' });
      await Promise.all(
        ['T4', 'T5', 'T4'].map((stock_code) => app.upsert('stock', { stock_code }, { stock_title: 't' })),
      );
      return [fault.slice(0, 18), taken.slice(0, 18), again.isNew];
    }),
  );
  assert.equal(answer, ['UPSERT_REFUSED 422', 'UPSERT_REFUSED 409', false]);
  const counts = await Promise.all(['T1', 'T2', 'T3', 'T4', 'T5'].map(async (code) => (await stocks(code)).length));
  assert.equal(counts, [1, 0, 0, 1, 1]);
  const thrown = asOwner((app) =>
    app.transaction(async () => {
      await app.upsert('stock', { stock_code: 'T6' }, { stock_title: 't' });
      throw new Error('no');
    }),
  );
  assert.match(await toFault(thrown), /no/);
  assert.is((await stocks('T6')).length, 0);
});

for (const attempts of [undefined, 15])
  test(`parallel transactions with attempts ${attempts} write one row of a key`, async () => {
    const code = `S${attempts ?? ''}`;
    const options = attempts === undefined ? {} : { attempts };
    const work = Array.from({ length: 8 }, () =>
      asOwner((app) =>
        app.transaction(async () => {
          await app.count('place');
          return app.upsert('stock', { stock_code: code }, { stock_hits: { increment: 1 } });
        }, options),
      ),
    );
    const made = (await Promise.all(work)) as { isNew: boolean }[];
    assert.is(made.filter(({ isNew }) => isNew).length, 1);
    assert.equal(
      (await stocks(code)).map((row) => row.stock_hits),
      [18],
    );
  });

test('a transaction that has changed the row before does not wait behind those who wait for it', async () => {
  const { row } = (await asOwner((app) => app.upsert('stock', { stock_code: 'W' }, { stock_hits: 0 }))) as { row: Row };
  const others: Promise<unknown>[] = [];
  const put = (app: App) => app.upsert('stock', { stock_code: 'W' }, { stock_hits: { increment: 1 } });
  await asOwner((app) =>
    app.transaction(async () => {
      await app.emit('system-model-update', { schema: 'stock', stock_id: row.stock_id, stock_title: 'w' });
      for (let index = 0; index < 4; index += 1) others.push(runAs(SYSTEM, () => outsideTransaction(() => put(app))));
      await app.count('stock');
      await put(app);
    }),
  );
  await Promise.all(others);
  assert.equal(
    (await stocks('W')).map(({ stock_hits }) => stock_hits),
    [5],
  );
});

test('the rules of who asks: create and update are each needed, and judge each', async () => {
  const clerk = await state.site.as('Cleo', ['clerk']);
  const guest = state.site.browser();
  const stock_code = 'P';
  const write =
    (values: object, code = stock_code) =>
    (app: App) =>
      app.upsert('stock', { stock_code: code }, values as never);
  assert.equal((await ask(guest, write({ stock_title: 'open' }))).code, 'UPSERT_REFUSED');
  assert.is((await ask(clerk, write({ stock_hits: 200 }))).status, 403);
  assert.is((await stocks('P')).length, 0);
  const made = (await ask(clerk, write({ stock_hits: 20 }))).value as { isNew: boolean };
  assert.is(made.isNew, true);
  // Out of reach: the row exists, and no second one is made.
  await asOwner(write({ stock_title: 'hidden' }));
  assert.equal(await ask(clerk, write({ stock_title: 'mine' })), { code: 'UPSERT_REFUSED', status: 404, detail: {} });
  const lifted = await ask(clerk, (app) => app.asSystem(() => write({ stock_title: 'mine' })(app)));
  assert.is((lifted.value as { isNew: boolean }).isNew, false);
  // A column that may not be read names no row.
  const seat = await ask(clerk, (app) => app.upsert('place', { stock_id: 1, place_row: 1 }, { place_guest: 'c' }));
  assert.equal([seat.code, seat.status], ['UPSERT_REFUSED', 403]);
  assert.is((await stocks('P')).length, 1);
});

test('in a user call the row is of the user of the token, whatever the key says', async () => {
  const [ann, bob] = await Promise.all(
    ['Ann', 'Bob'].map(async (profile_name) => {
      const made = await state.site.emit('system-model-create', { schema: 'profile', profile_name });
      return Number(made.getResults('profile_id'));
    }),
  );
  const asUser = (id: number) => createOwnerAccess({ kind: 'user', authId: id, profileId: id }, id);
  const put = (owner: number, key: number, desk_code: string): Promise<unknown> =>
    asOwner((app) =>
      runAs(asUser(owner), () =>
        app.upsert('desk', { profile_id: key, desk_name: 'oak' }, { desk_tidy: 1, desk_code }),
      ),
    );
  const made = (await put(ann as number, bob as number, 'secret one')) as { row: Row; isNew: boolean };
  assert.equal([made.isNew, made.row.profile_id, 'desk_code' in made.row], [true, ann, false]);
  assert.is(((await put(ann as number, bob as number, 'secret two')) as { isNew: boolean }).isNew, false);
  assert.is(((await put(bob as number, bob as number, 'secret two')) as { isNew: boolean }).isNew, true);
  assert.equal(
    (await state.site.rows('desk')).map(({ profile_id }) => profile_id),
    [ann, bob],
  );
});

test('the history and the versions know each write', async () => {
  await asOwner((app) => app.upsert('stock', { stock_code: 'H' }, { stock_title: 'h1' }));
  const { row } = (await asOwner((app) => app.upsert('stock', { stock_code: 'H' }, { stock_title: 'h2' }))) as {
    row: { stock_id: number };
  };
  const found = await state.site.emit('history-search', { schema: 'stock', id: row.stock_id });
  const rows = found.getResults('rows') as { action?: string }[];
  assert.is(rows.length, 2, JSON.stringify(rows));
});

test.run();
