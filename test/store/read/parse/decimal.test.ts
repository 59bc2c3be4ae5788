import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Row } from '../../../../src/database/row-statement.ts';
import { fromUnits } from '../../../../src/model/decimal/decimal.ts';
import { SearchError } from '../../../../src/store/read/answer.ts';
import { judgeRows } from '../../../../src/store/read/judge.ts';
import { createSearcher, type Searcher } from '../../../../src/store/read/searcher.ts';
import { createNext, type Entry, fillLedger, LEDGER, type Name, SCALES } from '../_decimal.ts';
import { type World, withWorld } from '../_world.ts';

const test = suite('searches of decimals');

const SEED = 37;
const ENTRIES = 400;

interface Ledger extends World {
  readonly entries: readonly Entry[];
  readonly searcher: Searcher;
}

const withLedger = (fn: (ledger: Ledger) => Promise<void>): Promise<void> =>
  withWorld(
    async (world) => {
      const entries = await fillLedger(world, ENTRIES, SEED);
      await fn({ ...world, entries, searcher: createSearcher(world.model) });
    },
    true,
    LEDGER,
  );

const names = Object.keys(SCALES) as Name[];
/** Rows may be JSON texts until somebody reads them. */
const read = (value: unknown): Row[] => JSON.parse(JSON.stringify(value)) as Row[];
const ids = (rows: readonly Row[]): number[] => rows.map(({ entry_id }) => Number(entry_id));

async function find({ searcher, database }: Ledger, input: Row): Promise<Row[]> {
  const { rows } = await searcher.search(database, 'entry', { limit: 1000, ...input });
  return read(rows);
}

test('a search gives the text of each decimal: as a page, as columns, beside related rows', () =>
  withLedger(async (ledger) => {
    const { entries, searcher, database } = ledger;
    const expected = entries.map(({ row }, index): Row => ({ entry_id: index + 1, ...row }));
    const pick = (row: Row): Row => Object.fromEntries(Object.keys(expected[0] ?? {}).map((name) => [name, row[name]]));
    assert.equal((await find(ledger, {})).map(pick), expected);
    const [first] = await find(ledger, { limit: 1 });
    assert.is(first?.account_limit, ['-0.005', '0.000', '999999.999'][Number(first?.account_id) - 1]);
    const expanded = await searcher.search(database, 'account', { expand: 'marked' });
    const found = read(expanded.rows).flatMap(({ marked }) => marked as Row[]);
    const byId = new Map(expected.map((row) => [Number(row.entry_id), row]));
    assert.ok(found.length > 200);
    for (const row of found)
      assert.equal({ ...pick(row), account_id: 0 }, { ...byId.get(Number(row.entry_id)), account_id: 0 });
    const detail = read([await searcher.detail(database, 'account', { column: 'account_id', value: 2 })])[0];
    assert.is(detail?.account_limit, '0.000');
    for (const row of (detail as Row).marked as Row[])
      assert.is(row.entry_tiny, byId.get(Number(row.entry_id))?.entry_tiny);
    for (const value of ['0.07', 0.07, '7e-2', '+0.070']) {
      const one = await searcher.detail(database, 'entry', { column: 'entry_number', value });
      assert.is(one?.entry_id, 8, String(value));
    }
    for (const value of ['0.071', 'x', '1e99', null])
      assert.is(await searcher.detail(database, 'entry', { column: 'entry_number', value }), undefined, String(value));
  }));

/** A number to compare with, in units of ten to the power of -20. */
interface Bound {
  readonly text: string;
  readonly size: bigint;
}

const POWER = 20;

function createBound(next: () => number, scale: number, { entries }: Ledger, name: Name): Bound {
  const some = entries[Math.floor(next() * entries.length)]?.units[name] ?? 0n;
  const kind = next();
  if (kind < 0.4) return { text: fromUnits(some, scale), size: some * 10n ** BigInt(POWER - scale) };
  // A little beside a value, which has more digits than the column.
  const size = some * 10n ** BigInt(POWER - scale) + BigInt(Math.floor(next() * 7) - 3);
  if (kind < 0.9) return { text: fromUnits(size, POWER), size };
  const far = (next() < 0.5 ? -1n : 1n) * 10n ** 30n;
  return { text: String(far), size: far * 10n ** BigInt(POWER) };
}

const TESTS: Readonly<Record<string, (value: bigint | null, bounds: readonly bigint[]) => boolean>> = {
  eq: (value, [bound]) => value === bound,
  ne: (value, [bound]) => value !== bound,
  lt: (value, [bound = 0n]) => value !== null && value < bound,
  lte: (value, [bound = 0n]) => value !== null && value <= bound,
  gt: (value, [bound = 0n]) => value !== null && value > bound,
  gte: (value, [bound = 0n]) => value !== null && value >= bound,
  between: (value, [least = 0n, most = 0n]) => value !== null && value >= least && value <= most,
  in: (value, bounds) => value !== null && bounds.includes(value),
  nin: (value, bounds) => value === null || !bounds.includes(value),
};

test('filters compare as exact arithmetic does, also with more digits, and beyond all decimals', () =>
  withLedger(async (ledger) => {
    const { entries, model, database } = ledger;
    const next = createNext(SEED + 1);
    for (let round = 0; round < 300; round += 1) {
      const name = names[round % names.length] as Name;
      const scale = SCALES[name];
      const [operator, passes] = Object.entries(TESTS)[Math.floor(next() * 9)] as [string, (typeof TESTS)['eq']];
      const isMany = operator === 'in' || operator === 'nin' || operator === 'between';
      const bounds = Array.from({ length: isMany ? 2 : 1 }, () => createBound(next, scale, ledger, name));
      const wanted = entries.flatMap(({ units }, index) => {
        const value = units[name];
        const size = value === null ? null : value * 10n ** BigInt(POWER - scale);
        return passes(
          size,
          bounds.map((bound) => bound.size),
        )
          ? [index + 1]
          : [];
      });
      const value = isMany ? bounds.map(({ text }) => text) : bounds[0]?.text;
      const filter = { [`entry_${name}`]: { [operator]: value } };
      const shown = JSON.stringify(filter);
      assert.equal(ids(await find(ledger, { filter })), wanted, shown);
      if (round % 5 > 0) continue;
      const rows = entries.map(({ row }, index) => ({ entry_id: index + 1, ...row }));
      const verdicts = await judgeRows({ model, database }, 'entry', rows, { anyOf: [filter] });
      const judged = verdicts.flatMap((verdict, index) => (verdict === undefined ? [] : [index + 1]));
      assert.equal(judged, wanted, `judged ${shown}`);
    }
    for (const value of [1.5, '1.50', ' 1.5 ', '15e-1'])
      assert.equal(ids(await find(ledger, { filter: { entry_number: { lte: value } } })).length, 151, String(value));
    assert.is(ids(await find(ledger, { filter: { entry_amount: null } })).length > 10, true);
  }));

test('filters of a 1:1 row and of related rows compare alike, and a mask hides the text', () =>
  withLedger(async (ledger) => {
    const { entries, searcher, database } = ledger;
    const byAccount = (...wanted: number[]) =>
      entries.flatMap(({ row }, index) => (wanted.includes(Number(row.account_id)) ? [index + 1] : []));
    for (const name of ['account_limit', 'account.account_limit']) {
      assert.equal(ids(await find(ledger, { filter: { [name]: { lt: '-0.0045' } } })), byAccount(1), name);
      assert.equal(ids(await find(ledger, { filter: { [name]: ['-0.005', '999999.999'] } })), byAccount(1, 3), name);
      assert.equal(ids(await find(ledger, { filter: { [name]: { nin: ['0'] } } })), byAccount(1, 3), name);
    }
    const masks = new Map([['entry_amount', [[{ entry_amount: { gte: '0.005' } }]]]]);
    for (const more of [{}, { expand: 'account' }]) {
      const { rows } = await searcher.search(database, 'entry', { limit: 1000, ...more }, { rows: { masks } });
      for (const [index, row] of read(rows).entries()) {
        const { units, row: written } = entries[index] as Entry;
        const shown = units.amount !== null && units.amount > 0n ? written.entry_amount : undefined;
        assert.is(row.entry_amount, shown, `row ${index + 1}`);
      }
    }
  }));

const REFUSED: readonly (readonly [Row, RegExp])[] = [
  [{ filter: { entry_amount: 'x' } }, /"filter\[entry_amount\]" must be a number\./],
  [{ filter: { entry_amount: { in: ['1', '1,5,'] } } }, /must be a number/],
  [{ filter: { entry_amount: { contains: '1' } } }, /is for text only/],
  [{ filter: { entry_amount: { has: '1' } } }, /is for lists only/],
  [{ filter: { entry_amount: true } }, /must be a number/],
  [{ filter: { entry_amount: { eq: ['1'] } } }, /must be one value/],
];

test('what is no number is refused', () =>
  withLedger(async (ledger) => {
    for (const [input, message] of REFUSED) {
      try {
        await find(ledger, input);
        assert.unreachable(JSON.stringify(input));
      } catch (error) {
        assert.instance(error, SearchError, String(error));
        assert.match((error as Error).message, message);
      }
    }
  }));

const compare = (a: bigint | null, b: bigint | null): number =>
  a === b ? 0 : a === null ? -1 : b === null ? 1 : a < b ? -1 : 1;

test('pages by cursors and offsets give every row in order, forwards and backwards', () =>
  withLedger(async (ledger) => {
    const { entries, searcher, database } = ledger;
    for (const name of names) {
      for (const sign of ['', '-'] as const) {
        const sorted = entries
          .map(({ units }, index) => ({ id: index + 1, value: units[name] }))
          .sort((a, b) => (compare(a.value, b.value) || a.id - b.id) * (sign === '' ? 1 : -1))
          .map(({ id }) => id);
        const input = { sort: `${sign}entry_${name}`, limit: 37 };
        assert.equal(ids(await find(ledger, { ...input, limit: 1000 })), sorted, `${sign}${name}`);
        const seen: number[] = [];
        let after: string | undefined;
        let before: string | undefined;
        do {
          const found = await searcher.search(database, 'entry', { ...input, after });
          const rows = read(found.rows);
          seen.push(...ids(rows));
          if (found.next === undefined) before = found.previous;
          after = found.next;
        } while (after !== undefined);
        assert.equal(seen, sorted, `after ${sign}${name}`);
        const back = await searcher.search(database, 'entry', { ...input, before });
        const start = sorted.length - (sorted.length % 37 || 37) - 37;
        assert.equal(ids(read(back.rows)), sorted.slice(start, start + 37), `before ${sign}${name}`);
      }
    }
  }));

const toCursor = (...values: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(['entry_amount,entry_id', ...values])).toString('base64url');

test('a forged cursor is refused before it reaches the database', () =>
  withLedger(async (ledger) => {
    assert.ok((await find(ledger, { sort: 'entry_amount', after: toCursor('0.01', 1) })).length > 0);
    assert.ok((await find(ledger, { sort: 'entry_amount', after: toCursor(null, 1) })).length > 0);
    for (const value of [
      0.01,
      1,
      '1',
      '0.010',
      '01.00',
      '-0.00',
      'x',
      '',
      ['0.01'],
      '1e2',
      '10000000000000.00',
      '0.01 ',
    ]) {
      try {
        await find(ledger, { sort: 'entry_amount', after: toCursor(value, 1) });
        assert.unreachable(String(value));
      } catch (error) {
        assert.instance(error, SearchError, String(error));
      }
    }
  }));

const divide = (dividend: bigint, divisor: bigint): bigint => {
  const size = dividend < 0n ? -dividend : dividend;
  const rounded = size / divisor + ((size % divisor) * 2n >= divisor ? 1n : 0n);
  return dividend < 0n ? -rounded : rounded;
};

test('groups, sums and averages are exact', () =>
  withLedger(async (ledger) => {
    const { entries } = ledger;
    for (const name of names) {
      const wanted = ['k0', 'k1', 'k2', 'k3'].map((kind) => {
        const list = entries.filter(({ row }) => row.entry_kind === kind);
        const values = list.flatMap(({ units }) => units[name] ?? []);
        const sum = values.reduce((total, value) => total + value, 0n);
        const mean = divide(sum * 10_000n, BigInt(values.length));
        return {
          entry_kind: kind,
          count: list.length,
          total: fromUnits(sum, SCALES[name]),
          average: fromUnits(mean, SCALES[name] + 4),
        };
      });
      const input = { group: 'entry_kind', sum: `entry_${name}`, average: `entry_${name}` };
      assert.equal(await find(ledger, input), wanted, name);
      const byMean = await find(ledger, { ...input, sort: '-average' });
      const toSize = (row: Row): bigint => BigInt(String(row.average).replace('.', ''));
      assert.equal(
        byMean,
        [...wanted].sort((a, b) => compare(toSize(b), toSize(a))),
        `-average ${name}`,
      );
      const byValue = await find(ledger, { group: `entry_${name}`, sort: `-entry_${name}` });
      const values = [...new Set(entries.map(({ units }) => units[name]))].sort((a, b) => -compare(a, b));
      assert.equal(
        byValue.map((row) => row[`entry_${name}`]),
        values.map((value) => (value === null ? null : fromUnits(value, SCALES[name]))),
        `group ${name}`,
      );
    }
    const none = { filter: { entry_kind: 'none' }, sum: 'entry_amount', average: 'entry_amount' };
    assert.equal(await find(ledger, none), [{ count: 0, total: '0.00', average: null }]);
  }));

/** Column, values, their average. */
const AVERAGES: readonly (readonly [string, readonly (number | null)[], number | null])[] = [
  ['count', [], null],
  ['count', [null], null],
  ['count', [1, 2], 1.5],
  ['count', [1, 0, 0], 0.3333],
  ['count', [-2, 0, 0], -0.6667],
  ['count', [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0.0625],
  ['count', [2 ** 53 - 1, 2 ** 53 - 1], 2 ** 53 - 1],
  ['price', [0.1, 0.2], 0.15],
  ['price', [0.01, 0, 0], 0.003333],
  ['price', [19.99, null, 5.01], 12.5],
];

test('averages of other numbers are numbers with four digits more, the same on both databases', () =>
  withWorld(
    async (world) => {
      const { model, database } = world;
      const searcher = createSearcher(model);
      await world.insert('account', { account_name: 'a', account_active: 1 });
      for (const [index, [column, values]] of AVERAGES.entries())
        for (const value of values)
          await world.insert('entry', {
            ...{ entry_kind: `k${String(index).padStart(2, '0')}`, account_id: 1, entry_active: 1 },
            [`entry_${column}`]: value,
          });
      for (const [index, [column, values, average]] of AVERAGES.entries()) {
        const filter = { entry_kind: `k${String(index).padStart(2, '0')}` };
        const { rows } = await searcher.search(database, 'entry', { filter, average: `entry_${column}` });
        assert.equal(rows, [{ count: values.length, average }], `${column} ${values.join()}`);
      }
      const input = { group: 'entry_kind', average: 'entry_count', sort: 'average,entry_kind' };
      const { rows } = await searcher.search(database, 'entry', input);
      assert.equal(
        rows.map(({ average }) => average),
        [null, null, null, null, -0.6667, 0.0625, 0.3333, 1.5, 2 ** 53 - 1],
      );
    },
    false,
    LEDGER,
  ));

test.run();
