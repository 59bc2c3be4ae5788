import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Bus } from '../../src/core/bus.ts';
import {
  compileNamePattern,
  compilePattern,
  isNamePattern,
  type Pattern,
  toFixedPath,
} from '../../src/core/pattern.ts';
import { RouteIndex } from '../../src/core/route-index.ts';

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

index('leaves out no route that matches a path', () => {
  const random = createRandom(7);
  for (let round = 0; round < 300; round += 1) {
    const patterns = Array.from({ length: 1 + random(30) }, () => compilePattern(makeSource(random)));
    const routes = new RouteIndex<Pattern>();
    for (const pattern of patterns) routes.add(pattern, pattern);
    for (let ask = 0; ask < 40; ask += 1) {
      const path = makePath(random);
      const isMatch = (pattern: Pattern): boolean =>
        pattern.match(path) !== undefined || pattern.fixed === toFixedPath(path);
      const found = new Set(routes.find(path));
      for (const pattern of patterns.filter(isMatch)) assert.ok(found.has(pattern), `${pattern.source} for ${path}`);
    }
  }
});

index('finds few of many', () => {
  const routes = new RouteIndex<string>();
  for (let at = 0; at < 1000; at += 1) {
    for (const source of [`/rest/public/s${at}/search`, `/rest/public/s${at}/detail/:id`])
      routes.add(compilePattern(source), source);
  }
  assert.equal(routes.find('/rest/public/S77/detail/5/'), ['/rest/public/s77/detail/:id']);
  assert.equal(routes.find('/rest/public/s77/search'), ['/rest/public/s77/search']);
});

index('forgets what is removed', () => {
  const routes = new RouteIndex<string>();
  const pattern = compilePattern('/a/:id');
  routes.add(pattern, 'one');
  routes.add(pattern, 'two');
  routes.remove(pattern, 'one');
  assert.equal(routes.find('/a/1'), ['two']);
  routes.remove(pattern, 'two');
  assert.equal(routes.find('/a/1'), []);
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
  const pattern = compilePattern(own[2] as string);
  return pattern.fixed === undefined
    ? pattern.match(route[2] as string) !== undefined
    : pattern.fixed === toFixedPath(route[2] as string);
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
const NAMES = ['system-model-create', 'system-model-*', '%s-created', 'x-created', '*'];
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
        (bus.find(event)?.entries ?? []).map(({ name }) => name),
        expected,
        event,
      );
      const methods = plain.flatMap((listener) => {
        const route = typeof listener.event === 'string' ? toRoute(listener.event) : null;
        return route && compilePattern(route[2] as string).match(path) ? [route[1]] : [];
      });
      assert.equal(bus.methods(path), [...new Set(methods)].sort(), path);
    }
  }
});

index.run();
