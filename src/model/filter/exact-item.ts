/** Bits by which SQLite shifts at once. */
const SHIFT = 62;

/** A whole number, how often it is halved (in two steps), and the number that results. */
type HalvedNumber = readonly [whole: number, first: number, second: number, number: number];

/**
 * A number for a JSON text that SQLite reads: its own conversion of decimals is one unit off for one double of some 8,000. A
 * double that is not whole is a whole number that is halved so many times, which is exact. Tiny doubles, below 2^-72 with 53
 * bits, stay decimals.
 */
export function toExactItem(number: number): number | HalvedNumber {
  if (!Number.isFinite(number) || Number.isInteger(number)) return number;
  let whole = number;
  let bits = 0;
  for (; !Number.isInteger(whole); bits += 1) {
    if (bits === 2 * SHIFT) return number;
    whole *= 2;
  }
  const first = Math.min(bits, SHIFT);
  return [whole, first, bits - first, number];
}
