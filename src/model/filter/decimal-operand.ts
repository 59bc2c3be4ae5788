import { toPlainDecimal } from '../decimal/decimal.ts';
import type { OperatorName } from './operator.ts';

/** Beyond every decimal, in its smallest unit: it has at most 15 digits. */
const BEYOND = 10n ** 15n;

/** A number between two units, or one of them. */
interface NearestUnit {
  /** The unit at or below the number, which is at most one beyond all decimals. */
  readonly floor: number;
  /** True if the number has no more digits than the column. */
  readonly isExact: boolean;
}

/** Where a number lies among the decimals of so many digits after the point; undefined if it is no number. */
function findNearestUnit(raw: string, scale: number): NearestUnit | undefined {
  const plain = toPlainDecimal(raw);
  if (plain === undefined) return undefined;
  const [whole = '', part = ''] = plain.replace('-', '').split('.');
  const isExact = !/[1-9]/.test(part.slice(scale));
  const size = BigInt(whole + part.slice(0, scale).padEnd(scale, '0'));
  const floor = plain.startsWith('-') ? -size - (isExact ? 0n : 1n) : size;
  const most = floor > BEYOND ? BEYOND : floor < -BEYOND ? -BEYOND : floor;
  return { floor: Number(most), isExact };
}

/** A decimal in the smallest unit of a column. Undefined if it is no number; null if the column never has it. */
export function toWantedUnits(raw: string, scale: number): number | null | undefined {
  const nearest = findNearestUnit(raw, scale);
  return nearest && (nearest.isExact ? nearest.floor : null);
}

/**
 * A comparison with a decimal, in the smallest unit of the column. A number with more digits than the column equals none, and as
 * a bound it means the nearest unit: greater than 12.505 is at least 12.51.
 */
export function compareUnits(
  raw: string,
  scale: number,
  operator: OperatorName,
): { readonly value: unknown; readonly operator?: OperatorName } | undefined {
  const nearest = findNearestUnit(raw, scale);
  if (nearest === undefined) return undefined;
  const { floor, isExact } = nearest;
  if (isExact) return { value: floor };
  if (operator === 'eq') return { value: '[]', operator: 'in' };
  if (operator === 'ne') return { value: '[]', operator: 'nin' };
  return { value: operator === 'lt' || operator === 'gte' ? floor + 1 : floor };
}
