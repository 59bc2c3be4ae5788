import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';
import { callWith, postForm, signUpAs } from '../e2e/_oauth.ts';

/** `treadle app try` against a running server. */
interface World {
  site: Site;
  secret: string;
  clientId: string;
}

const trial = suite<World>('treadle app try');
trial.before(async (at) => {
  at.site = await boot({
    mode: 'development',
    change: async (project) => {
      await project.cli('api', 'populate');
      const scope = ['--scope', 'profile_read'];
      const { data } = await project.cli('app', 'create', 'reader', '--title', 'Reader', ...scope);
      at.secret = String(data.clientSecret);
      at.clientId = String(data.clientId);
      const uris = ['--redirect-uri', 'https://a.example/cb', '--redirect-uri', 'https://b.example/cb'];
      await project.cli('app', 'create', 'spa', '--title', 'Spa', '--public', ...uris, ...scope);
    },
  });
  await signUpAs(at.site, 'Ann');
});
trial.after(({ site }) => site?.close());

interface Step {
  readonly name: string;
  readonly curl: string;
  readonly status: number;
  readonly body?: { readonly results?: { readonly profile_name?: string }; readonly refresh_token?: string };
}

const run = async ({ site }: World, app: string, ...more: string[]) =>
  (await site.cli('app', 'try', app, '--as', 'ann@example.org', '--url', site.url, ...more)).data as {
    accessToken: string;
    scopes: string[];
    steps: Step[];
  };

for (const door of ['standard', 'classic']) {
  trial(`walks the ${door} door to a call's answer`, async (at) => {
    const { steps, accessToken } = await run(at, 'reader', '--door', door);
    assert.equal(
      steps.map(({ name, status }) => `${name} ${status}`),
      ['ask 200', 'allow 303', 'exchange 200', 'call 200'],
    );
    assert.is(steps[3]?.body?.results?.profile_name, 'Ann');
    assert.is(await callWith(at.site, accessToken), 200);
    assert.match(steps[2]?.curl ?? '', door === 'standard' ? '/oauth/token' : '/rest/access?');
    assert.match(steps[3]?.curl ?? '', `Authorization: Bearer ${accessToken}`);
    // The cookie and the form token belong to the browser and are never printed.
    assert.not.match(JSON.stringify(steps.slice(0, 2)), /sid=|csrf=[^C]/);
  });
}

trial('a public app with several addresses needs no secret', async (at) => {
  const { steps } = await run(at, 'spa');
  assert.not.match(steps[2]?.curl ?? '', 'client_secret');
  assert.match(steps[1]?.curl ?? '', encodeURIComponent('https://a.example/cb'));
  assert.is(steps[3]?.status, 200);
});

trial('leaves the app its own secret, and no session', async (at) => {
  const { kysely } = at.site.app.services.database;
  const count = async (): Promise<number> => (await kysely.selectFrom('treadle_session').selectAll().execute()).length;
  const before = await count();
  await run(at, 'reader');
  assert.is(await count(), before);
  const fields = { grant_type: 'client_credentials', client_id: at.clientId, client_secret: at.secret };
  assert.is((await postForm(`${at.site.url}/oauth/token`, fields)).status, 200);
});

const faults: [string, string[], RegExp][] = [
  ['an unknown app', ['readr', '--as', 'ann@example.org'], /There is no app .*readr/],
  ['an unknown user', ['reader', '--as', 'nobody@example.org'], /There is no user nobody@example.org/],
  [
    'a server that is not there',
    ['reader', '--as', 'ann@example.org', '--url', 'http://127.0.0.1:9'],
    /No server answers/,
  ],
  ['a wrong secret', ['reader', '--as', 'ann@example.org', '--secret', 'tk_cs_wrong'], /exchange answered 401/],
  ['an address that is none', ['reader', '--as', 'ann@example.org', '--url', 'nowhere'], /--url can't be/],
];
for (const [name, argv, said] of faults) {
  trial(`says what is wrong with ${name}`, async ({ site }) => {
    const url = argv.includes('--url') ? [] : ['--url', site.url];
    const error = await site.cli('app', 'try', ...argv, ...url).then(
      () => 'it worked',
      (thrown: unknown) => String(thrown),
    );
    assert.match(error, said);
  });
}

trial('a dry run sends nothing', async ({ site }) => {
  const { data } = await site.cli('app', 'try', 'reader', '--as', 'x@example.org', '--dry-run');
  assert.is(data.isDryRun, true);
});

trial.run();
