import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TreadleError } from '../../../src/core/errors.ts';
import { Request } from '../../../src/core/request/request.ts';
import { Response } from '../../../src/core/request/response.ts';
import { createRootSecret } from '../../../src/core/secret/secret.ts';
import { readMailFigures } from '../../../src/feature/mail/figures.ts';
import { createMailWorker } from '../../../src/feature/mail/worker.ts';
import { createMailer, type Mailer, type OutgoingMail, parseMailUrl } from '../../../src/outbound/mail.ts';
import { createFakeRandom } from '../../clock.ts';
import { startSmtp } from '../../outbound/_smtp.ts';
import { createWorld, PAGE } from './_world.ts';

const send = suite('mail-send');

const GREETING = { to: 'ada@example.org', template: 'greeting', data: { name: 'Ada' } };

/** A mailer that fails as often as it is told, then takes everything. */
function createScript(failures: readonly { reason: string; isFinal?: boolean }[] = []) {
  const sent: OutgoingMail[] = [];
  const left = [...failures];
  const mailer: Mailer = {
    way: 'smtp',
    async send(mail) {
      const fault = left.shift();
      if (fault) throw new TreadleError('MAIL_FAILED', fault.reason, { detail: { isFinal: fault.isFinal ?? false } });
      sent.push(mail);
    },
  };
  return { mailer, sent };
}

send('reaches a real SMTP server, and is sealed until then and empty afterwards', async () => {
  const server = await startSmtp();
  const from = { name: '', address: 'noreply@example.org' };
  const mailer = createMailer({ server: parseMailUrl(`smtp://127.0.0.1:${server.port}`), from, without: 'none' });
  const world = await createWorld({ mailer });
  const { database } = world.context.services;
  let stored = '';
  await database.transaction(async () => {
    await world.emit('mail-send', { ...GREETING, to: ['ada@example.org', 'ben@example.org'] });
    stored = JSON.stringify(await world.mails());
  });
  assert.is(JSON.parse(stored).length, 2);
  assert.not.match(stored, /ada@|Ada|Hello/);
  await world.worker.idle();
  assert.equal(server.taken.map(({ to }) => to.join()).sort(), ['ada@example.org', 'ben@example.org']);
  assert.match(server.taken[0]?.raw ?? '', /Subject: Hello Ada[\s\S]*Text for Ada/);
  assert.equal(
    (await world.mails()).map(({ state, sealed }) => [state, sealed]),
    [
      ['sent', null],
      ['sent', null],
    ],
  );
  await world.close();
  await server.close();
});

send('commits with the data: a transaction that fails sends nothing', async () => {
  const { mailer, sent } = createScript();
  const world = await createWorld({ mailer });
  const { database } = world.context.services;
  const failing = database.transaction(async () => {
    await world.emit('mail-send', GREETING);
    throw new Error('no');
  });
  await failing.then(assert.unreachable, () => {});
  await world.worker.idle();
  assert.equal(await world.mails(), []);
  await database.transaction(() => world.emit('mail-send', GREETING));
  await world.worker.idle();
  assert.is(sent.length, 1);
  await world.close();
});

send('names what is wrong, and queues nothing', async () => {
  const world = await createWorld({ mailer: createScript().mailer });
  const cases: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ to: 'nobody' }, 'to'],
    [{ to: '' }, 'to'],
    [{ to: [] }, 'to'],
    [{ to: 'a@example.org\r\nBcc: b@example.org' }, 'to'],
    [{ to: 'a@example.org, b@example.org' }, 'to'],
    [{ to: Array.from({ length: 101 }, (_, at) => `a${at}@example.org`) }, 'to'],
    [{ to: { address: 'a@example.org' } }, 'to'],
    [{ subject: 'Hello\r\nBcc: b@example.org' }, 'subject'],
    [{ subject: 'x'.repeat(256) }, 'subject'],
    [{ template: '../secret' }, 'template'],
    [{ template: 'none' }, 'template'],
    [{ data: 'Ada' }, 'data'],
    [{ seconds: -1 }, 'seconds'],
  ];
  for (const [change, field] of cases) {
    const response = await world.emit('mail-send', { ...GREETING, ...change });
    assert.equal([response.getStatus(), Object.keys(response.getValidation() as object)], [422, [field]], field);
  }
  assert.equal(await world.mails(), []);
  await world.close();
});

send('takes neither recipient nor subject nor template from a request', async () => {
  const world = await createWorld({ mailer: createScript().mailer });
  for (const name of ['to', 'subject', 'template']) {
    const brought = { to: 'eve@example.org', subject: 'Buy', template: 'greeting' }[name];
    const request = new Request().setStage(GREETING).bringStage({ [name]: brought });
    const response = new Response(request);
    await world.context.emit('mail-send', request, response);
    assert.equal(Object.keys(response.getValidation() as object), [name]);
  }
  assert.equal(await world.mails(), []);
  await world.close();
});

send('tries again while the server is away, later each time, with one Message-ID', async () => {
  const { mailer, sent } = createScript([{ reason: 'ECONNECTION' }, { reason: 'EAUTH' }]);
  const world = await createWorld({ mailer });
  await world.emit('mail-send', GREETING);
  await world.pass(59);
  assert.equal([sent.length, (await world.mails())[0]?.reason], [0, 'ECONNECTION']);
  await world.pass(2);
  assert.equal([sent.length, (await world.mails())[0]?.reason], [0, 'EAUTH']);
  await world.pass(301);
  assert.match(sent[0]?.messageId ?? '', /^<[\w-]{24}@blog\.example>$/);
  assert.equal(
    (await world.mails()).map(({ state, attempts, reason }) => [state, Number(attempts), reason]),
    [['sent', 3, null]],
  );
  await world.close();
});

send('gives up at once where the server refuses the recipient, and in time where the mail expires', async () => {
  const logged: string[] = [];
  const note = (event: string, fields: object = {}): void => void logged.push(`${event} ${JSON.stringify(fields)}`);
  const log = { debug: note, info: note, warn: note, error: note };
  const script = createScript([
    { reason: 'EENVELOPE: 550', isFinal: true },
    { reason: 'ECONNECTION' },
    { reason: 'ECONNECTION' },
  ]);
  const world = await createWorld({ mailer: script.mailer, log });
  await world.emit('mail-send', GREETING);
  await world.worker.idle();
  await world.emit('mail-send', { ...GREETING, seconds: 100 });
  await world.worker.idle();
  await world.pass(61);
  assert.equal(
    (await world.mails()).map(({ state, sealed }) => [state, sealed]),
    [
      ['failed', null],
      ['failed', null],
    ],
  );
  assert.equal(
    logged.map((line) => line.split(' ')[0]),
    ['mail.failed', 'mail.delayed', 'mail.failed'],
  );
  assert.not.match(logged.join(), /ada@|Ada/);
  await world.close();
});

send('gives up a mail that another TREADLE_SECRET sealed', async () => {
  const { mailer, sent } = createScript();
  const world = await createWorld({ mailer });
  const { database } = world.context.services;
  const other = createRootSecret('another root secret', createFakeRandom(7));
  await database.transaction(async () => {
    await world.emit('mail-send', GREETING);
    await database.kysely
      .updateTable('treadle_mail')
      .set({ sealed: other.seal('{"mail":{}}') })
      .execute();
  });
  await world.worker.idle();
  assert.equal([sent.length, (await world.mails())[0]?.state], [0, 'failed']);
  await world.close();
});

send('says so where there is no mail server', async () => {
  const none: Mailer = { way: 'none', send: () => Promise.reject(new Error('not here')) };
  const world = await createWorld({ mailer: none });
  const response = await world.emit('mail-send', GREETING);
  assert.is(response.getStatus(), 503);
  assert.match(response.getMessage() ?? '', 'MAIL_URL');
  assert.equal(await world.mails(), []);
  await world.close();
});

send('forgets the state of a mail after 30 days', async () => {
  const world = await createWorld({ mailer: createScript().mailer });
  await world.emit('mail-send', GREETING);
  await world.worker.idle();
  assert.is((await world.mails()).length, 1);
  world.clock.advance(31 * 86_400_000);
  // The purge runs each hour.
  for (let left = 200; left > 0 && (await world.mails()).length > 0; left -= 1) await world.pass(60);
  assert.equal(await world.mails(), []);
  await world.close();
});

send('counts what waits, was sent and was given up', async () => {
  const { mailer, sent } = createScript();
  const world = await createWorld({ mailer });
  const { database } = world.context.services;
  const read = () => readMailFigures(database, Math.floor(world.clock.now() / 1000));
  assert.equal(await read(), { waiting: 0, oldestSeconds: 0, failed: 0, sent: 0 });
  await world.emit('mail-send', GREETING);
  await world.worker.idle();
  assert.equal([sent.length, await read()], [1, { waiting: 0, oldestSeconds: 0, failed: 0, sent: 1 }]);
  await database.kysely.updateTable('treadle_mail').set({ state: 'failed' }).execute();
  assert.equal(await read(), { waiting: 0, oldestSeconds: 0, failed: 1, sent: 0 });
  await database.kysely.updateTable('treadle_mail').set({ state: 'waiting' }).execute();
  world.clock.advance(90_000);
  assert.equal(await read(), { waiting: 1, oldestSeconds: 90, failed: 0, sent: 0 });
  world.clock.advance(2 * 86_400_000);
  await database.kysely.updateTable('treadle_mail').set({ state: 'failed' }).execute();
  assert.is((await read()).failed, 0, 'two days ago');
  await world.close();
});

send(
  'a development server keeps no mail of a production server on the same database, and that one sends none of its',
  async () => {
    const { mailer, sent } = createScript();
    const world = await createWorld({ mailer });
    const outbox: Mailer = { way: 'outbox', send: () => Promise.reject(new Error('nothing is sent')) };
    const development = { ...world.context, services: { ...world.context.services, mailer: outbox } };
    await world.worker.stop();
    const own = createMailWorker(development);
    await world.emit('mail-send', GREETING);
    own.wake();
    await own.idle();
    assert.equal(
      (await world.mails()).map(({ state }) => state),
      ['waiting'],
      'left to the production server',
    );
    const again = createMailWorker(world.context);
    again.wake();
    await again.idle();
    assert.equal([sent.length, (await world.mails())[0]?.state], [1, 'sent']);
    await own.stop();
    await again.stop();
    await world.close();
  },
);

const prepare = suite('mail-prepare');

prepare('emits the event later, as the system, with the sealed stage, and leaves no row', async () => {
  const heard: unknown[] = [];
  const listeners = { 'auth-forgot-mail': (request: Request) => void heard.push(request.getStage()) };
  const world = await createWorld({ mailer: createScript().mailer, listeners });
  const { database } = world.context.services;
  await database.transaction(async () => {
    await world.emit('mail-prepare', { event: 'auth-forgot-mail', stage: { auth_slug: 'ada@example.org' } });
    assert.not.match(JSON.stringify(await world.mails()), 'ada@');
    assert.equal(heard, []);
  });
  await world.worker.idle();
  assert.equal(heard, [{ auth_slug: 'ada@example.org' }]);
  assert.equal(await world.mails(), []);
  await world.close();
});

prepare('is refused to pages and calls', async () => {
  const world = await createWorld({ mailer: createScript().mailer });
  const response = await world.emit('mail-prepare', { event: 'system-model-remove', stage: {} }, PAGE);
  assert.is(response.getStatus(), 403);
  assert.equal(await world.mails(), []);
  await world.close();
});

prepare('tries an event again that set an error', async () => {
  let calls = 0;
  const fail = (_request: Request, response: Response): void => {
    calls += 1;
    if (calls === 1) response.setError(true, 'not now');
  };
  const world = await createWorld({ mailer: createScript().mailer, listeners: { 'auth-forgot-mail': fail } });
  await world.emit('mail-prepare', { event: 'auth-forgot-mail', stage: {} });
  await world.pass(61);
  assert.equal([calls, await world.mails()], [2, []]);
  await world.close();
});

send.run();
prepare.run();
