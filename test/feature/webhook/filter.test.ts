import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compileHookPlan } from '../../../src/feature/webhook/hook-plan.ts';
import { compileSecrets } from '../../../src/feature/webhook/receiver/secret-name.ts';
import type { HookModel, Model } from '../../../src/model/model.ts';
import { type Hook, Hook as HookShape } from '../../../src/model/shape.ts';
import { inShop, SHOP } from '../../store/read/_shop.ts';
import { toModel } from '../../store/read/_world.ts';

const filter = suite('webhook/filter');

type Row = Record<string, unknown>;

function toPlan(model: Model, more: Partial<Hook>, schema: string | undefined = 'product') {
  const parameters = schema === undefined ? {} : { parameters: { schema } };
  const definition = HookShape.parse({ title: 'T', event: 'system-model-create', type: 'a.b', ...parameters, ...more });
  const hook = { name: 'hook', definition, schema, file: 'config/webhook/hook.json' } as HookModel;
  return compileHookPlan(hook, model, compileSecrets(model));
}

/** Each filter runs in the database and on rows in memory. */
const SAME: readonly Row[] = [
  { product_name: 'one' },
  { product_name: { ne: 'one' } },
  { product_name: ['one', 'two', 'none'] },
  { product_name: { in: 'one,two' } },
  { product_name: { nin: ['one', 'two'] } },
  { product_name: { contains: 'O' } },
  { product_name: { starts: 'T' } },
  { product_name: { ends: 'E' } },
  { product_name: { contains: '%' } },
  { product_name: { gt: 'one' } },
  { product_name: { lte: 'one' } },
  { product_code: null },
  { product_code: { null: 0 } },
  { product_code: { ne: 'A' } },
  { product_code: { nin: ['A'] } },
  { product_code: 'a' },
  { product_stock: 2 },
  { product_stock: '2' },
  { product_stock: { gte: 2 } },
  { product_stock: { lt: 2 } },
  { product_stock: { between: [1, 2] } },
  { product_stock: { between: [null, 1] } },
  { product_stock: { between: '2,' } },
  { product_stock: 1.5 },
  { product_stock: { gt: 1.5 } },
  { product_stock: { ne: 1.5 } },
  { product_weight: { gt: 0.5 } },
  { product_weight: 1.25 },
  { product_open: 1 },
  { product_open: 'true' },
  { product_open: { ne: 1 } },
  { product_day: '2026-01-31' },
  { product_day: { lt: '2026' } },
  { product_day: { gte: '2026-01' } },
  { product_at: { lte: '2026-01-31' } },
  { product_at: { gt: '2026-01-31' } },
  { product_at: '2026-01-31 10:00:00' },
  { maker_id: 2 },
  { maker_id: [1, 2] },
  { parent_id: 1 },
  { parent_id: null },
  { maker_name: 'Bob' },
  { product_tags: 'a' },
  { product_tags: { has: '5' } },
  { product_tags: { in: ['b', 'a'] } },
  { product_tags: { nin: ['a'] } },
  { product_tags: null },
  { 'product_data.size': 5 },
  { product_data: { size: { gte: 5 } } },
  { product_data: { size: { lt: 12 } } },
  { 'product_data.size': '5' },
  { 'product_data.size': { in: [5, 12] } },
  { 'product_data.size': { ne: 5 } },
  { 'product_data.colour': { contains: 'b' } },
  { 'product_data.colour': null },
  { 'product_data.on': true },
  { 'product_data.on': 'false' },
  { 'product_data.deep.list': { has: 'x' } },
  { 'product_data.deep.list': { has: 7 } },
  { product_data: { has: 'first' } },
  { product_stock: { gte: 1 }, product_name: { contains: 't' } },
];

filter('means what the search means', () =>
  inShop(async ({ find, model }) => {
    const { rows } = await find({ filter: { product_active: 'any' } });
    assert.is(rows.length, 6);
    for (const wanted of SAME) {
      const found = (await find({ filter: { ...wanted, product_active: 'any' } })).rows.map((row) => row.product_name);
      const plan = toPlan(model, { filter: wanted });
      assert.equal(plan.errors, [], JSON.stringify(wanted));
      const passed = rows.filter((row) => plan.capture('system-model-create', row) !== undefined);
      assert.equal(
        passed.map((row) => row.product_name),
        found,
        JSON.stringify(wanted),
      );
    }
  }),
);

filter('asks for what an update changed, and for the row as it was', () => {
  const plan = (wanted: Row) => toPlan(toModel(SHOP), { event: 'system-model-update', filter: wanted });
  const row = { product_id: 1, product_name: 'new', product_stock: 5 };
  const results = { ...row, original: { product_id: 1, product_name: 'old', product_stock: 5 } };
  const cases: readonly (readonly [Row, boolean])[] = [
    [{ changed: { has: 'product_name' } }, true],
    [{ changed: 'product_name' }, true],
    [{ changed: { has: 'product_stock' } }, false],
    [{ changed: { in: ['product_stock', 'product_name'] } }, true],
    [{ 'original.product_name': 'old' }, true],
    [{ original: { product_name: { ne: 'old' } } }, false],
    [{ original: { product_stock: { gte: 5 } }, product_name: 'new' }, true],
  ];
  for (const [wanted, isPassed] of cases) {
    assert.equal(plan(wanted).errors, [], JSON.stringify(wanted));
    assert.is(plan(wanted).capture('system-model-update', results) !== undefined, isPassed, JSON.stringify(wanted));
  }
  assert.is(
    plan({}).capture('system-model-update', results)?.data,
    '{"product_id":1,"product_name":"new","product_stock":5,"original":{"product_id":1,"product_name":"old","product_stock":5},"changed":["product_name"]}',
  );
});

filter('of an event that nobody knows the data of, any name may be asked for', () => {
  const plan = (wanted: Row) => toPlan(toModel(SHOP), { event: 'order-paid', filter: wanted }, undefined);
  const data = { amount: 12, currency: 'EUR', tags: ['big'], buyer: { country: 'SE' } };
  const cases: readonly (readonly [Row, boolean])[] = [
    [{ amount: 12 }, true],
    [{ amount: '12' }, true],
    [{ amount: { gte: 100 } }, false],
    [{ currency: { in: ['SEK', 'EUR'] } }, true],
    [{ tags: { has: 'big' } }, true],
    [{ tags: { nin: ['big'] } }, false],
    [{ 'buyer.country': 'SE' }, true],
    [{ buyer: { country: { ne: 'SE' } } }, false],
    [{ gone: null }, true],
    [{ 'buyer.constructor': { null: 0 } }, false],
  ];
  for (const [wanted, isPassed] of cases) {
    assert.is(plan(wanted).capture('order-paid', data) !== undefined, isPassed, JSON.stringify(wanted));
  }
  for (const nothing of [undefined, null, 'text', 7, []])
    assert.is(plan({ amount: 12 }).capture('order-paid', nothing), undefined);
});

filter('tells what cannot be read, with the remedy', () => {
  const told = (more: Partial<Hook>) =>
    toPlan(toModel(SHOP), more).errors.map(({ path, message, hint }) => [path, `${message} ${hint ?? ''}`.trim()]);
  assert.equal(told({ filter: { product_nam: 'x' } }), [
    ['filter.product_nam', '"product_nam" is not a column that is sent. Did you mean "product_name"?'],
  ]);
  assert.equal(told({ filter: { product_stock: { gtee: 1 } } }), [
    ['filter.product_stock.gtee', '"gtee" is not an operator. Did you mean "gte"?'],
  ]);
  assert.equal(told({ filter: { product_stock: 'many' } }), [
    ['filter.product_stock', '"filter.product_stock" must be a number.'],
  ]);
  assert.equal(told({ filter: { product_stock: { has: 1 } } }), [
    ['filter.product_stock.has', '"filter.product_stock.has" is for lists only.'],
  ]);
  assert.equal(told({ filter: { 'product_name.x': 1 } }), [
    ['filter.product_name.x', '"product_name.x" does not exist: product_name is not JSON.'],
  ]);
  assert.is(told({ filter: { product_day: { between: [] } } }).length, 1);
  assert.is(told({ fields: ['product_nam'] }).length, 1);
  assert.equal(told({ fields: ['product_id', 'product_name', 'maker_id', 'maker_name'] }), []);
});

filter('sends the columns of its list in that order, and never a secret', () => {
  const model = toModel([
    {
      name: 'member',
      singular: 'Member',
      plural: 'Members',
      fields: [
        { name: 'name', type: 'text' },
        { name: 'pin', type: 'password' },
      ],
    },
  ]);
  const row = { member_id: 1, member_name: 'Ann', member_pin: 'scrypt:…', nested: { access_token: 't', kept: 1 } };
  const plan = (more: Partial<Hook>) => toPlan(model, more, 'member');
  const capture = (more: Partial<Hook>, results: unknown = row, event = 'system-model-create') =>
    plan(more).capture(event, results)?.data;
  assert.is(capture({}), '{"member_id":1,"member_name":"Ann","nested":{"kept":1}}');
  assert.is(capture({ fields: ['member_name', 'member_id'] }), '{"member_name":"Ann","member_id":1}');
  assert.is(capture({ fields: ['member_name', 'member_pin'] }), '{"member_name":"Ann"}');
  const updated = { member_id: 1, member_name: 'Ann', original: { member_id: 1, member_name: 'An' } };
  assert.is(
    capture({ fields: ['member_id'] }, updated, 'system-model-update'),
    '{"member_id":1,"original":{"member_id":1},"changed":[]}',
  );
  assert.is(capture({}, { big: 2n ** 64n }), '{"big":"18446744073709551616"}');
  assert.is(plan({}).capture('system-model-create', undefined)?.data, 'null');
  assert.is(capture({}, null), 'null');
  assert.is(capture({ fields: ['a'] }, [{ a: 1, b: 2 }]), '[{"a":1}]');
});

filter('bounds the data: the largest values are left out and named', () => {
  const plan = toPlan(toModel(SHOP), {});
  const results = { product_id: 1, product_text: 'ä'.repeat(200_000), product_name: 'a "name"' };
  const data = plan.capture('system-model-create', results)?.data ?? '';
  assert.equal(JSON.parse(data), { product_id: 1, product_name: 'a "name"', omitted: ['product_text'] });
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, 'x'.repeat(4000)]));
  const text = plan.capture('system-model-create', many)?.data ?? '';
  assert.ok(Buffer.byteLength(text) <= 262_144, String(text.length));
  const { omitted, ...kept } = JSON.parse(text) as { omitted: string[] };
  assert.is(omitted.length + Object.keys(kept).length, 100);
  assert.ok(omitted.length < 40);
  assert.is(plan.capture('system-model-create', ['x'.repeat(300_000)])?.data, '{"omitted":["*"]}');
});

filter('finds the owner of data by its path to a profile', () => {
  const profile = { name: 'profile', singular: 'P', plural: 'P', fields: [{ name: 'name', type: 'text' }] };
  const note = (relations: readonly object[]) => ({
    name: 'note',
    singular: 'N',
    plural: 'N',
    fields: [{ name: 'text', type: 'text' }],
    relations,
  });
  const whose = (model: Model, results: Row, schema?: string) =>
    toPlan(model, {}, schema ?? 'note').capture('system-model-create', results)?.profileId;
  const plain = toModel([profile, note([{ schema: 'profile', kind: '1:1' }])]);
  assert.is(whose(plain, { note_id: 1, profile_id: 7 }), 7);
  assert.is(whose(plain, { profile_id: 3 }, 'profile'), 3);
  const named = toModel([profile, note([{ schema: 'profile', kind: '1:1', name: 'author' }])]);
  assert.is(whose(named, { note_id: 1, author_id: 8, profile_id: 9 }), 8);
  assert.is(whose(plain, { note_id: 1 }), undefined);
});

filter.run();
