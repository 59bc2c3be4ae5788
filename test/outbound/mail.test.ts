import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TreadleError } from '../../src/core/errors.ts';
import { createMailer, type MailError, parseMailbox, parseMailUrl } from '../../src/outbound/mail.ts';
import { createCertificates } from './_certificates.ts';
import { startSmtp } from './_smtp.ts';

const mail = suite('outbound/mail');

const FROM = { name: 'My site', address: 'noreply@example.org' };
const MAIL = {
  to: 'ada@example.org',
  subject: 'Hello',
  text: 'Hello Ada',
  html: '<p>Hello Ada</p>',
  messageId: '<1@example.org>',
};

const toMailer = (url: string) => createMailer({ server: parseMailUrl(url), from: FROM, without: 'none' });

async function failureOf(work: Promise<unknown>): Promise<{ message: string; isFinal: boolean }> {
  const error = (await work.then(
    () => assert.unreachable('it was sent'),
    (thrown: unknown) => thrown,
  )) as TreadleError;
  assert.is(error.code, 'MAIL_FAILED');
  return { message: error.message, isFinal: (error.detail as MailError).isFinal };
}

mail('reads MAIL_URL', () => {
  const usual = { host: 'mail.example.org', port: 587, isSecure: false, user: undefined, password: undefined };
  const cases: readonly (readonly [string, unknown])[] = [
    ['smtp://mail.example.org', usual],
    ['smtps://mail.example.org/', { ...usual, port: 465, isSecure: true }],
    ['smtp://a%40b:p%2Fw@mail.example.org:2525', { ...usual, port: 2525, user: 'a@b', password: 'p/w' }],
    ['smtp://[::1]:25', { ...usual, host: '::1', port: 25 }],
    ['http://mail.example.org', undefined],
    ['smtp://', undefined],
    ['smtp://mail.example.org/path', undefined],
    ['smtp://mail.example.org?tls.rejectUnauthorized=false', undefined],
    ['smtp://%zz@mail.example.org', undefined],
    ['mail.example.org', undefined],
  ];
  for (const [text, expected] of cases) assert.equal(parseMailUrl(text), expected, text);
});

mail('reads MAIL_FROM', () => {
  const cases: readonly (readonly [string, unknown])[] = [
    ['a@example.org', { name: '', address: 'a@example.org' }],
    ['My site <a@example.org>', { name: 'My site', address: 'a@example.org' }],
    ['"Site, mine" <a@example.org>', { name: 'Site, mine', address: 'a@example.org' }],
    ['<a@example.org>', { name: '', address: 'a@example.org' }],
    ['example.org', undefined],
    ['Site <a@example.org\r\nBcc: b@example.org>', undefined],
    ['a@example.org, b@example.org', undefined],
    ['', undefined],
  ];
  for (const [text, expected] of cases) assert.equal(parseMailbox(text), expected, JSON.stringify(text));
});

mail('a server takes text and HTML, with the sender of the settings', async () => {
  const server = await startSmtp();
  const mailer = toMailer(`smtp://127.0.0.1:${server.port}`);
  assert.is(mailer.way, 'smtp');
  await mailer.send(MAIL);
  const [taken] = server.taken;
  assert.equal([taken?.from, taken?.to], ['noreply@example.org', ['ada@example.org']]);
  for (const line of [
    'From: My site <noreply@example.org>',
    'Message-ID: <1@example.org>',
    'Auto-Submitted: auto-generated',
  ])
    assert.match(taken?.raw ?? '', line);
  assert.match(taken?.raw ?? '', /multipart\/alternative[\s\S]*Hello Ada[\s\S]*<p>Hello Ada<\/p>/);
  await server.close();
});

mail('nothing in a mail adds a header or another recipient', async () => {
  const server = await startSmtp();
  const to = 'ada@example.org';
  await toMailer(`smtp://127.0.0.1:${server.port}`).send({
    ...MAIL,
    to,
    subject: 'Hello\r\nBcc: eve@example.org\r\n\r\nBody',
  });
  const [head = ''] = (server.taken[0]?.raw ?? '').split('\r\n\r\n');
  assert.equal(server.taken[0]?.to, [to]);
  assert.not.match(head, /^Bcc:/im);
  await server.close();
});

mail('a refused recipient is final, a busy server and a wrong password are not', async () => {
  const codes: Record<string, number> = { 'gone@example.org': 550, 'busy@example.org': 451 };
  const server = await startSmtp({ refuse: (recipient) => codes[recipient] });
  const mailer = toMailer(`smtp://127.0.0.1:${server.port}`);
  const gone = await failureOf(mailer.send({ ...MAIL, to: 'gone@example.org' }));
  assert.is(gone.isFinal, true);
  assert.not.match(gone.message, 'gone@example.org');
  assert.is((await failureOf(mailer.send({ ...MAIL, to: 'busy@example.org' }))).isFinal, false);
  await server.close();
  assert.is((await failureOf(mailer.send(MAIL))).isFinal, false, 'nobody listens');

  const guarded = await startSmtp({ password: 'right' });
  const wrong = await failureOf(toMailer(`smtp://me:wrong@127.0.0.1:${guarded.port}`).send(MAIL));
  assert.is(wrong.isFinal, false);
  assert.not.match(wrong.message, 'wrong');
  await toMailer(`smtp://me:right@127.0.0.1:${guarded.port}`).send(MAIL);
  assert.is(guarded.taken[0]?.user, 'me');
  await guarded.close();
});

mail('without a server it says what becomes of mail', async () => {
  const mailer = createMailer({ server: undefined, from: undefined, without: 'outbox' });
  assert.is(mailer.way, 'outbox');
  await failureOf(
    mailer.send(MAIL).catch((error) => Promise.reject(Object.assign(error, { detail: { isFinal: false } }))),
  );
});

const certificates = createCertificates('localhost');
if (certificates) {
  mail('a certificate that nobody known signed is refused, with TLS from the start and by STARTTLS', async () => {
    for (const isSecure of [true, false]) {
      const server = await startSmtp({ tls: certificates.selfSigned, isSecure, password: 'right' });
      const url = `${isSecure ? 'smtps' : 'smtp'}://me:right@localhost:${server.port}`;
      assert.is((await failureOf(toMailer(url).send(MAIL))).isFinal, false, url);
      assert.equal(server.taken, []);
      await server.close();
    }
  });
}

mail.run();
