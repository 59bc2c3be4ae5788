import { type Pattern, toFixedPath } from './pattern.ts';

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
