import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runAs } from '../../../src/core/access.ts';
import { Request } from '../../../src/core/request/request.ts';
import { Response } from '../../../src/core/request/response.ts';
import { parsePairs } from '../../../src/core/text/pairs.ts';
import type { Mailer } from '../../../src/outbound/mail.ts';
import { createWorld, PAGE, type World } from './_world.ts';

const outbox = suite('the outbox of `dev`');

const mailer: Mailer = { way: 'outbox', send: () => Promise.reject(new Error('nothing is sent')) };
const LOCAL = { REMOTE_ADDR: '127.0.0.1', host: 'localhost:3000' };

const renderMail = () => ({
  subject: 'Reset <b>it</b>',
  text: 'Open https://blog.example/auth/recover?token=abc or not.',
  html: '<p>Open <a href="https://blog.example/">it</a></p>',
});

async function open(world: World, route: string, { server = LOCAL as object, query = '' } = {}) {
  const request = new Request({
    method: 'GET',
    path: route,
    query,
    get: () => parsePairs(query),
    server: () => server as Record<string, string>,
    session: () => ({}),
  });
  const response = new Response(request);
  await runAs(PAGE, () => world.context.emit(`GET ${route}`, request, response));
  return response;
}

outbox('shows mail with its links, escaped, and its HTML in a frame that runs nothing', async () => {
  const logged: unknown[] = [];
  const note = (event: string, fields?: object): void => void logged.push([event, fields]);
  const log = { debug: note, info: note, warn: note, error: note };
  const world = await createWorld({ mailer, renderMail, isDevelopment: true, log });
  const empty = await open(world, '/__treadle/mail');
  assert.match(String(empty.getContent()), 'No mail yet');
  await world.emit('mail-send', { to: 'ada@example.org', template: 'lost' });
  await world.worker.idle();
  const text = String((await open(world, '/__treadle/mail')).getContent());
  assert.match(text, 'Reset &lt;b&gt;it&lt;/b&gt;');
  assert.match(text, 'href="https://blog.example/auth/recover?token&#x3D;abc"');
  assert.match(text, 'app/www/src/template/mail/lost.txt');
  const part = await open(world, '/__treadle/mail', { query: 'part=list' });
  assert.match(String(part.getContent()), '"list":');
  const preview = await open(world, '/__treadle/mail/1');
  assert.is(preview.getContent(), renderMail().html);
  assert.match(String(preview.getHeaders('content-security-policy')), /^sandbox allow-popups; default-src 'none'/);
  const link = 'https://blog.example/auth/recover?token=abc';
  assert.equal(logged, [['mail', { to: 'ada@example.org', subject: 'Reset <b>it</b>', link }]]);
  assert.equal((await world.mails())[0]?.state, 'kept');
  await world.close();
});

outbox('is for programs of this machine', async () => {
  const world = await createWorld({ mailer, renderMail, isDevelopment: true });
  await world.emit('mail-send', { to: 'ada@example.org', template: 'lost' });
  await world.worker.idle();
  for (const server of [
    { ...LOCAL, REMOTE_ADDR: '192.0.2.1' },
    { ...LOCAL, host: 'evil.example' },
    { ...LOCAL, HTTP_X_FORWARDED_FOR: '192.0.2.1' },
  ])
    for (const route of ['/__treadle/mail', '/__treadle/mail/1']) {
      const response = await open(world, route, { server });
      assert.is(response.getStatus(), 403, `${route} ${JSON.stringify(server)}`);
      assert.not.match(String(response.getContent() ?? ''), 'ada');
    }
  await world.close();
});

outbox('is not there in production', async () => {
  const world = await createWorld({ mailer, renderMail });
  assert.is((await open(world, '/__treadle/mail')).getContent(), undefined);
  await world.close();
});

outbox.run();
