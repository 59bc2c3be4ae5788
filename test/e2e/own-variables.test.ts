import process from 'node:process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startTestSite } from '../../src/testing/site.ts';
import { boot } from '../boot.ts';
import { Project } from '../project.ts';

/** Variables of `.env` that Treadle does not read belong to the project's code. */
const test = suite('own variables of .env');

const NAMES = ['OWN_TOKEN', 'OWN_URL', 'OWN_SET', 'PORT', 'MAIL_FROM', 'AUTH_ANY_SECRET', 'NODE_ENV'];
const ENV = `TREADLE_SECRET=a secret of a test, with 32 characters
PORT=1234
MAIL_FROM=a@example.org
AUTH_ANY_SECRET=provider
OWN_TOKEN="with # and spaces"
OWN_URL=https://example.org/?a=b
OWN_SET=file
`;
const CODE = `
const early = process.env.OWN_TOKEN;
const list = () => JSON.stringify({ early, ...Object.fromEntries(${JSON.stringify(NAMES)}.map((name) => [name, process.env[name]])) });
export default function own(app) {
  app.get('/own', (request, response) => void response.setContent(list()));
  app.on('own-list', (request, response) => void response.succeed(JSON.parse(list())));
  app.job('own', async ({ app }) => {
    await app.emit('system-model-create', { schema: 'article', article_title: process.env.OWN_TOKEN, article_detail: 'x' });
  });
}`;
const given = { early: 'with # and spaces', OWN_TOKEN: 'with # and spaces', OWN_URL: 'https://example.org/?a=b' };

function fill(project: Project, text = ENV): void {
  project.write('.env', text);
  project.addController('own', CODE);
}

/** Sets variables of the process for a while. */
async function within(values: Readonly<Record<string, string>>, work: () => Promise<void>): Promise<void> {
  Object.assign(process.env, values);
  await work().finally(() => {
    for (const name of Object.keys(values)) delete process.env[name];
  });
}

test('reach pages, jobs and events; the process wins, and what Treadle reads does not arrive', async () => {
  const mode = process.env.NODE_ENV === undefined ? {} : { NODE_ENV: process.env.NODE_ENV };
  await within({ OWN_SET: 'process' }, async () => {
    const site = await boot({ change: (project) => fill(project), env: process.env });
    try {
      const expected = { ...given, OWN_SET: 'process', ...mode };
      assert.equal(JSON.parse((await site.get('/own')).text), expected);
      assert.equal((await site.emit('own-list')).getResults(), expected);
    } finally {
      await site.close();
    }
    assert.is(process.env.OWN_SET, 'process');
  });
  assert.equal([process.env.OWN_TOKEN, process.env.OWN_URL], [undefined, undefined]);
});

test('a reload takes what was changed, added and removed, and no answer is without them', async () => {
  const site = await boot({ change: (project) => fill(project), env: process.env, mode: 'development' });
  try {
    site.project.write('.env', ENV.replace('with # and spaces', 'changed').replace(/OWN_URL.*\n/, ''));
    await site.app.reload();
    const { early, OWN_TOKEN, OWN_URL, OWN_SET } = JSON.parse((await site.get('/own')).text);
    assert.equal([early, OWN_TOKEN, OWN_URL, OWN_SET], ['changed', 'changed', undefined, 'file']);
    site.project.write('app/www/src/controller/own.ts', 'export default (');
    await site.app.reload();
    assert.is(JSON.parse((await site.get('/own')).text).OWN_TOKEN, 'changed', 'the code before goes on');
  } finally {
    await site.close();
  }
  assert.equal([process.env.OWN_TOKEN, process.env.OWN_SET], [undefined, undefined]);
});

test('an environment that the application was started with wins over the file', async () => {
  const site = await boot({ change: (project) => fill(project), env: { OWN_SET: 'given', OTHER: 'x' } });
  try {
    assert.is(JSON.parse((await site.get('/own')).text).OWN_SET, 'given');
    assert.is(process.env.OTHER, undefined);
  } finally {
    await site.close();
  }
});

test('a test site gives them, and those of its own over all others', async () => {
  const project = new Project('blog');
  fill(project);
  const site = await startTestSite({ root: project.root, env: { OWN_SET: 'test', OWN_URL: '' } });
  try {
    const { OWN_TOKEN, OWN_URL, OWN_SET, PORT } = JSON.parse((await site.get('/own')).text);
    assert.equal([OWN_TOKEN, OWN_URL, OWN_SET, PORT], ['with # and spaces', '', 'test', undefined]);
    await site.run('own');
    assert.match((await site.get('/articles')).text, 'with # and spaces');
  } finally {
    await site.close();
    await project.remove();
  }
  assert.is(process.env.OWN_TOKEN, undefined);
});

test('custom settings of the project reach its code', async () => {
  const custom = { shop: { open: true }, list: [1] };
  const code = `export default function shop(app) {
    app.get('/custom', (request, response) => void response.setContent(JSON.stringify(app.settings.custom)));
  }`;
  const site = await boot({ settings: { custom }, change: (project) => project.addController('shop', code) });
  const bare = await boot({ change: (project) => project.addController('shop', code) });
  try {
    assert.equal(JSON.parse((await site.get('/custom')).text), custom);
    assert.equal(JSON.parse((await bare.get('/custom')).text), {});
  } finally {
    await site.close();
    await bare.close();
  }
});

test('commands give them, too, and two sites at once keep to their own order', async () => {
  const project = new Project('blog');
  fill(project);
  try {
    const said = await project.cli('emit', 'own-list', '--json');
    assert.match(said.out, 'with # and spaces');
  } finally {
    await project.remove();
  }
  const first = await boot({ change: (one) => fill(one, 'OWN_TOKEN=first\n') });
  const second = await boot({ change: (one) => fill(one, 'OWN_TOKEN=second\n') });
  assert.is(process.env.OWN_TOKEN, 'second');
  await first.close();
  assert.is(process.env.OWN_TOKEN, 'second');
  await second.close();
  assert.is(process.env.OWN_TOKEN, undefined);
});

test.run();
