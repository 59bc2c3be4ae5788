import { type AddressInfo, createServer, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/core/clock.ts';
import { createOutbound } from '../../src/outbound/http.ts';
import { LOCAL } from './_serve.ts';

const unread = suite('outbound/unread');

/** More than the kernel buffers at both ends, so that a part waits in the process. */
const BODY = Buffer.alloc(48_000_000, 'x');

/** Answers after the beginning of a request, and reads the rest only when told to. */
async function answerEarly(head: string) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {}).once('data', () => socket.pause().write(`${head}\r\n\r\n`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** Bytes that still arrive, until the connection ends or the whole body is received. */
    readOn: () =>
      new Promise<number>((resolve) => {
        let length = 0;
        const [socket] = sockets;
        socket
          ?.on('close', () => resolve(length))
          .on('data', (chunk) => {
            length += chunk.length;
            if (length > BODY.length - 1_000_000) resolve(length);
          });
        socket?.resume();
      }),
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

for (const isRepeatable of [true, false])
  for (const more of ['', '\r\nconnection: close'])
    unread(
      `a receiver that answers without reading holds no socket (kept: ${isRepeatable}, it closes: ${more !== ''})`,
      async () => {
        const server = await answerEarly(`HTTP/1.1 200 OK\r\ncontent-length: 0${more}`);
        const outbound = createOutbound({ clock: systemClock });
        const answer = await outbound.send({ method: 'POST', url: server.url, body: BODY, isRepeatable }, LOCAL);
        assert.is(answer.status, 200);
        assert.ok((await server.readOn()) < BODY.length - 1_000_000, 'the rest of the body is not sent');
        await server.close();
      },
    );

unread.run();
