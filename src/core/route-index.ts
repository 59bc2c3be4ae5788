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

/** Where a listener stands among the others, and what it hears. */
export interface EntryPlace {
  readonly event: string;
  readonly priority: number;
  /** Treadle's own listeners run after all others. */
  readonly isOwn: boolean;
  readonly order: number;
  readonly test: RegExp | undefined;
  readonly route: { readonly method: string; readonly pattern: Pattern } | undefined;
}

/** The order in which listeners run. */
export function compareEntries(a: EntryPlace, b: EntryPlace): number {
  if (a.isOwn !== b.isOwn) return a.isOwn ? 1 : -1;
  if (a.priority !== b.priority) return b.priority - a.priority;
  const left = a.route?.pattern.weight ?? '';
  const right = b.route?.pattern.weight ?? '';
  if (left !== right) return left < right ? 1 : -1;
  return a.order - b.order;
}

/** The most specific pattern of some routes. */
export function findRoute(entries: readonly EntryPlace[]): string | undefined {
  let found: Pattern | undefined;
  for (const { route } of entries) if (route && (!found || route.pattern.weight > found.weight)) found = route.pattern;
  return found?.source;
}

/** True for a listener that does not run once a route's listener has answered. */
export function isLeftOut(entry: EntryPlace, answeredBy: string): boolean {
  if (!entry.route) return false;
  return entry.isOwn || (entry.event !== answeredBy && entry.priority === 0);
}

/** Whether a listener hears an event. */
export function matches(entry: EntryPlace, event: string, route: RegExpExecArray | null): boolean {
  if (entry.test) return entry.test.test(event);
  if (!route) return entry.event === event;
  if (!entry.route || (entry.route.method !== route[1] && entry.route.method !== 'ALL')) return false;
  const { fixed } = entry.route.pattern;
  return fixed === undefined
    ? entry.route.pattern.matches(route[2] as string)
    : fixed === toFixedPath(route[2] as string);
}
