import { BoundedMap } from './bounded-map.ts';
import { isThenable, toPromise } from './continue-with.ts';
import { TreadleError } from './errors.ts';
import { Followers } from './followers.ts';
import { compileNamePattern, compilePattern, isNamePattern, type PatternMatch, toFixedPath } from './pattern.ts';
import type { Request } from './request.ts';
import type { Response } from './response.ts';
import { compareEntries, type EntryPlace, findRoute, isLeftOut, matches, RouteIndex } from './route-index.ts';

/** Sorts a short list in place, stably: `Array.sort` allocates each time what it needs for long lists. */
export function sortFew<T>(list: T[], compare: (a: T, b: T) => number): void {
  for (let end = 1; end < list.length; end += 1) {
    const item = list[end] as T;
    let place = end;
    for (; place > 0 && compare(list[place - 1] as T, item) > 0; place -= 1) list[place] = list[place - 1] as T;
    list[place] = item;
  }
}

/** The third argument of a listener. */
export interface Meta {
  /** Full name of the event, such as `system-model-create` where the listener heard `system-model-*`. */
  readonly event: string;
  /** What the stars of the listener's pattern matched, from the left. */
  readonly variables: readonly string[];
}

/** A function that hears events. It may be asynchronous. Returning `false`, or setting an error, stops the later listeners. */
export type Listener = (request: Request, response: Response, meta: Meta) => unknown;

/** How an emit went: all listeners ran; one stopped the others; there is no listener. */
export const EMITTED = { complete: 200, incomplete: 308, unheard: 404 } as const;
/** One of the values of `EMITTED`. */
export type Emitted = (typeof EMITTED)[keyof typeof EMITTED];

/** Report to a trace about each listener that ran. */
export interface TraceEntry {
  readonly event: string;
  readonly listener: string;
  readonly isStopped: boolean;
}

interface Entry extends EntryPlace {
  readonly listener: Listener;
  /** Name for stack traces and lists of listeners. */
  readonly name: string;
}

/** An emit that runs. */
interface Emission {
  readonly event: string;
  readonly entries: readonly Entry[];
  readonly request: Request;
  readonly response: Response;
  /** The event of the route that answered. */
  answeredBy: string | undefined;
  /** Runs Treadle's own listeners; undefined once it was called. */
  around: Around | undefined;
}

/** Runs the remaining listeners of an emit, which are Treadle's own, with something before and after. */
export type Around = (rest: () => Emitted | Promise<Emitted>) => Emitted | Promise<Emitted>;

/** What a listener returned, and how the response was before it ran. */
interface Ended {
  readonly value: unknown;
  readonly faults: number;
  readonly wasAnswered: boolean;
}

/** The listeners of an event, in order. */
export interface Heard {
  readonly entries: readonly Entry[];
  /** For a route event: the most specific matching pattern, such as `/article/:article_id`. */
  readonly route: string | undefined;
}

/** What was looked up last. */
interface Found {
  readonly event: string;
  readonly heard: Heard;
}

const NOTHING_FOUND: Found = { event: '', heard: { entries: [], route: undefined } };

export interface ListenerInfo {
  readonly event: string;
  readonly priority: number;
  readonly isOwn: boolean;
  readonly name: string;
}

const ROUTE = /^([A-Z]+) (\/.*)$/;
/** Events and fixed paths to remember. A project of 1,000 schemas has 3,000. */
const MEMO_LIMIT = 10_000;
/** Captures of a pattern without parameters. */
const FIXED: PatternMatch = Object.freeze({ parameters: Object.freeze({}), variables: Object.freeze([]) });

/**
 * Event bus: named events, patterns and routes; listeners run in order of priority.
 * A route is an event named `METHOD /path`. Higher priority first; for routes of equal priority the more
 * specific first; then in order of registration; Treadle's own always last. After {@link Bus.freeze} adding
 * a listener throws.
 */
export class Bus {
  readonly #entries = new Set<Entry>();
  /** Listeners by where an event can find them: its name, a pattern of names, a route. */
  readonly #named = new Map<string, Entry[]>();
  readonly #tested = new Set<Entry>();
  readonly #routed = new RouteIndex<Entry>();
  readonly #memo = new BoundedMap<Heard>(MEMO_LIMIT);
  readonly #traces = new Set<(entry: TraceEntry) => void>();
  /** The listeners that run after an event's own behaviour. */
  readonly followers = new Followers();
  #last: Found = NOTHING_FOUND;
  #isFrozen = false;
  #order = 0;

  /**
   * Adds a listener and returns a function that removes it.
   * @param event A name, a name pattern (`system-model-*`, `%s-created`), a regular expression, a route
   *   (`GET /article/:article_id`, `ALL /x/*`), or a list of these.
   * @param priority Higher runs first. Default 0.
   * @throws BUS_FROZEN after loading.
   */
  on(
    event: string | RegExp | readonly (string | RegExp)[],
    listener: Listener,
    priority = 0,
    isOwn = false,
  ): () => void {
    if (this.#isFrozen) {
      throw new TreadleError('BUS_FROZEN', `A listener for "${String(event)}" was added after loading.`, {
        hint: 'Add listeners in the functions that .treadle.ts lists, not while a request is answered.',
      });
    }
    const names: readonly (string | RegExp)[] = Array.isArray(event) ? event : [event as string | RegExp];
    const added = names.map((name) => this.#entry(name, listener, priority, isOwn));
    for (const entry of added) this.#add(entry);
    this.#forget();
    return () => {
      for (const entry of added) this.#remove(entry);
      this.#forget();
    };
  }

  #forget(): void {
    this.#memo.clear();
    this.#last = NOTHING_FOUND;
  }

  #add(entry: Entry): void {
    const { event, test, route } = entry;
    this.#entries.add(entry);
    if (route) this.#routed.add(route.pattern, entry);
    else if (test) this.#tested.add(entry);
    else if (this.#named.get(event)?.push(entry) === undefined) this.#named.set(event, [entry]);
  }

  #remove(entry: Entry): void {
    const { event, test, route } = entry;
    if (!this.#entries.delete(entry)) return;
    if (route) this.#routed.remove(route.pattern, entry);
    else if (test) this.#tested.delete(entry);
    else
      this.#named.set(
        event,
        (this.#named.get(event) ?? []).filter((there) => there !== entry),
      );
  }

  #entry(event: string | RegExp, listener: Listener, priority: number, isOwn: boolean): Entry {
    this.#order += 1;
    const base = { listener, priority, isOwn, order: this.#order, name: listener.name || '(anonymous)' };
    if (event instanceof RegExp) {
      const test = new RegExp(event.source, event.flags.replace(/[gy]/g, ''));
      return { ...base, event: String(event), test, route: undefined };
    }
    const route = ROUTE.exec(event);
    if (route?.[1] && route[2]) {
      return { ...base, event, test: undefined, route: { method: route[1], pattern: compilePattern(route[2]) } };
    }
    return { ...base, event, test: isNamePattern(event) ? compileNamePattern(event) : undefined, route: undefined };
  }

  /** Ends loading: no more listeners can be added. */
  freeze(): void {
    this.#isFrozen = true;
  }

  /** Calls back for each listener that ran; returns a function that ends the trace. */
  trace(callback: (entry: TraceEntry) => void): () => void {
    this.#traces.add(callback);
    return () => this.#traces.delete(callback);
  }

  /** All listeners, in the order in which they run. */
  list(): ListenerInfo[] {
    const entries = [...this.#entries].sort(compareEntries);
    return entries.map(({ event, priority, isOwn, name }) => ({ event, priority, isOwn, name }));
  }

  /** The methods with a route for a path; empty if there is no route. */
  methods(path: string): string[] {
    const found = new Set<string>();
    for (const { route } of this.#routed.find(path)) if (route?.pattern.match(path)) found.add(route.method);
    return [...found].sort();
  }

  /** Whether the event has a listener, before or after. For a route event, whether a route matches. */
  hears(event: string): boolean {
    return this.#heard(event).entries.length > 0 || this.followers.hears(event);
  }

  /** The listeners of an event; undefined if there are none. */
  find(event: string): Heard | undefined {
    const heard = this.#heard(event);
    return heard.entries.length > 0 ? heard : undefined;
  }

  /**
   * Whether only Treadle's own listeners hear an event: its response then depends on data and definitions
   * alone.
   */
  isOwn(event: string): boolean {
    return this.#heard(event).entries.every((entry) => entry.isOwn);
  }

  #heard(event: string): Heard {
    // The door, the emit and the kept answers of a request ask in turn for the same path.
    if (event === this.#last.event) return this.#last.heard;
    const known = this.#memo.get(event);
    if (known) return known;
    const route = ROUTE.exec(event);
    const key = route ? `${route[1]} ${toFixedPath(route[2] as string)}` : event;
    const heard = this.#memo.get(key) ?? this.#find(event, route, key);
    if (route) this.#last = { event, heard };
    return heard;
  }

  /** Finds the listeners. Paths with parameters are not remembered: few come again, and they would only fill the memory. */
  #find(event: string, route: RegExpExecArray | null, key: string): Heard {
    const entries = this.#candidates(event, route).filter((entry) => matches(entry, event, route));
    sortFew(entries, compareEntries);
    const heard = { entries, route: findRoute(entries) };
    const isFixed = entries.length > 0 && entries.every((entry) => entry.route?.pattern.fixed !== undefined);
    if (isFixed || !route) this.#memo.set(key, heard);
    return heard;
  }

  #candidates(event: string, route: RegExpExecArray | null): Entry[] {
    const found = route ? this.#routed.find(route[2] as string) : [...(this.#named.get(event) ?? [])];
    for (const entry of this.#tested) found.push(entry);
    return found;
  }

  /**
   * Emits an event to its listeners in turn.
   * Once a route's listener has answered (content, stream, redirect), listeners of priority 0, of less
   * specific patterns, and Treadle's own are skipped, so that a page is not answered twice. Listeners with
   * another priority still run.
   *
   * @param around Called where Treadle's own listeners begin. Default: they run like the others.
   */
  emit(event: string, request: Request, response: Response, around?: Around): Promise<Emitted> {
    const { entries } = this.#heard(event);
    if (entries.length === 0) return Promise.resolve(EMITTED.unheard);
    const emission: Emission = { event, entries, request, response, answeredBy: undefined, around };
    return toPromise(() => this.#emitFrom(emission, 0));
  }

  /** Runs the listeners from an index on; a promise only if one of them is asynchronous. */
  #emitFrom(emission: Emission, first: number): Emitted | Promise<Emitted> {
    const { event, entries, request, response } = emission;
    for (let index = first; index < entries.length; index += 1) {
      const entry = entries[index] as Entry;
      if (entry.isOwn && emission.around !== undefined) {
        const { around } = emission;
        emission.around = undefined;
        return around(() => this.#emitFrom(emission, index));
      }
      if (emission.answeredBy !== undefined && isLeftOut(entry, emission.answeredBy)) continue;
      const meta = this.#meta(entry, event, request);
      if (!meta) continue;
      const faults = response.faults;
      const wasAnswered = entry.route ? response.isAnswered() : true;
      const result = entry.listener(request, response, meta);
      const end = (value: unknown): boolean => this.#endListener(emission, entry, { value, faults, wasAnswered });
      if (isThenable(result)) {
        const ended = result instanceof Promise ? result : Promise.resolve(result);
        return ended.then((value) => (end(value) ? EMITTED.incomplete : this.#emitFrom(emission, index + 1)));
      }
      if (end(result)) return EMITTED.incomplete;
    }
    return EMITTED.complete;
  }

  /** Notes what a listener did. True if it stops the others. */
  #endListener(emission: Emission, entry: Entry, { value, faults, wasAnswered }: Ended): boolean {
    const { event, response } = emission;
    const isStopped = value === false || response.faults !== faults;
    if (this.#traces.size > 0) for (const trace of this.#traces) trace({ event, listener: entry.name, isStopped });
    if (!isStopped && entry.route && !wasAnswered && response.isAnswered()) emission.answeredBy = entry.event;
    return isStopped;
  }

  #meta(entry: Entry, event: string, request: Request): Meta | undefined {
    if (entry.route) {
      const space = event.indexOf(' ');
      const path = event.slice(space + 1);
      const match = entry.route.pattern.fixed === undefined ? entry.route.pattern.match(path) : FIXED;
      if (!match) return undefined;
      request.setRoute({
        event: entry.event,
        ...match,
        method: event.slice(0, space),
        path: entry.route.pattern.source,
      });
      if (match !== FIXED) request.bringStage(match.parameters);
      return { event, variables: match.variables };
    }
    if (entry.test) return { event, variables: entry.test.exec(event)?.slice(1) ?? [] };
    return { event, variables: [] };
  }
}
