import { BoundedMap } from '../bounded-map.ts';
import { type Pattern, toFixedPath } from './pattern.ts';

const ASCII = /^[\0-\x7f]*$/;
/** A segment that a pattern does not fix: a parameter or a wildcard. */
const OPEN = /^:|\*/;

/** How a route is served. `page` loads the session and refuses posts of other sites, `api` ignores cookies and answers JSON, `open` does neither. */
export type RouteKind = 'page' | 'api' | 'open';

/** What is known of a route before a listener runs. */
export interface RouteTerms {
  readonly kind: RouteKind;
  /** Maximum bytes of a body. */
  readonly bodyBytes: number;
  /** Maximum bytes of a form that may contain files. */
  readonly uploadBytes: number;
  /** True if refusals have the form of RFC 6749 section 5.2. */
  readonly isOAuth?: boolean | undefined;
  /** True if a body of plain text that is a JSON object or list is read as JSON. */
  readonly isTextJson?: boolean | undefined;
  /** True if the route reads the body itself, as it arrives. */
  readonly isStreamed?: boolean | undefined;
}

/** Where a listener stands among the others, and which events it listens to. */
export interface EntryPlace {
  readonly event: string;
  readonly priority: number;
  /** Treadle's own listeners run after all others. */
  readonly isOwn: boolean;
  readonly order: number;
  readonly test: RegExp | undefined;
  readonly route: { readonly method: string; readonly pattern: Pattern } | undefined;
}

/** What one method and path lead to. Requests that match the same patterns share one object. */
export interface RouteSet<Entry extends EntryPlace = EntryPlace> extends RouteTerms {
  /** As requested, but GET for a HEAD request that only listeners of GET answer. */
  readonly method: string;
  /** In the order in which they run; empty if no route matches. */
  readonly entries: readonly Entry[];
  /** The most specific matching pattern, such as `/article/:article_id`. */
  readonly route: string | undefined;
  /** Whether all listeners are Treadle's own. */
  readonly isOwn: boolean;
  /** The methods of the path, sorted; `ALL` as it is. Empty if no pattern matches. */
  readonly methods: readonly string[];
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

/** One pattern with its listeners, and the terms of the routes that have it. */
interface Node<Entry> {
  readonly id: number;
  readonly pattern: Pattern;
  entries: readonly Entry[];
  /** In the order in which they were described. */
  readonly terms: DescribedTerms[];
}

interface DescribedTerms {
  readonly method: string;
  readonly weight: string;
  readonly order: number;
  readonly terms: RouteTerms;
}

/** Sets and fixed paths to remember. A project of 1,000 schemas has 3,000. */
const MOST_SETS = 10_000;
/** Without routes that say more. */
const USUAL: RouteTerms = {
  kind: 'page',
  bodyBytes: Number.POSITIVE_INFINITY,
  uploadBytes: Number.POSITIVE_INFINITY,
};

/**
 * The only index of routes. It finds the few patterns that a path can match, out of many: those without parameters by
 * their whole path, the others by the fixed segments that they begin with. Of those that match it makes one
 * {@link RouteSet}, which every request with the same patterns shares.
 */
export class RouteIndex<Entry extends EntryPlace> {
  readonly #nodes = new Map<string, Node<Entry>>();
  readonly #whole = new Map<string, Node<Entry>[]>();
  readonly #begun = new Map<string, Node<Entry>[]>();
  /** Listeners of regular expressions and name patterns: each is tried. */
  readonly #tested = new Set<Entry>();
  readonly #fixed = new BoundedMap<RouteSet<Entry>>(MOST_SETS);
  readonly #sets = new BoundedMap<RouteSet<Entry>>(MOST_SETS);
  #usual = USUAL;
  #deepest = 0;
  #described = 0;

  add(entry: Entry): void {
    const { route } = entry;
    if (route) {
      const node = this.#node(route.pattern);
      node.entries = [...node.entries, entry];
    } else this.#tested.add(entry);
    this.#forget();
  }

  remove(entry: Entry): void {
    const node = entry.route && this.#nodes.get(entry.route.pattern.source);
    if (node) node.entries = node.entries.filter((there) => there !== entry);
    this.#tested.delete(entry);
    this.#forget();
  }

  /** Says the terms of a route. Of two routes with one method and path the first counts. */
  describe(method: string, pattern: Pattern, terms: RouteTerms): void {
    this.#described += 1;
    this.#node(pattern).terms.push({ method, weight: pattern.weight, order: this.#described, terms });
    this.#forget();
  }

  /** Says the terms of every route that {@link describe} does not name. */
  setUsual(terms: RouteTerms): void {
    this.#usual = terms;
    this.#forget();
  }

  #forget(): void {
    this.#fixed.clear();
    this.#sets.clear();
  }

  /** The set of a method and path. */
  match(method: string, path: string): RouteSet<Entry> {
    const fixed = toFixedPath(path);
    // Outside ASCII, paths of the same lower case may match other patterns.
    if (this.#tested.size > 0 || !ASCII.test(path)) return this.#intern(method, path, this.#find(path, fixed));
    const key = `${method} ${fixed}`;
    const known = this.#fixed.get(key);
    if (known) return known;
    const nodes = this.#find(path, fixed);
    const set = this.#intern(method, path, nodes);
    // At most one for each pattern without parameters. Other paths are not cached: few come again, and they would only fill the memory.
    if (nodes.some(({ pattern }) => pattern.fixed === fixed)) this.#fixed.set(key, set);
    return set;
  }

  /** The patterns that match a path. */
  #find(path: string, fixed: string): Node<Entry>[] {
    return this.#candidates(path.toLowerCase()).filter(({ pattern }) =>
      pattern.fixed === undefined ? pattern.matches(path) : pattern.fixed === fixed,
    );
  }

  /** Every pattern that matches a path in lower case, and a few others. */
  #candidates(lower: string): Node<Entry>[] {
    const whole = this.#whole.get(lower.length > 1 && lower.endsWith('/') ? lower.slice(0, -1) : lower);
    const found = whole ? [...whole] : [];
    // The empty beginning is that of patterns such as `/:page` and `/**`.
    for (let depth = 0, end = 0; depth <= this.#deepest; depth += 1) {
      const begun = this.#begun.get(lower.slice(0, end));
      if (begun) for (const node of begun) found.push(node);
      if (end === lower.length) break;
      const next = lower.indexOf('/', end + 1);
      end = next < 0 ? lower.length : next;
    }
    return found;
  }

  /** The set of the patterns and of the listeners of the event by its name. */
  #intern(method: string, path: string, nodes: readonly Node<Entry>[]): RouteSet<Entry> {
    const event = `${method} ${path}`;
    const tested = this.#tested.size === 0 ? [] : [...this.#tested].filter(({ test }) => test?.test(event));
    let key = method;
    for (const { id } of nodes) key += ` ${id}`;
    for (const { order } of tested) key += ` t${order}`;
    return this.#sets.getOrCreate(key, () => this.#build(method, nodes, tested));
  }

  #build(method: string, nodes: readonly Node<Entry>[], tested: readonly Entry[]): RouteSet<Entry> {
    const routed = nodes.flatMap(({ entries }) => entries);
    const entries = [...routed.filter(({ route }) => takes(route?.method, method)), ...tested].sort(compareEntries);
    return Object.freeze({
      ...this.#findTerms(method === 'HEAD' ? 'GET' : method, nodes),
      method,
      entries,
      route: findSpecific(entries),
      isOwn: entries.every((entry) => entry.isOwn),
      methods: [...new Set(routed.map(({ route }) => route?.method ?? ''))].sort(),
    });
  }

  /** The terms of the most specific pattern that has the method; else those of the most specific one, with the usual limits. */
  #findTerms(method: string, nodes: readonly Node<Entry>[]): RouteTerms {
    const sorted = nodes.flatMap(({ terms }) => terms).sort(compareTerms);
    const exact = sorted.find((described) => takes(described.method, method));
    if (exact) return exact.terms;
    const { bodyBytes, uploadBytes } = this.#usual;
    // If no feature route has this method and path, the route is the project's own.
    return sorted[0] ? { ...sorted[0].terms, bodyBytes, uploadBytes } : this.#usual;
  }

  #node(pattern: Pattern): Node<Entry> {
    const known = this.#nodes.get(pattern.source);
    if (known) return known;
    const made: Node<Entry> = { id: this.#nodes.size, pattern, entries: [], terms: [] };
    this.#nodes.set(pattern.source, made);
    const { fixed, source } = pattern;
    const isPlain = fixed !== undefined && ASCII.test(fixed) && (source === '/' || !source.endsWith('/'));
    const segments = isPlain ? [] : listFixedSegments(toFixedPath(source));
    const key = isPlain ? fixed : segments.map((segment) => `/${segment}`).join('');
    const map = isPlain ? this.#whole : this.#begun;
    const there = map.get(key);
    if (there) there.push(made);
    else map.set(key, [made]);
    this.#deepest = Math.max(this.#deepest, segments.length);
    return made;
  }
}

/** `ALL` takes every method that an event can name, so not `M-SEARCH`. */
const takes = (own: string | undefined, wanted: string): boolean =>
  own === wanted || (own === 'ALL' && /^[A-Z]+$/.test(wanted));

/** Those of the more specific pattern first; of equal ones the first. */
function compareTerms(a: DescribedTerms, b: DescribedTerms): number {
  if (a.weight !== b.weight) return a.weight < b.weight ? 1 : -1;
  return a.order - b.order;
}

/** The most specific pattern of some listeners. */
function findSpecific(entries: readonly EntryPlace[]): string | undefined {
  let found: Pattern | undefined;
  for (const { route } of entries) if (route && (!found || route.pattern.weight > found.weight)) found = route.pattern;
  return found?.source;
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
