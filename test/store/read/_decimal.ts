import type { Row } from '../../../src/database/row-statement.ts';
import { fromUnits } from '../../../src/model/decimal/decimal.ts';
import { insertLink, insertRow } from '../../../src/store/write/row-sql.ts';
import type { World } from './_world.ts';

/** Numbers below 1 that a seed tells. */
export function createNext(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const flags = { filterable: true, sortable: true };
const special = [{ name: 'active', type: 'active' }];

/** Digits after the point of each column of decimals. */
export const SCALES = { amount: 2, rate: 5, whole: 0, tiny: 15 } as const;
export type Name = keyof typeof SCALES;

export const LEDGER = [
  {
    name: 'account',
    singular: 'Account',
    plural: 'Accounts',
    fields: [
      { name: 'name', type: 'text', ...flags },
      { name: 'limit', type: 'decimal', precision: 9, scale: 3, filterable: true, sortable: true },
      ...special,
    ],
    relations: [{ schema: 'entry', kind: 'N:N', name: 'marked' }],
  },
  {
    name: 'entry',
    singular: 'Entry',
    plural: 'Entries',
    fields: [
      { name: 'kind', type: 'text', ...flags },
      { name: 'amount', type: 'decimal', ...flags },
      { name: 'rate', type: 'decimal', precision: 15, scale: 5, ...flags },
      { name: 'whole', type: 'decimal', precision: 15, scale: 0, ...flags },
      { name: 'tiny', type: 'decimal', precision: 15, scale: 15, ...flags },
      { name: 'number', type: 'decimal', precision: 6, scale: 2, unique: true, filterable: true },
      { name: 'count', type: 'number', ...flags },
      { name: 'price', type: 'price', ...flags },
      ...special,
    ],
    relations: [{ schema: 'account', kind: '1:1' }],
  },
];

/** A row as it is written, and its decimals in the smallest unit. */
export interface Entry {
  readonly row: Row;
  readonly units: Readonly<Record<Name, bigint | null>>;
}

/** Values that are few, near each other, around zero, and as long as they can be. */
function toUnits(next: () => number, scale: number): bigint | null {
  const kind = next();
  if (kind < 0.1) return null;
  const sign = next() < 0.5 ? -1n : 1n;
  if (kind < 0.5) return sign * BigInt(Math.floor(next() * 6));
  if (kind < 0.8) return sign * BigInt(Math.floor(next() * 10 ** Math.min(6, scale + 3)));
  return sign * (10n ** 15n - 1n - BigInt(Math.floor(next() * 3)));
}

export function createEntry(next: () => number, index: number): Entry {
  const units = Object.fromEntries(
    Object.entries(SCALES).map(([name, scale]) => [name, toUnits(next, scale)]),
  ) as Entry['units'];
  const texts = Object.entries(units).map(([name, value]) => [
    `entry_${name}`,
    value === null ? null : fromUnits(value, SCALES[name as Name]),
  ]);
  return {
    units,
    row: {
      ...Object.fromEntries(texts),
      entry_kind: `k${Math.floor(next() * 4)}`,
      entry_number: fromUnits(BigInt(index), 2),
      entry_count: Math.floor(next() * 100) - 50,
      entry_price: Math.floor(next() * 10_000) / 100,
      entry_active: 1,
      account_id: 1 + Math.floor(next() * 3),
    },
  };
}

/** Three accounts and so many entries, written as events write them. */
export async function fillLedger({ model, database }: World, count: number, seed: number): Promise<Entry[]> {
  const next = createNext(seed);
  const [account, entry] = [model.schemas.get('account'), model.schemas.get('entry')];
  const entries = Array.from({ length: count }, (_, index) => createEntry(next, index));
  await database.write(async () => {
    for (const limit of ['-0.005', '0.000', '999999.999'])
      await insertRow(database, account as never, { account_name: limit, account_limit: limit, account_active: 1 });
    for (const { row } of entries) {
      const id = await insertRow(database, entry as never, row);
      await insertLink(database, 'account_marked', { account_id: row.account_id, entry_id: id });
    }
  });
  return entries;
}
