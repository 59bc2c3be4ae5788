import { createSocket } from 'node:dgram';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOutbound } from '../../src/outbound/http.ts';
import { createLookupQueue, createQuery, createResolve } from '../../src/outbound/resolve.ts';
import { createSystemNames } from '../../src/outbound/system-names.ts';
import { createFakeClock } from '../clock.ts';
import { fails, STRICT } from './_serve.ts';

const resolving = suite('outbound/resolve');

const DNS: Readonly<Record<string, readonly string[]>> = {
  'known.example': ['192.0.2.1'],
  'both.example': ['192.0.2.2'],
  'hooks.team.svc.cluster.local': ['192.0.2.3'],
  'hooks.svc.cluster.local': ['192.0.2.4'],
};
const HOSTS: Readonly<Record<string, readonly string[]>> = {
  'both.example': ['127.0.1.1'],
  'own.example': ['10.0.0.5'],
};

function createWorld(platform: NodeJS.Platform = 'linux') {
  const [asked, lookedUp]: [string[], string[]] = [[], []];
  const resolve = createResolve({
    query: async (host) => {
      asked.push(host);
      if (host.startsWith('silent')) throw new Error('silent');
      return DNS[host] ?? [];
    },
    lookup: async (host) => {
      lookedUp.push(host);
      return ['192.0.2.9'];
    },
    names: {
      addresses: (host) => HOSTS[host] ?? [],
      searchDomains: () => ['team.svc.cluster.local', 'svc.cluster.local'],
    },
    platform,
  });
  return { resolve, asked, lookedUp };
}

const CASES: readonly (readonly [name: string, host: string, addresses: readonly string[], isLookedUp: boolean])[] = [
  ['DNS knows it', 'known.example', ['192.0.2.1'], false],
  ['DNS comes before the hosts file', 'both.example', ['192.0.2.2'], false],
  ['only the hosts file knows it', 'own.example', ['10.0.0.5'], false],
  ['a service of the same namespace', 'hooks', ['192.0.2.3'], false],
  ['a service with its namespace', 'hooks.team', ['192.0.2.3'], false],
  ['nobody knows it', 'evil.example', [], false],
  ['a bare name that DNS does not know', 'printer', ['192.0.2.9'], true],
  ['mDNS', 'printer.local', ['192.0.2.9'], true],
  ['loopback', 'a.localhost', ['127.0.0.1', '::1'], false],
];
for (const [name, host, addresses, isLookedUp] of CASES)
  resolving(`on Linux: ${name}`, async () => {
    const { resolve, lookedUp } = createWorld();
    assert.equal(await resolve(host), addresses);
    assert.equal(lookedUp, isLookedUp ? [host] : []);
  });

resolving('elsewhere the operating system has the last word on every name', async () => {
  const { resolve, lookedUp } = createWorld('darwin');
  assert.equal(await resolve('vpn.example'), ['192.0.2.9']);
  assert.equal(lookedUp, ['vpn.example']);
});

resolving('where DNS is silent, nothing else is asked', async () => {
  const { resolve, asked, lookedUp } = createWorld();
  const error = await resolve('silent').catch((reason: Error) => reason.message);
  assert.equal([error, asked, lookedUp], ['silent', ['silent'], []]);
});

resolving('the system looks up one name at a time, and a name that waits already once for all who ask', async () => {
  const under: { host: string; end: (addresses: string[]) => void }[] = [];
  const lookUp = createLookupQueue((host) => new Promise((end) => under.push({ host, end })));
  const turn = () => new Promise((done) => setImmediate(done));
  const gone = new AbortController();
  const first = lookUp('a');
  const again = lookUp('a');
  const givenUp = lookUp('b', gone.signal).catch((error: Error) => error.message);
  const stillWanted = [lookUp('c', gone.signal), lookUp('c', new AbortController().signal)];
  await turn();
  assert.equal(
    under.map(({ host }) => host),
    ['a'],
  );
  gone.abort();
  under[0]?.end(['1']);
  await turn();
  assert.match(String(await givenUp), /cancelled/);
  assert.equal(
    under.map(({ host }) => host),
    ['a', 'c'],
    'b, which nobody wants, takes no turn',
  );
  under[1]?.end(['3']);
  assert.equal(await Promise.all([first, again, ...stillWanted]), [['1'], ['1'], ['3'], ['3']]);
});

resolving('few names wait, and a lookup that fails lets the next one in', async () => {
  const lookUp = createLookupQueue(async (host) => {
    if (host === 'n0') throw new Error('ENOTFOUND');
    return [host];
  });
  const answers = await Promise.allSettled(Array.from({ length: 40 }, (_, index) => lookUp(`n${index}`)));
  assert.is(answers[0]?.status, 'rejected');
  assert.is(answers.filter(({ status }) => status === 'fulfilled').length, 31);
  assert.match(String((answers[39] as PromiseRejectedResult).reason), /Too many/);
  assert.equal(await lookUp('later'), ['later']);
});

resolving('a question that nobody waits for is taken back from DNS', async () => {
  const silent = createSocket('udp4');
  const questions: Buffer[] = [];
  const asked = new Promise<void>((done) =>
    silent.on('message', (question) => {
      if (questions.push(question) === 2) done();
    }),
  );
  await new Promise<void>((done) => silent.bind(0, '127.0.0.1', done));
  const server = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const given = new AbortController();
  const answer = createQuery([server])('slow.example', given.signal).catch((error: Error) => error.name);
  await asked;
  given.abort();
  assert.is(await answer, 'AbortError');
  const late = await createQuery([server])('late.example', given.signal).catch((error: Error) => error.name);
  assert.is(late, 'AbortError');
  assert.is(questions.length, 2, 'for IPv4 and IPv6, and none for a call that has ended');
  silent.close();
});

resolving('the end of a call is the end of its question', async () => {
  const clock = createFakeClock();
  const signals: (AbortSignal | undefined)[] = [];
  const outbound = createOutbound({
    clock,
    resolve: (host, signal) => {
      signals.push(signal);
      return host.startsWith('silent') ? new Promise(() => {}) : Promise.resolve(['10.0.0.1']);
    },
  });
  const sending = fails(outbound.send({ method: 'GET', url: 'http://silent.example/' }, STRICT));
  clock.advance(5000);
  await sending;
  await fails(outbound.send({ method: 'GET', url: 'http://quick.example/' }, STRICT));
  assert.equal(
    signals.map((signal) => signal?.aborted),
    [true, false],
  );
});

resolving('the files of the machine are read, and read again where they changed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'treadle-names-'));
  const files = { hosts: join(folder, 'hosts'), resolv: join(folder, 'resolv.conf') };
  const names = createSystemNames(files);
  assert.equal([names.addresses('a'), names.searchDomains()], [[], []], 'they are not there');
  writeFileSync(files.hosts, '# 10.0.0.9 a\n10.0.0.1\tA a.example # b\n\nnonsense a\n::1 a\r\n');
  writeFileSync(
    files.resolv,
    'nameserver 10.0.0.2\ndomain old.example\nsearch One.example. . two.example\noptions ndots:5\n',
  );
  assert.equal(names.addresses('a'), ['10.0.0.1', '::1']);
  assert.equal([names.addresses('a.example'), names.addresses('b')], [['10.0.0.1'], []]);
  assert.equal(names.searchDomains(), ['one.example', 'two.example']);
  writeFileSync(files.hosts, '10.0.0.3 a\n');
  utimesSync(files.hosts, 1, 1);
  assert.equal(names.addresses('a'), ['10.0.0.3']);
  writeFileSync(files.hosts, `10.0.0.4 a\n${'#'.repeat(1_048_560)}\n10.0.0.5 a\n10.0.0.6 b\n`);
  assert.equal([names.addresses('a'), names.addresses('b')], [['10.0.0.4'], []], 'a file without end is read in part');
  rmSync(folder, { recursive: true });
});

resolving.run();
