import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createApp } from '../../src/boot.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { boot, type Site, until } from '../boot.ts';
import { startSmtp } from '../outbound/_smtp.ts';
import type { Project } from '../project.ts';

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

function prepare(project: Project): void {
  for (const [name, text] of Object.entries(MAILS)) project.write(`app/www/src/template/mail/${name}`, text);
  const controller = 'app/www/src/controller/static.ts';
  project.write(controller, project.read(controller).replace(/\n}\s*$/, ROUTE));
}

mail.before(async () => {
  at.site = await boot({ mode: 'development', change: prepare });
});
mail.after(() => site().close());

const readOutbox = async (): Promise<string> => (await site().browser().get('/__treadle/mail')).text;

/** The page once the worker had its turn. */
const untilOutbox = (pattern: RegExp): Promise<string> =>
  until(async () => {
    const text = await readOutbox();
    return pattern.test(text) ? text : undefined;
  });

mail("is written in the project's own language, escaped in HTML and not in text", async () => {
  const browser = () => site().browser();
  assert.match((await browser().get('/invite?to=ada@example.org')).text, /^invited/);
  const text = await untilOutbox(/Einladung von Ben/);
  assert.match(text, 'ada@example.org');
  assert.match(text, `Hallo &lt;Ada&gt;, ${site().url}/articles`);
  const id = /src="(\/__treadle\/mail\/\d+)"/.exec(text)?.[1] ?? '';
  assert.match((await browser().get(id)).text, '<p>Hallo &lt;Ada&gt;, von Ben</p>');
});

mail('is not sent where the page fails, and says what is missing', async () => {
  const browser = () => site().browser();
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

mail('leaves by MAIL_URL in production', async () => {
  const server = await startSmtp();
  const env = { MAIL_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'Blog <blog@example.org>' };
  const change = async (project: Project) => {
    prepare(project);
    await project.cli('migrate', '--yes');
  };
  // A site of its own: the worker of a development server on the same database would take the mail.
  const live = await boot({ change, mode: 'production', env });
  try {
    const data = { name: 'Ada', host: { name: 'Ben' } };
    await live.app.emit('mail-send', { to: 'ada@example.org', template: 'invite', data });
    await until(async () => server.taken[0]);
    const raw = server.taken[0]?.raw ?? '';
    assert.match(raw, /From: Blog <blog@example\.org>[\s\S]*Subject: Einladung von Ben/);
  } finally {
    await live.close();
    await server.close();
  }
});

mail('without a mail server production queues nothing, and the commands say so', async () => {
  const without = await createApp({
    root: site().root,
    mode: 'production',
    env: {},
    log: silentLog,
    hasWorkers: false,
  });
  const response = await without.emit('mail-send', { to: 'ada@example.org', template: 'invite' });
  await without.close();
  assert.is(response.getStatus(), 503);
  const doctor = await site().cli('doctor');
  assert.match(doctor.out, 'MAIL_URL is not set');
});

mail.run();
