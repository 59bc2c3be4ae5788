import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Bus } from '../../../src/core/bus/bus.ts';
import {
  compileNamePattern,
  compilePattern,
  isNamePattern,
  type Pattern,
  toFixedPath,
} from '../../../src/core/bus/pattern.ts';
import { type EntryPlace, RouteIndex } from '../../../src/core/bus/route-index.ts';

/** mulberry32: the same seed gives the same routes. */
function createRandom(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

/** Letters of which lower case and the case folding of regular expressions differ are among them. */
const FIXED = ['a', 'A', 'b', 'rest', 'é', 'σ', 'ς', '\u212a', 'k', '', 'x.y', '%61', 'ı', 'İ'];
const OPEN = [':id', ':other', '*', '**', 'f*', '*.html', 'a*b*'];
const TYPED = [...FIXED, 'fa', 'f', 'x.html', 'aXbY', '%zz', 'K'];

const pick = <T>(list: readonly T[], random: (bound: number) => number): T => list[random(list.length)] as T;
const toPath = (segments: readonly string[]): string => `/${segments.join('/')}`;

function makeSource(random: (bound: number) => number): string {
  const length = random(4);
  return toPath(Array.from({ length }, () => pick(random(3) === 0 ? OPEN : FIXED, random)));
}

const makePath = (random: (bound: number) => number): string =>
  toPath(Array.from({ length: random(5) }, () => pick(TYPED, random)));

const index = suite('route index');

/** Describes routes of an index, each with a limit that tells it from the others. */
function describeAll(sources: readonly string[]): RouteIndex<EntryPlace> {
  const routes = new RouteIndex<EntryPlace>();
  for (const [order, source] of sources.entries()) {
    routes.describe('GET', compilePattern(source), { kind: 'api', bodyBytes: order, uploadBytes: order });
  }
  return routes;
}

index('finds the most specific of the patterns that match a path', () => {
  const random = createRandom(7);
  for (let round = 0; round < 300; round += 1) {
    const sources = Array.from({ length: 1 + random(30) }, () => makeSource(random));
    const routes = describeAll(sources);
    for (let ask = 0; ask < 40; ask += 1) {
      const path = makePath(random);
      const matching = sources
        .map((source, order) => ({ pattern: compilePattern(source), order }))
        .filter(({ pattern }) => isMatch(pattern, path))
        .sort((a, b) =>
          a.pattern.weight < b.pattern.weight ? 1 : a.pattern.weight > b.pattern.weight ? -1 : a.order - b.order,
        );
      const [best] = matching;
      const { kind, bodyBytes } = routes.match('GET', path);
      assert.equal([kind, bodyBytes], best ? ['api', best.order] : ['page', Number.POSITIVE_INFINITY], path);
    }
  }
});

index('gives requests with the same patterns one set', () => {
  const sources = Array.from({ length: 1000 }, (_, at) => [`/rest/s${at}/search`, `/rest/s${at}/detail/:id`]).flat();
  const routes = describeAll([...sources, '/rest/**']);
  assert.is(routes.match('GET', '/rest/S77/detail/5/'), routes.match('GET', '/rest/s77/detail/6'));
  assert.is(routes.match('GET', '/rest/s77/search'), routes.match('GET', '/REST/s77/search/'));
  assert.is(routes.match('GET', '/nothing/1'), routes.match('GET', '/nothing/2'));
  assert.is.not(routes.match('GET', '/rest/s77/search'), routes.match('HEAD', '/rest/s77/search'));
  assert.is.not(routes.match('GET', '/rest/s77/detail/5'), routes.match('GET', '/rest/s78/detail/5'));
});

/** What a pattern promises, by trying it. */
const isMatch = (pattern: Pattern, path: string): boolean =>
  pattern.fixed === undefined ? pattern.match(path) !== undefined : pattern.fixed === toFixedPath(path);

index('ALL takes every method that an event can name', () => {
  const bus = new Bus();
  bus.on('ALL /**', () => undefined);
  for (const method of ['GET', 'PROPFIND', 'OPTIONS']) assert.is(bus.match(method, '/x').entries.length, 1, method);
  assert.is(bus.match('M-SEARCH', '/x').entries.length, 0);
});

interface Plain {
  readonly name: string;
  readonly event: string | RegExp;
  readonly priority: number;
  readonly isOwn: boolean;
  readonly order: number;
}

const toRoute = (event: string): RegExpExecArray | null => /^([A-Z]+) (\/.*)$/.exec(event);

/** What the bus promises, by trying each listener in turn. */
function isHeard({ event }: Plain, asked: string): boolean {
  if (event instanceof RegExp) return event.test(asked);
  const own = toRoute(event);
  const route = toRoute(asked);
  if (own === null)
    return isNamePattern(event) ? compileNamePattern(event).test(asked) : route === null && event === asked;
  if (route === null || (own[1] !== route[1] && own[1] !== 'ALL')) return false;
  return isMatch(compilePattern(own[2] as string), route[2] as string);
}

const toWeight = ({ event }: Plain): string => {
  const route = typeof event === 'string' ? toRoute(event) : null;
  return route === null ? '' : compilePattern(route[2] as string).weight;
};

function comparePlain(a: Plain, b: Plain): number {
  if (a.isOwn !== b.isOwn) return a.isOwn ? 1 : -1;
  if (a.priority !== b.priority) return b.priority - a.priority;
  if (toWeight(a) !== toWeight(b)) return toWeight(a) < toWeight(b) ? 1 : -1;
  return a.order - b.order;
}

const METHODS = ['GET', 'POST', 'ALL'];
const NAMES = ['system-model-create', 'system-model-*', '%s-created', 'x-created', '*', 'GET *', '%s /a', 'P*'];
const REGEXPS = [/^GET \/a/i, /created$/, /./, /^POST /];

function makeEvent(random: (bound: number) => number): string | RegExp {
  const kind = random(8);
  if (kind === 0) return pick(REGEXPS, random);
  if (kind === 1) return pick(NAMES, random);
  return `${pick(METHODS, random)} ${makeSource(random)}`;
}

index('lets the bus hear the same listeners in the same order as a walk over all', () => {
  const random = createRandom(11);
  for (let round = 0; round < 200; round += 1) {
    const bus = new Bus();
    const plain: Plain[] = [];
    for (let order = 0; order < 1 + random(25); order += 1) {
      const listener: Plain = {
        name: `n${order}`,
        event: makeEvent(random),
        priority: pick([0, 0, 0, 5, -5], random),
        isOwn: random(3) === 0,
        order,
      };
      const named = { [listener.name]: () => undefined }[listener.name] as () => undefined;
      const forget = bus.on(listener.event, named, listener.priority, listener.isOwn);
      if (random(6) === 0) forget();
      else plain.push(listener);
    }
    plain.sort(comparePlain);
    assert.equal(
      bus.list().map(({ name }) => name),
      plain.map(({ name }) => name),
    );
    for (let ask = 0; ask < 30; ask += 1) {
      const path = makePath(random);
      const event =
        random(5) === 0
          ? pick(['x-created', 'system-model-create', 'none'], random)
          : `${pick(METHODS, random)} ${path}`;
      const expected = plain.filter((listener) => isHeard(listener, event)).map(({ name }) => name);
      assert.equal(
        bus.find(event).map(({ name }) => name),
        expected,
        event,
      );
      const methods = plain.flatMap((listener) => {
        const route = typeof listener.event === 'string' ? toRoute(listener.event) : null;
        return route && isMatch(compilePattern(route[2] as string), path) ? [route[1]] : [];
      });
      assert.equal(bus.match('GET', path).methods, [...new Set(methods)].sort(), path);
    }
  }
});

index.run();
