import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot } from '../boot.ts';

const close = suite('e2e/close');

close('a request that waits for an inline hook is answered, not cut, when the process is told to end', async () => {
  let heard: () => void = () => {};
  const isHeard = new Promise<void>((resolve) => {
    heard = resolve;
  });
  // Accepts requests and never answers: its own timeout is longer than the server's shutdown.
  const receiver = createServer((request) => request.resume().on('end', () => heard()));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const site = await boot({
    mode: 'development',
    change: async (project) => {
      const hook = { title: 'Account', event: 'auth-create', type: 'account.created', delivery: 'inline', url };
      project.write('config/webhook/account.json', hook);
    },
  });
  const signed = site.browser().signUp('Some Person', 'some@example.org');
  await isHeard;
  await site.close();
  assert.is((await signed).status, 303);
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

close.run();
