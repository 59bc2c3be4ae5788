// Runs in its own network namespace, where the addresses that must never be called have listeners. Prints JSON.
import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/core/clock.ts';
import { TreadleError } from '../../src/core/errors.ts';
import { createOutbound } from '../../src/outbound/http.ts';
import { METADATA_SPELLINGS, spellLoopback } from './_spellings.ts';

const PUBLIC = '93.184.216.34';
const run = (...words: string[]): void => {
  execFileSync(words[0] ?? '', words.slice(1), { stdio: 'pipe' });
};
run('ip', 'link', 'set', 'lo', 'up');
for (const address of [PUBLIC, '169.254.169.254', '10.0.0.1'])
  run('ip', 'address', 'add', `${address}/32`, 'dev', 'lo');
const resolv = join(mkdtempSync(join(tmpdir(), 'treadle-ns-')), 'resolv.conf');
writeFileSync(resolv, 'nameserver 127.0.0.1\n');
run('mount', '--bind', resolv, '/etc/resolv.conf');

/** Connections by target address. */
const accepted: Record<string, number> = {};
const listen = (port: number): Promise<void> => {
  const server = createServer((_, response) => {
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
  });
  server.on('connection', (socket: Socket) => {
    const to = String(socket.localAddress).replace(/^::ffff:/, '');
    accepted[to] = (accepted[to] ?? 0) + 1;
  });
  return new Promise((resolve) => server.listen(port, '::', resolve));
};
for (const port of [80, 443, 8080]) await listen(port);

/** A DNS server with changing answers for one name, and mixed answers for another. */
const asked: Record<string, number> = {};
const answers = (name: string): string[] => {
  asked[name] = (asked[name] ?? 0) + 1;
  if (name.startsWith('turning')) return [asked[name] % 2 === 1 ? PUBLIC : '127.0.0.1'];
  if (name.startsWith('mixed')) return [PUBLIC, '169.254.169.254'];
  if (name.startsWith('public')) return [PUBLIC];
  return ['127.0.0.1'];
};
const dns = createSocket('udp4');
dns.on('message', (query, from) => {
  const labels: string[] = [];
  let at = 12;
  for (; query[at] !== 0; at += 1 + (query[at] ?? 0))
    labels.push(query.toString('latin1', at + 1, at + 1 + (query[at] ?? 0)));
  const end = at + 5;
  const isA = query.readUInt16BE(at + 1) === 1;
  const list = isA ? answers(labels.join('.')) : [];
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(list.length, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  const records = list.map((address) =>
    Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  dns.send(Buffer.concat([head, query.subarray(12, end), ...records]), from.port, from.address);
});
await new Promise<void>((resolve) => dns.bind(53, '127.0.0.1', resolve));

const outbound = createOutbound({ clock: systemClock });
const policy = { allowPrivate: [], isLoopbackAllowed: false };
const outcomes: Record<string, number> = {};
async function call(url: string): Promise<void> {
  const said = await outbound
    .send({ method: 'POST', url, body: '{}', isRepeatable: true }, policy)
    .then(({ status }) => String(status))
    .catch((error: unknown) => (error instanceof TreadleError ? error.code : String(error)));
  const key =
    url.startsWith('http://public') || url.startsWith('http://turning') ? `${new URL(url).hostname} ${said}` : said;
  outcomes[key] = (outcomes[key] ?? 0) + 1;
}
const refused = [...spellLoopback(), ...spellLoopback(8080), ...METADATA_SPELLINGS, 'http://10.0.0.1/'];
for (const url of [...refused, 'http://mixed.example/', 'http://inside.example/']) await call(url);
for (let turn = 0; turn < 6; turn += 1) await call('http://turning.example/');
for (let turn = 0; turn < 2; turn += 1) await call('http://public.example/');
const found = { ...accepted };
// Without the guard they are reachable, so the listeners work.
for (const host of ['169.254.169.254', '127.0.0.1', '10.0.0.1'])
  await new Promise<void>((resolve) => {
    get(`http://${host}/`, (answer) => answer.resume().on('end', resolve)).on('error', () => resolve());
  });
process.stdout.write(JSON.stringify({ accepted: found, reachable: accepted, outcomes, refused: refused.length + 2 }));
process.exit(0);
