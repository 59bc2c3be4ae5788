import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';
import { type Answer, type Client, PASSWORD } from '../client.ts';
import type { Project } from '../project.ts';

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const options = ['red', 'blue'].map((key) => ({ key, value: `The ${key} one` }));
const validation = [{ method: 'required', message: 'Needed' }];

/** Required fields of every control that a form shows. */
const FIELDS = [
  { name: 'city', label: 'City', type: 'text', validation },
  { name: 'team', label: 'Team', type: 'radios', options, description: 'You cannot change it.', validation },
  { name: 'likes', label: 'Likes', type: 'checkboxes', options, validation },
  { name: 'hates', label: 'Hates', type: 'multiselect', options, validation },
  { name: 'news', label: 'News', type: 'checkbox', validation },
  { name: 'photo', label: 'Photo', type: 'image', validation },
  { name: 'papers', label: 'Papers', type: 'imagelist', validation },
];

function requireAll(project: Project): void {
  project.edit<{ fields: object[] }>('config/schema/profile.json', ({ fields }) => void fields.splice(1, 0, ...FIELDS));
}

const BOUNDARY = 'a-boundary';
type Part = readonly [name: string, value: string | Buffer];

const toPart = ([name, value]: Part): Buffer => {
  const file =
    typeof value === 'string' ? '' : `; filename="${value.length === 0 ? '' : 'one.png'}"\r\nContent-Type: image/png`;
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')]);
};

/** Posts as a browser posts a form with files. */
const postParts = (browser: Client, parts: readonly Part[]): Promise<Answer> =>
  browser.send('POST', '/auth/signup', {
    body: Buffer.concat([...parts.map(toPart), Buffer.from(`--${BOUNDARY}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'sec-fetch-site': 'same-origin' },
  });

const toAccountParts = (email: string): Part[] => [
  ['profile_name', 'Ann'],
  ['auth_slug', email],
  ['auth_password', PASSWORD],
  ['confirm', PASSWORD],
];

const OWN: readonly Part[] = [
  ['profile_city', 'Paris'],
  ['profile_team', 'blue'],
  ['profile_likes[]', 'red'],
  ['profile_likes[]', 'blue'],
  ['profile_hates[]', 'red'],
  ['profile_news', '1'],
  ['profile_photo', PICTURE],
  ['profile_papers[]', PICTURE],
  ['profile_papers[]', PICTURE],
];

const at: { site?: Site; bare?: Site } = {};
const site = (): Site => at.site as Site;
const signup = suite('sign-up with all kinds of required fields');
signup.before(async () => {
  at.site = await boot({ mode: 'development', change: requireAll });
});
signup.after(() => site().close());

signup('the form asks for each, with a group for choices, and sends files', async () => {
  const { text } = await site().get('/auth/signup');
  assert.match(text, '<form class="t-card t-form" method="post" action="/auth/signup" enctype="multipart/form-data">');
  for (const part of [
    /<fieldset[^>]*id="t-profile_team"[^>]*>\s*<legend class="t-label">Team</,
    /<input[^>]* type="radio" name="profile_team" value="red" required>/,
    /<fieldset[^>]*id="t-profile_likes"/,
    /<input[^>]* type="checkbox" name="profile_likes\[\]" value="blue">/,
    /<input[^>]* type="checkbox" name="profile_hates\[\]" value="red">/,
    /id="t-profile_news" name="profile_news" type="checkbox" value="1"/,
    /name="profile_photo" type="file" accept="image\/\*" required=""/,
    /name="profile_papers\[\]" type="file"[^>]* multiple/,
  ])
    assert.match(text, part);
});

/** What is left out, and the value that is shown again beside the error. */
for (const [name, kept] of [
  ['profile_city', /value="blue" checked/],
  ['profile_team', /name="profile_city" type="text" value="Paris"/],
  ['profile_likes[]', /name="profile_hates\[\]" value="red" checked/],
  ['profile_hates[]', /name="profile_likes\[\]" value="blue" checked/],
  ['profile_photo', /value="1"[^>]* checked/],
  ['profile_papers[]', /value="blue" checked/],
] as const)
  signup(`without ${name} says so beside the field, and keeps the other values`, async () => {
    const email = `${name.replace(/\W/g, '')}@example.org`;
    const own = OWN.filter(([part]) => part !== name);
    const answer = await postParts(site().browser(), [...toAccountParts(email), ...own]);
    const column = name.replace('[]', '');
    assert.is(answer.status, 422, answer.text);
    assert.match(answer.text, `id="t-${column}-error">Needed<`);
    assert.is(answer.text.match(/-error">Needed</g)?.length, 1);
    assert.match(answer.text, kept);
    assert.match(answer.text, 'id="t-profile_photo-again">Choose the file again');
    assert.is((await site().app.emit('auth-detail', { auth_slug: email })).getStatus(), 404);
  });

signup('an empty file input, a text in its place and an unknown choice are errors', async () => {
  for (const [name, value, expected] of [
    ['profile_photo', Buffer.alloc(0), 'Needed'],
    ['profile_photo', 'https://example.org/a.png', 'Needed'],
    ['profile_photo', Buffer.from('no picture'), 'must be one of'],
    ['profile_team', 'green', 'must be one of'],
    ['profile_likes[]', 'green', 'must be a list'],
  ] as const) {
    const own = [...OWN.filter(([part]) => part !== name), [name, value] as const];
    const { text, status } = await postParts(site().browser(), [...toAccountParts('bad@example.org'), ...own]);
    assert.is(status, 422);
    const error = new RegExp(`id="t-${name.replace('[]', '')}-error">([^<]+)<`).exec(text)?.[1] ?? '';
    assert.match(error, expected, name);
  }
});

signup('stores each value and each file', async () => {
  const done = await postParts(site().browser(), [...toAccountParts('ann@example.org'), ...OWN]);
  assert.is(done.status, 303, done.text);
  const row = (await site().rows('profile')).at(-1) ?? {};
  // PostgreSQL writes JSON with spaces.
  const parse = (value: unknown): string[] => JSON.parse(String(value));
  assert.equal(
    [row.profile_city, row.profile_team, parse(row.profile_likes), parse(row.profile_hates), row.profile_news],
    ['Paris', 'blue', ['red', 'blue'], ['red'], 1],
  );
  const papers = parse(row.profile_papers);
  assert.is(papers.length, 2);
  for (const path of [String(row.profile_photo), ...papers]) assert.is((await site().get(path)).status, 200, path);
});

signup('a form without required files is sent as before', async () => {
  const bare = await boot({ template: 'bare' });
  try {
    assert.not.match((await bare.get('/auth/signup')).text, 'enctype');
  } finally {
    await bare.close();
  }
});

signup.run();
