import { type Pattern, toFixedPath } from './pattern.ts';

const ASCII = /^[\0-\x7f]*$/;
/** A segment that a pattern does not fix: a parameter or a wildcard. */
const OPEN = /^:|\*/;

/**
 * Finds the few routes that a path can match, out of many: those without parameters by their whole path, the others by
 * the fixed segments that they begin with. The caller still has to match each one.
 */
export class RouteIndex<T> {
  readonly #whole = new Map<string, T[]>();
  readonly #begun = new Map<string, T[]>();
  #most = 0;

  add(pattern: Pattern, value: T): void {
    const { map, key, depth } = this.#place(pattern);
    const there = map.get(key);
    if (there) there.push(value);
    else map.set(key, [value]);
    this.#most = Math.max(this.#most, depth);
  }

  remove(pattern: Pattern, value: T): void {
    const { map, key } = this.#place(pattern);
    const left = (map.get(key) ?? []).filter((there) => there !== value);
    if (left.length > 0) map.set(key, left);
    else map.delete(key);
  }

  /** Every value with a pattern that matches the path, and a few others; in no order. */
  find(path: string): T[] {
    const lower = path.toLowerCase();
    const whole = this.#whole.get(lower.length > 1 && lower.endsWith('/') ? lower.slice(0, -1) : lower);
    const found = whole ? [...whole] : [];
    // The empty beginning is that of patterns such as `/:page` and `/**`.
    for (let depth = 0, end = 0; depth <= this.#most; depth += 1) {
      const begun = this.#begun.get(lower.slice(0, end));
      if (begun) for (const value of begun) found.push(value);
      if (end === lower.length) break;
      const next = lower.indexOf('/', end + 1);
      end = next < 0 ? lower.length : next;
    }
    return found;
  }

  #place({ fixed, source }: Pattern): { map: Map<string, T[]>; key: string; depth: number } {
    const isPlain = fixed !== undefined && ASCII.test(fixed) && (source === '/' || !source.endsWith('/'));
    if (isPlain) return { map: this.#whole, key: fixed, depth: 0 };
    const begun = listFixedSegments(toFixedPath(source));
    return { map: this.#begun, key: begun.map((segment) => `/${segment}`).join(''), depth: begun.length };
  }
}

/**
 * The segments before the first one that is open or not ASCII. Outside ASCII, lower case and the case folding of
 * regular expressions differ.
 */
function listFixedSegments(path: string): string[] {
  const segments = path.split('/').slice(1);
  const end = segments.findIndex((segment) => OPEN.test(segment) || !ASCII.test(segment));
  return end < 0 ? segments : segments.slice(0, end);
}
