import type { Request } from '../../core/request/request.ts';
import type { Row } from '../../database/row-statement.ts';
import { fromUnits, toPlainDecimal } from '../../model/decimal/decimal.ts';
import { fieldKinds } from '../../model/field/field-kind.ts';
import { isRecord } from '../../model/json/json-value.ts';
import type { SchemaModel } from '../../model/model.ts';
import type { Stage } from './stage.ts';

/** Digits that a number keeps: the sum of 0.1 and 0.2 is 0.3. */
const DIGITS = 15;

/** An amount by which a value changes; a decimal's may be a text. */
type Increment = number | string;
/** By column. */
export type Increments = ReadonlyMap<string, Increment>;

function readIncrement(value: unknown, isDecimal: boolean): Increment | undefined {
  if (!isRecord(value) || Object.keys(value).length !== 1) return undefined;
  const { increment } = value;
  if (isDecimal && typeof increment === 'string') return toPlainDecimal(increment);
  return typeof increment === 'number' && Number.isFinite(increment) ? increment : undefined;
}

/** Changes of number columns by an amount, `{ increment: 1 }`, of decimals also `{ increment: '0.10' }`. Only code asks for them: what a request brought is a value. */
export function listIncrements(schema: SchemaModel, stage: Stage, request: Request): Increments {
  const found = schema.columns.flatMap(({ name, field }) => {
    const amount =
      fieldKinds[field.type].group === 'number' ? readIncrement(stage[name], field.type === 'decimal') : undefined;
    return amount === undefined || request.isBrought(name) ? [] : [[name, amount] as const];
  });
  return new Map(found);
}

/** The exact sum of two decimals; undefined if one of them is none. */
function addDecimals(...values: readonly (string | number)[]): string | undefined {
  const parts = values.map((value) => toPlainDecimal(value)?.split('.'));
  const scale = Math.max(...parts.map((part) => part?.[1]?.length ?? 0));
  let sum = 0n;
  for (const part of parts) {
    if (part === undefined) return undefined;
    sum += BigInt(`${part[0]}${(part[1] ?? '').padEnd(scale, '0')}`);
  }
  return fromUnits(sum, scale);
}

function addTo(before: unknown, amount: Increment, isDecimal: boolean): unknown {
  if (isDecimal) return addDecimals(String(before ?? 0), amount) ?? amount;
  return Number((Number(before ?? 0) + Number(amount)).toPrecision(DIGITS));
}

/** The values after the increments; a missing one counts as 0. */
export const applyIncrements = ({ byName }: SchemaModel, increments: Increments, stored: Row): Row =>
  Object.fromEntries(
    [...increments].map(([name, amount]) => [
      name,
      addTo(stored[name], amount, byName.get(name)?.field.type === 'decimal'),
    ]),
  );
