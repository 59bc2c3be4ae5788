import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createApp } from '../../src/boot.ts';
import { silentLog } from '../../src/core/log.ts';
import { startSmtp } from '../outbound/_smtp.ts';
import { type Site, startBlog } from './_setup.ts';

const mail = suite('mail of a project');
const at: { site?: Site } = {};
const site = (): Site => at.site as Site;

const MAILS: Readonly<Record<string, string>> = {
  'invite.txt': 'Subject: Einladung von {{host.name}}\n\nHallo {{name}}, {{site.url}}/articles\n',
  'invite.html': '<p>Hallo {{name}}, {{#if host.name}}von {{host.name}}{{/if}}</p>\n',
  'bare.txt': 'Nur Text',
};

/** A page that sends a mail and then saves an article, in one transaction. */
const ROUTE = `
  app.get('/invite', async (request, response) => {
    await app.transaction(async () => {
      await app.mail({ to: String(request.getGet('to')), template: 'invite', data: { name: '<Ada>', host: { name: 'Ben' } } });
      if (request.getGet('fails')) throw new Error('no');
    });
    response.setContent('invited');
  });
  app.get('/bare', async (_request, response) => {
    await app.mail({ to: 'ada@example.org', template: 'bare' });
    response.setContent('sent');
  });
}
`;

function prepare(root: string): void {
  const folder = join(root, 'app/www/src/template/mail');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(MAILS)) writeFileSync(join(folder, name), text);
  const controller = join(root, 'app/www/src/controller/static.ts');
  writeFileSync(controller, readFileSync(controller, 'utf8').replace(/\n}\s*$/, ROUTE));
}

mail.before(async () => {
  at.site = await startBlog(async (root) => prepare(root));
});
mail.after(() => site().close());

const readOutbox = async (): Promise<string> => (await site().browser().get('/__treadle/mail')).text;

/** Asks until the worker had its turn. */
async function untilOutbox(pattern: RegExp): Promise<string> {
  for (let left = 400; ; left -= 1) {
    const text = await readOutbox();
    if (pattern.test(text)) return text;
    assert.ok(left > 0, text);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

mail("is written in the project's own language, escaped in HTML and not in text", async () => {
  const { browser } = site();
  assert.match((await browser().get('/invite?to=ada@example.org')).text, /^invited/);
  const text = await untilOutbox(/Einladung von Ben/);
  assert.match(text, 'ada@example.org');
  assert.match(text, `Hallo &lt;Ada&gt;, ${site().url}/articles`);
  const id = /src="(\/__treadle\/mail\/\d+)"/.exec(text)?.[1] ?? '';
  assert.match((await browser().get(id)).text, '<p>Hallo &lt;Ada&gt;, von Ben</p>');
});

mail('is not sent where the page fails, and says what is missing', async () => {
  const { browser } = site();
  assert.is((await browser().get('/invite?to=eve@example.org&fails=1')).status, 500);
  assert.is((await browser().get('/invite?to=nobody')).status, 422);
  assert.is((await browser().get('/bare')).status, 422);
  assert.not.match(await readOutbox(), /eve@|Nur Text/);
});

mail('a broken mail template is a problem of the project', async () => {
  const file = join(site().root, 'app/www/src/template/mail/bare.txt');
  writeFileSync(file, 'Subject: x\n\n{{#if');
  const problems = await site().app.reload();
  assert.equal(
    problems.filter(({ severity }) => severity !== 'advice').map((problem) => problem.file),
    ['app/www/src/template/mail/bare.txt'],
  );
  writeFileSync(file, MAILS['bare.txt'] ?? '');
});

mail('leaves by MAIL_URL in production; without it nothing is queued, and the commands say so', async () => {
  const server = await startSmtp();
  const env = { MAIL_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'Blog <blog@example.org>' };
  const { root } = site();
  const app = await createApp({ root, mode: 'production', env, log: silentLog });
  await app.emit('mail-send', {
    to: 'ada@example.org',
    template: 'invite',
    data: { name: 'Ada', host: { name: 'Ben' } },
  });
  for (let left = 400; server.taken.length === 0; left -= 1) {
    assert.ok(left > 0);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.match(server.taken[0]?.raw ?? '', /From: Blog <blog@example\.org>[\s\S]*Subject: Einladung von Ben/);
  await app.close();
  await server.close();
  const without = await createApp({ root, mode: 'production', env: {}, log: silentLog, hasWorkers: false });
  const response = await without.emit('mail-send', { to: 'ada@example.org', template: 'invite' });
  assert.is(response.getStatus(), 503);
  await without.close();
  const doctor = await site().cli('doctor');
  assert.match(doctor.out, 'MAIL_URL is not set');
});

mail.run();
