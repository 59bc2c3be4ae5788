import process from 'node:process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/core/clock.ts';
import { createOutbound } from '../../src/outbound/http.ts';
import { createCertificates, type Pair } from './_certificates.ts';
import { fails, LOCAL, type Server, serve } from './_serve.ts';

const tls = suite('outbound/tls');
const certificates = createCertificates('receiver.example');
const resolve = async (): Promise<readonly string[]> => ['127.0.0.1'];

if (!certificates) {
  process.stdout.write('skipped: outbound/tls (needs openssl)\n');
} else {
  const { authority, good, expired, selfSigned } = certificates;
  const outbound = createOutbound({ clock: systemClock, resolve, authorities: [authority] });
  const call = (server: Server, host = 'receiver.example') => ({
    method: 'POST',
    url: `https://${host}:${server.port}/hook`,
    body: 'x',
  });
  const received: string[] = [];
  const listen = (pair: Pair) =>
    serve(
      (request, response) => {
        received.push(String(request.headers.host));
        response.end('ok');
      },
      { tls: pair },
    );

  tls('W6: TLS to a certificate of a known authority and the right name is spoken', async () => {
    const server = await listen(good);
    const answer = await outbound.send(call(server), LOCAL);
    assert.is(answer.body, 'ok');
    assert.equal(received.splice(0), [`receiver.example:${server.port}`]);
    await server.close();
  });

  tls(
    'W6: expired, wrong host, self-signed and unknown authority are failures that say why; nothing is sent',
    async () => {
      const cases: readonly (readonly [string, Pair, string, RegExp, typeof outbound])[] = [
        ['expired', expired, 'receiver.example', /expired/i, outbound],
        ['wrong host', good, 'other.example', /altnames|does not match/i, outbound],
        ['self-signed', selfSigned, 'receiver.example', /self.signed/i, outbound],
        [
          'unknown authority',
          good,
          'receiver.example',
          /unable to|self.signed/i,
          createOutbound({ clock: systemClock, resolve }),
        ],
      ];
      for (const [name, pair, host, pattern, sender] of cases) {
        const server = await listen(pair);
        const error = await fails(sender.send({ ...call(server, host), isRepeatable: true }, LOCAL));
        assert.is(error.code, 'OUTBOUND_FAILED', name);
        assert.is(error.detail, 'tls', `${name}: ${error.message}`);
        assert.match(error.message, pattern, name);
        await server.close();
      }
      assert.equal(received, []);
    },
  );

  tls('W6: NODE_TLS_REJECT_UNAUTHORIZED=0 changes nothing', async () => {
    const server = await listen(selfSigned);
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      assert.is((await fails(outbound.send(call(server), LOCAL))).detail, 'tls');
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    }
    assert.equal(received, []);
    await server.close();
  });

  tls('a kept TLS connection serves the next call to the same name only', async () => {
    const server = await listen(good);
    const send = (host?: string) => outbound.send({ ...call(server, host), isRepeatable: true }, LOCAL);
    for (let turn = 0; turn < 3; turn += 1) assert.is((await send()).status, 200);
    assert.is(server.connections(), 1);
    assert.is((await fails(send('other.example'))).detail, 'tls');
    await server.close();
  });

  tls('a server that never shakes hands ends after 5 s', async () => {
    const { createFakeClock } = await import('../clock.ts');
    const clock = createFakeClock();
    const silent = await import('node:net').then(({ createServer }) => createServer(() => {}));
    const connected = new Promise<void>((done) => silent.once('connection', () => done()));
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    const { port } = silent.address() as { port: number };
    const sending = fails(
      createOutbound({ clock, resolve }).send({ method: 'POST', url: `https://receiver.example:${port}/` }, LOCAL),
    );
    await connected;
    clock.advance(5000);
    assert.is((await sending).detail, 'connect');
    await new Promise((done) => silent.close(done));
  });
}

tls.run();
