/** Repeatable random numbers: the same label gives the same numbers on every machine. */
export interface Chance {
  /** A number from 0 (included) to 1 (excluded). */
  part(): number;
  /** A whole number, both ends included. */
  whole(least: number, most: number): number;
  pick<T>(list: readonly T[]): T;
  /** A random part of a list, in its order. */
  some<T>(list: readonly T[], least: number, most: number): T[];
  /** True with this probability. */
  happens(part: number): boolean;
}

/** Four 32-bit numbers from a text (FNV-1a with four offsets). */
function toSeeds(label: string): [number, number, number, number] {
  const toSeed = (start: number): number => {
    let hash = start;
    for (let index = 0; index < label.length; index += 1) hash = Math.imul(hash ^ label.charCodeAt(index), 0x01000193);
    return hash >>> 0;
  };
  return [toSeed(0x811c9dc5), toSeed(0x01000193), toSeed(0x9e3779b9), toSeed(0x85ebca6b)];
}

/** A small, fast counter-based generator with 128 bits of state. */
function createStream(label: string): () => number {
  let [a, b, c, d] = toSeeds(label);
  const next = (): number => {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let turn = 0; turn < 12; turn += 1) next();
  return next;
}

export function createChance(label: string): Chance {
  const part = createStream(label);
  const whole = (least: number, most: number): number => least + Math.floor(part() * (most - least + 1));
  const chance: Chance = {
    part,
    whole,
    pick: (list) => list[whole(0, list.length - 1)] as (typeof list)[number],
    some(list, least, most) {
      const wanted = Math.min(whole(least, most), list.length);
      const left = new Set(list.keys());
      while (left.size > wanted) left.delete(chance.pick([...left]));
      return list.filter((_, index) => left.has(index));
    },
    happens: (share) => part() < share,
  };
  return chance;
}
