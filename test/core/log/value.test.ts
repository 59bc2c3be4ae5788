import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/core/clock.ts';
import { createLog, type Log, withFields } from '../../../src/core/log/log.ts';
import { toReadableError, toReason } from '../../../src/core/text/reason.ts';

const values = suite('log: any value');

function circular(): Error {
  const [outer, inner] = [new Error('outer'), new Error('inner')];
  outer.cause = inner;
  inner.cause = outer;
  return outer;
}
const ring: Record<string, unknown> = { n: 1 };
ring.self = ring;
const list: unknown[] = [1];
list.push(list);
const chain = Array.from({ length: 20_000 }).reduce<Error>((cause) => new Error('link', { cause }), new Error('end'));
const deep = Array.from({ length: 20_000 }).reduce<object>((inner) => ({ inner }), {});
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();
const fail = (): never => {
  throw new Error('no');
};
const closed = new Proxy({}, { getPrototypeOf: fail, ownKeys: fail, get: fail, getOwnPropertyDescriptor: fail });
const named = Object.defineProperty(new Error('x'), 'message', { get: fail });
let reads = 0;
const once = {
  get value() {
    reads += 1;
    return reads > 1 ? fail() : 'read once';
  },
};

/** A value, and what its line shows. */
const LOGGED: Readonly<Record<string, readonly [unknown, RegExp]>> = {
  'a circular cause': [circular(), /outer.*inner.*\[circular\]/],
  'a circular object': [ring, /"n":1,"self":"\[circular\]"/],
  'a circular list': [list, /\[1,"\[circular\]"\]/],
  'a long chain of causes': [chain, /"link"/],
  'a deep object': [deep, /"inner":\{"inner"/],
  'an error whose detail is itself': [Object.assign(new Error('own'), ring, { detail: ring }), /own/],
  'several errors in one': [new AggregateError([new Error('one'), new Error('two')], 'both'), /both.*one.*two/],
  'a large number': [2n ** 70n, /1180591620717411303424/],
  'no number': [[Number.NaN, Number.POSITIVE_INFINITY], /"NaN","Infinity"/],
  'a symbol and a function': [[Symbol('s'), fail], /Symbol\(s\).*\[function fail\]/],
  'a date': [new Date(0), /1970-01-01T00:00:00\.000Z/],
  'no date': [new Date(Number.NaN), /Invalid Date/],
  'a URL': [new URL('https://ann:pw@x.test/a?access_token=abc&b=1'), /x\.test\/a\?access_token=%5Bredacted%5D&b=1/],
  'a map': [
    new Map<unknown, unknown>([
      ['a', 1],
      [{ k: 2 }, 2],
      ['password', 'pw'],
    ]),
    /"a":1.*k.*\[redacted\]/,
  ],
  'a set': [new Set([1, 'two']), /\[1,"two"\]/],
  'parameters and headers': [[new URLSearchParams('a=1'), new Headers({ b: '2' })], /"a":"1".*"b":"2"/],
  'a regular expression, bytes': [[/x+/g, new Uint8Array(4)], /\/x\+\/g.*Uint8Array, 4 bytes/],
  'a zero byte and a lone surrogate': ['a\u0000b\ud800c', /a\\u0000b.+c/],
  'a getter that throws': [
    {
      ok: 1,
      get bad() {
        return fail();
      },
    },
    /"ok":1,"bad":"\[unreadable\]"/,
  ],
  'a getter that throws the second time': [once, /read once/],
  'a toJSON that throws': [{ toJSON: fail }, /\[unreadable\]/],
  'a toJSON of a class': [
    new (class {
      toJSON() {
        return { shown: 1 };
      }
    })(),
    /"shown":1/,
  ],
  'a revoked proxy': [revoked, /\[unreadable\]/],
  'a proxy that throws': [closed, /\[unreadable\]/],
  'an error that throws when it is read': [named, /\[unreadable\]/],
  'an object without a prototype': [Object.assign(Object.create(null), { bare: 1 }), /"bare":1/],
  'an own key __proto__': [JSON.parse('{"__proto__":{"x":1},"y":2}'), /__proto__.*"y":2/],
  'a long list': [Array.from({ length: 100_000 }, (_, n) => n), /… 99800 more/],
  'a wide object': [Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`k${n}`, n])), /4800 more/],
  'a long text': ['x'.repeat(1_000_000), /1000000 characters/],
};

for (const [name, [value, shown]] of Object.entries(LOGGED)) {
  values(`${name}: one line each, never an error`, () => {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const json = createLog({ clock: systemClock, write });
    const text = createLog({ clock: systemClock, write, form: 'text', keep: write });
    reads = 0;
    json.error('failed', { error: value });
    assert.match(String(lines[0]), shown);
    assert.is(JSON.parse(String(lines[0])).event, 'failed');
    assert.ok(String(lines[0]).length < 400_000);
    // As the fields themselves, and through a job's log.
    for (const log of [json, text, withFields(json, { job: 'j' })])
      for (const level of ['info', 'warn', 'error'] as const) log[level]('failed', value as Parameters<Log['info']>[1]);
    log3(json, value);
    for (const line of lines) assert.not.match(line, /abc|"pw"/);
  });
}

/** What else code may pass by mistake. */
function log3(log: Log, value: unknown): void {
  log.info(value as string, undefined);
  log.info('text', 'a text' as unknown as Record<string, unknown>);
  log.info('nothing', null as unknown as Record<string, unknown>);
}

values('a writer or a clock that throws does not reach who logs', () => {
  const log = createLog({ clock: { ...systemClock, now: fail }, write: fail });
  for (const level of ['info', 'warn', 'error'] as const) log[level]('x', { a: 1 });
});

values('a reason is a clean text of at most 1,000 characters, of any thrown value', () => {
  const cases: readonly (readonly [unknown, string])[] = [
    [new Error('plain'), 'plain'],
    [new Error(''), 'Error'],
    ['text', 'text'],
    [undefined, 'undefined'],
    [null, 'null'],
    [{ code: 7 }, '{"code":7}'],
    [7n, '7'],
    [Symbol('s'), 'Symbol(s)'],
    [new Error('a\u0000b\ud800c\u001b[2J'), 'a\ufffdb\ufffdc\ufffd[2J'],
    [ring, 'An error that cannot be read.'],
    [closed, 'An error that cannot be read.'],
    [revoked, 'An error that cannot be read.'],
    [named, 'An error that cannot be read.'],
    [Object.create(null), '{}'],
  ];
  for (const [thrown, reason] of cases) assert.is(toReason(thrown), reason);
  const long = toReason(new Error('\u{1f600}'.repeat(100_000)));
  assert.ok(long.length <= 1000 && long.endsWith('…') && !/\p{Surrogate}/u.test(long));
  for (const thrown of [named, closed]) assert.type(toReason(toReadableError(thrown)), 'string');
});

values.run();
