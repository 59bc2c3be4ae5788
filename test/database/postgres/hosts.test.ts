import type { Client } from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Host, Hosts } from '../../../src/database/postgres/hosts.ts';
import type { SessionTarget } from '../../../src/database/postgres/session-target.ts';
import { createFakeClock } from '../../clock.ts';

const test = suite('database/postgres/hosts');

/** The server's answer; undefined for a server that does not answer. */
type Server = { readonly standby?: boolean; readonly readonly?: boolean } | 'gone' | undefined;

function createFake(server: Server): Client {
  const connect = (): Promise<void> => {
    if (server === undefined) return new Promise(() => {});
    return server === 'gone' ? Promise.reject(new Error('ECONNREFUSED')) : Promise.resolve();
  };
  const row = server === 'gone' ? {} : { standby: server?.standby ?? false, readonly: server?.readonly ?? false };
  return { on() {}, connect, query: async () => ({ rows: [row] }), end: async () => {} } as unknown as Client;
}

function setUp(servers: Record<string, Server>, target: SessionTarget) {
  const clock = createFakeClock();
  const asked: (string | undefined)[] = [];
  const hosts = new Hosts({
    hosts: Object.keys(servers).map((host): Host => ({ host })),
    target,
    clock,
    createClient: ({ host }) => {
      asked.push(host);
      return createFake(servers[host ?? '']);
    },
  });
  return { clock, asked, hosts };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const primary = {};
const standby = { standby: true, readonly: true };

const CASES: readonly [SessionTarget, Record<string, Server>, string][] = [
  ['any', { a: standby, b: primary }, 'a'],
  ['any', { a: 'gone', b: primary }, 'b'],
  ['read-write', { a: standby, b: primary }, 'b'],
  ['read-write', { a: { readonly: true }, b: primary }, 'b'],
  ['read-only', { a: primary, b: standby }, 'b'],
  ['primary', { a: standby, b: { readonly: true } }, 'b'],
  ['standby', { a: primary, b: standby, c: standby }, 'b'],
  ['prefer-standby', { a: primary, b: standby }, 'b'],
  ['prefer-standby', { a: primary, b: 'gone' }, 'a'],
];
for (const [target, servers, wanted] of CASES) {
  test(`${target} of ${JSON.stringify(servers)} is ${wanted}`, async () => {
    const { hosts } = setUp(servers, target);
    await hosts.find();
    assert.is(hosts.current.host, wanted);
    assert.is(hosts.find(), undefined, 'known from then on');
  });
}

test('a first host that says nothing is waited for a moment only', async () => {
  const { clock, hosts } = setUp({ a: undefined, b: primary }, 'read-write');
  const found = hosts.find();
  await settle();
  clock.advance(300);
  await found;
  assert.is(hosts.current.host, 'b');
});

test('where none fits, what answers is told of', async () => {
  const { hosts } = setUp({ a: 'gone', b: standby }, 'read-write');
  const fault = await Promise.resolve(hosts.find()).then(
    () => assert.unreachable(),
    (error) => error,
  );
  assert.equal([fault.code, fault.status, fault.headers['retry-after']], ['DATABASE_UNWRITABLE', 503, '1']);
});

test('after a loss all are asked again, by one question for all who wait', async () => {
  const servers: Record<string, Server> = { a: primary, b: standby };
  const { asked, hosts } = setUp(servers, 'read-write');
  await hosts.find();
  Object.assign(servers, { a: 'gone', b: primary });
  hosts.forget();
  await Promise.all([hosts.find(), hosts.find(), hosts.find()]);
  assert.is(hosts.current.host, 'b');
  assert.equal(asked, ['a', 'b', 'a', 'b']);
});

test('one host is asked nothing beforehand', () => {
  const { asked, hosts } = setUp({ a: primary }, 'read-write');
  assert.is(hosts.find(), undefined);
  hosts.forget();
  assert.is(hosts.find(), undefined);
  assert.equal(asked, []);
});

test.run();
