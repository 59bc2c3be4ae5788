import { BoundedMap } from '../bounded-map.ts';
import { isThenable, toPromise } from '../continue-with.ts';
import { TreadleError } from '../errors.ts';
import type { Request } from '../request/request.ts';
import type { Response } from '../request/response.ts';
import { Followers, type Listener, type Meta } from './followers.ts';
import { compileNamePattern, compilePattern, isNamePattern, type Pattern, type PatternMatch } from './pattern.ts';
import { compareEntries, type EntryPlace, RouteIndex, type RouteSet, type RouteTerms } from './route-index.ts';

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

/** A listener with its place among the others. */
export interface ListenerEntry extends EntryPlace {
  readonly listener: Listener;
  /** Name for stack traces and lists of listeners. */
  readonly name: string;
}

/** An emit that runs. */
interface Emission {
  readonly event: string;
  readonly entries: readonly ListenerEntry[];
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
interface ListenerResult {
  readonly value: unknown;
  readonly errorCount: number;
  readonly wasAnswered: boolean;
}

export interface ListenerInfo {
  readonly event: string;
  readonly priority: number;
  readonly isOwn: boolean;
  readonly name: string;
}

const ROUTE = /^([A-Z]+) (\/.*)$/;
/** A regular expression, or a name pattern that begins as a route's event may. Others, such as `system-model-*`, match no route. */
const MAY_BE_ROUTE = /^[/*%A-Z]/;
/** Names of events to remember. */
const MOST_NAMES = 10_000;
/** Captures of a pattern without parameters. */
const FIXED: PatternMatch = Object.freeze({ parameters: Object.freeze({}), variables: Object.freeze([]) });

/**
 * Event bus: named events, patterns and routes; listeners run in order of priority.
 * A route is an event named `METHOD /path`. Higher priority first; for routes of equal priority the more
 * specific first; then in order of registration; Treadle's own always last. After {@link Bus.freeze} adding
 * a listener throws.
 */
export class Bus {
  readonly #entries = new Set<ListenerEntry>();
  /** Listeners of events by their whole name. */
  readonly #named = new Map<string, ListenerEntry[]>();
  /** Listeners of name patterns and regular expressions, which may match routes too. */
  readonly #tested = new Set<ListenerEntry>();
  readonly #routes = new RouteIndex<ListenerEntry>();
  /** Listeners of named events, in order, as they were last found. */
  readonly #known = new BoundedMap<readonly ListenerEntry[]>(MOST_NAMES);
  readonly #traces = new Set<(entry: TraceEntry) => void>();
  /** The listeners that run after an event's own behaviour. */
  readonly followers = new Followers();
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
    const names = [event].flat();
    const added = names.map((name) => this.#entry(name, listener, priority, isOwn));
    for (const entry of added) this.#add(entry);
    this.#known.clear();
    return () => {
      for (const entry of added) this.#remove(entry);
      this.#known.clear();
    };
  }

  #add(entry: ListenerEntry): void {
    const { event, test, route } = entry;
    this.#entries.add(entry);
    if (route || (test && MAY_BE_ROUTE.test(event))) this.#routes.add(entry);
    if (test) this.#tested.add(entry);
    else if (!route && this.#named.get(event)?.push(entry) === undefined) this.#named.set(event, [entry]);
  }

  #remove(entry: ListenerEntry): void {
    if (!this.#entries.delete(entry)) return;
    const { event } = entry;
    this.#routes.remove(entry);
    this.#tested.delete(entry);
    const left = this.#named.get(event)?.filter((there) => there !== entry);
    if (left) this.#named.set(event, left);
  }

  #entry(event: string | RegExp, listener: Listener, priority: number, isOwn: boolean): ListenerEntry {
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

  /** Says what is known of a route before its listeners run: its kind and its limits. */
  describe(method: string, pattern: Pattern, terms: RouteTerms): void {
    this.#routes.describe(method, pattern, terms);
  }

  /** Says the terms of every route that {@link describe} does not name. */
  setUsualTerms(terms: RouteTerms): void {
    this.#routes.setUsual(terms);
  }

  /** What a method and path lead to: the listeners, in order, the kind of route and its limits. */
  match(method: string, path: string): RouteSet<ListenerEntry> {
    return this.#routes.match(method, path);
  }

  /** Whether the event has a listener, before or after. For a route event, whether a route matches. */
  hasListener(event: string): boolean {
    return this.find(event).length > 0 || this.followers.hasFollower(event);
  }

  /**
   * Whether an event has no listeners but Treadle's own: its response then depends on data and definitions
   * alone.
   */
  isOwn(event: string): boolean {
    return this.find(event).every((entry) => entry.isOwn);
  }

  /** The listeners of an event, in the order in which they run. */
  find(event: string): readonly ListenerEntry[] {
    const known = this.#known.get(event);
    if (known) return known;
    const [, method, path] = ROUTE.exec(event) ?? [];
    if (method !== undefined && path !== undefined) return this.match(method, path).entries;
    const entries = [...(this.#named.get(event) ?? []), ...[...this.#tested].filter(({ test }) => test?.test(event))];
    this.#known.set(event, entries.sort(compareEntries));
    return entries;
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
    return this.emitTo(this.find(event), event, request, response, around);
  }

  /** As {@link emit}, to listeners that were found before. */
  emitTo(
    entries: readonly ListenerEntry[],
    event: string,
    request: Request,
    response: Response,
    around?: Around,
  ): Promise<Emitted> {
    if (entries.length === 0) return Promise.resolve(EMITTED.unheard);
    const emission: Emission = { event, entries, request, response, answeredBy: undefined, around };
    return toPromise(() => this.#emitFrom(emission, 0));
  }

  /** Runs the listeners from an index on; a promise only if one of them is asynchronous. */
  #emitFrom(emission: Emission, first: number): Emitted | Promise<Emitted> {
    const { event, entries, request, response } = emission;
    for (let index = first; index < entries.length; index += 1) {
      const entry = entries[index] as ListenerEntry;
      if (entry.isOwn && emission.around !== undefined) {
        const { around } = emission;
        emission.around = undefined;
        return around(() => this.#emitFrom(emission, index));
      }
      if (emission.answeredBy !== undefined && isLeftOut(entry, emission.answeredBy)) continue;
      const meta = this.#meta(entry, event, request);
      if (!meta) continue;
      const errorCount = response.errorCount;
      const wasAnswered = entry.route ? response.isAnswered() : true;
      const result = entry.listener(request, response, meta);
      const end = (value: unknown): boolean => this.#endListener(emission, entry, { value, errorCount, wasAnswered });
      if (isThenable(result)) {
        const ended = result instanceof Promise ? result : Promise.resolve(result);
        return ended.then((value) => (end(value) ? EMITTED.incomplete : this.#emitFrom(emission, index + 1)));
      }
      if (end(result)) return EMITTED.incomplete;
    }
    return EMITTED.complete;
  }

  /** Notes what a listener did. True if it stops the others. */
  #endListener(emission: Emission, entry: ListenerEntry, { value, errorCount, wasAnswered }: ListenerResult): boolean {
    const { event, response } = emission;
    const isStopped = value === false || response.errorCount !== errorCount;
    if (this.#traces.size > 0) for (const trace of this.#traces) trace({ event, listener: entry.name, isStopped });
    if (!isStopped && entry.route && !wasAnswered && response.isAnswered()) emission.answeredBy = entry.event;
    return isStopped;
  }

  #meta(entry: ListenerEntry, event: string, request: Request): Meta | undefined {
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

/** True for a listener that does not run once a route's listener has answered. */
function isLeftOut(entry: EntryPlace, answeredBy: string): boolean {
  if (!entry.route) return false;
  return entry.isOwn || (entry.event !== answeredBy && entry.priority === 0);
}
