// Also on PostgreSQL: rules and removed rows are part of the search.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createApp } from '../../src/boot.ts';
import { type BootOptions, boot, type Site } from '../boot.ts';
import { Project } from '../project.ts';

const BASE = 'https://example.org';
const toSchema = (name: string, more: object): object => ({ name, singular: name, plural: `${name}s`, ...more });
const ARTICLE = toSchema('story', {
  page: '/story/{{story_slug}}',
  fields: [
    { name: 'slug', type: 'text' },
    { name: 'title', type: 'text' },
    { name: 'published', type: 'switch', filterable: true },
    { name: 'active', type: 'active' },
    { name: 'updated', type: 'updated' },
  ],
});
const CODE = `export default function page(app) {
  app.get('/story/:story_slug', (request, response) => void response.setContent('story'));
  app.get('/about', (request, response) => void response.setContent('about'));
}
`;
const FILES = {
  'config/schema/story.json': ARTICLE,
  'app/www/src/events.ts': CODE,
};
const start = ({ files = {}, settings = {}, ...more }: BootOptions = {}): Promise<Site> =>
  boot({
    template: 'bare',
    ...more,
    files: { ...FILES, ...files },
    settings: { server: { baseUrl: BASE }, ...settings },
  });
const add = async (site: Site, values: object): Promise<number> =>
  Number((await site.emit('system-model-create', { schema: 'story', ...values })).getResults('story_id'));
const listUrls = (xml: string): string[] => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = '']) => url);

/** The addresses of every part that the index names. */
async function walk(site: Site): Promise<string[]> {
  const index = await site.get('/sitemap.xml');
  assert.is(index.status, 200, index.text);
  const urls: string[] = [];
  for (const part of listUrls(index.text)) {
    const answer = await site.get(part.replace(BASE, ''));
    assert.is(answer.status, 200, part);
    urls.push(...listUrls(answer.text));
  }
  return urls;
}

const withSite = async (options: BootOptions | undefined, work: (site: Site) => Promise<void>): Promise<void> => {
  const site = await start(options);
  try {
    await work(site);
  } finally {
    await site.close();
  }
};

const test = suite('e2e/sitemap');

test('lists the pages of rows, escaped, with the day of their change, without removed rows and rows without the value', () =>
  withSite({ settings: { server: { baseUrl: BASE }, sitemap: ['/', '/about', '/über%20uns'] } }, async (site) => {
    await add(site, { story_slug: 'one' });
    await add(site, { story_slug: `a&b<c>"'/ü 2` });
    await add(site, { story_title: 'No slug' });
    const gone = await add(site, { story_slug: 'gone' });
    await site.emit('system-model-remove', { schema: 'story', story_id: gone });
    assert.equal(await walk(site), [
      `${BASE}/`,
      `${BASE}/about`,
      `${BASE}/%C3%BCber%20uns`,
      `${BASE}/story/one`,
      `${BASE}/story/a%26b%3Cc%3E%22&apos;%2F%C3%BC%202`,
    ]);
    const part = await site.get('/sitemap/story-0.xml');
    assert.match(String(part.headers['content-type']), 'application/xml');
    assert.match(part.text, /<lastmod>\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z<\/lastmod>/);
    assert.is(part.headers['set-cookie'], undefined);
    const robots = await site.get('/robots.txt');
    assert.match(robots.text, `Sitemap: ${BASE}/sitemap.xml`);
    assert.match(robots.text, 'Disallow: /admin\n');
  }));

test('ids far apart make a part for each range that has rows', () =>
  withSite({}, async (site) => {
    for (const story_id of [1, 2499, 2500, 900_000_000_000])
      await site.emit('system-model-import', { schema: 'story', rows: [{ story_id, story_slug: `s${story_id}` }] });
    const index = await site.get('/sitemap.xml');
    assert.equal(listUrls(index.text), [
      `${BASE}/sitemap/story-0.xml`,
      `${BASE}/sitemap/story-1.xml`,
      `${BASE}/sitemap/story-360000000.xml`,
    ]);
    assert.is((await walk(site)).length, 4);
    for (const path of [
      '/sitemap/story-2.xml',
      '/sitemap/story-.xml',
      '/sitemap/none-0.xml',
      '/sitemap/treadle_auth-0.xml',
      '/sitemap/story-99999999999999999.xml',
      '/sitemap/story.xml',
      '/sitemap/pages.xml',
    ]) {
      assert.is((await site.get(path)).status, 404, path);
    }
  }));

const RULES = {
  filtered: { guest: { search: { filter: { story_published: true } }, detail: { filter: { story_published: true } } } },
  refused: { guest: {} },
  'of others': { user: { search: true, detail: true } },
  'search alone': { guest: { search: true } },
  'without the column': { guest: { search: { read: ['story_title'] }, detail: { read: ['story_title'] } } },
};
const SEEN: Readonly<Record<keyof typeof RULES, readonly string[]>> = {
  filtered: [`${BASE}/story/shown`],
  refused: [],
  'of others': [],
  'search alone': [],
  'without the column': [],
};
for (const [name, data] of Object.entries(RULES)) {
  test(`a rule that is ${name}: the sitemap shows what a visitor sees, also to an administrator`, () => {
    const files = Object.fromEntries(
      Object.entries(data).map(([slug, story]) => [
        `config/role/${slug}.json`,
        { slug, name: slug, permissions: [], data: { story } },
      ]),
    );
    return withSite({ files }, async (site) => {
      await add(site, { story_slug: 'hidden', story_published: false });
      await add(site, { story_slug: 'shown', story_published: true });
      assert.equal(await walk(site), SEEN[name as keyof typeof RULES]);
      const admin = await site.as('Ada', ['admin']);
      const part = await admin.send('GET', '/sitemap/story-0.xml');
      assert.equal(listUrls(part.text), SEEN[name as keyof typeof RULES]);
      assert.equal(await walk(site), SEEN[name as keyof typeof RULES]);
    });
  });
}

test('pages that roles guard are left out', () => {
  const files = {
    'config/role/member.json': {
      slug: 'member',
      name: 'Member',
      permissions: [
        { method: 'all', path: '/story/secret' },
        { method: 'get', path: '/about' },
      ],
    },
  };
  return withSite({ files, settings: { server: { baseUrl: BASE }, sitemap: ['/', '/about'] } }, async (site) => {
    await add(site, { story_slug: 'secret' });
    await add(site, { story_slug: 'open' });
    assert.equal(await walk(site), [`${BASE}/`, `${BASE}/story/open`]);
  });
});

test("a listener of the project's search decides, too", () => {
  const code = `${CODE.replace(
    'export default function page(app) {',
    `export default function page(app) {
  app.on('system-model-search', (request) => {
    if (request.getStage('schema') === 'story') request.setStage('filter', 'story_published', true);
  });`,
  )}`;
  return withSite({ files: { 'app/www/src/events.ts': code } }, async (site) => {
    await add(site, { story_slug: 'draft', story_published: false });
    await add(site, { story_slug: 'done', story_published: true });
    assert.equal(await walk(site), [`${BASE}/story/done`]);
  });
});

test('languages with paths are alternates of each other', () =>
  withSite({ settings: { server: { baseUrl: BASE }, languages: ['en', 'de'], languagePath: true } }, async (site) => {
    await add(site, { story_slug: 'one' });
    const { text } = await site.get('/sitemap/story-0.xml');
    assert.equal(listUrls(text), [`${BASE}/en/story/one`, `${BASE}/de/story/one`]);
    assert.is(
      text.match(/<xhtml:link rel="alternate" hreflang="de" href="https:\/\/example\.org\/de\/story\/one"\/>/g)?.length,
      2,
    );
    const robots = await site.get('/robots.txt');
    for (const path of ['/auth', '/en/auth', '/de/auth']) assert.match(robots.text, `Disallow: ${path}\n`);
  }));

test('without page and sitemap there is none; without an address of the site neither', async () => {
  await withSite({ files: { 'config/schema/story.json': { ...ARTICLE, page: undefined } } }, async (site) => {
    assert.is((await site.get('/sitemap.xml')).status, 404);
    assert.is((await site.get('/sitemap/story-0.xml')).status, 404);
    assert.not.match((await site.get('/robots.txt')).text, 'Sitemap');
  });
  await withSite({ settings: { server: {} } }, async (site) => {
    await add(site, { story_slug: 'one' });
    assert.is((await site.get('/sitemap.xml')).status, 404);
    assert.not.match((await site.get('/robots.txt')).text, 'Sitemap');
  });
});

test('a development server asks to be left out of indexes, and shows the sitemap at its own address', () =>
  withSite({ mode: 'development', settings: { server: {} } }, async (site) => {
    await add(site, { story_slug: 'one' });
    assert.is((await site.get('/robots.txt')).text, 'User-agent: *\nDisallow: /\n');
    assert.equal(listUrls((await site.get('/sitemap/story-0.xml')).text), [`${site.url}/story/one`]);
  }));

test("the project's own files and routes win", () =>
  withSite(
    {
      files: {
        'public/robots.txt': 'User-agent: own\n',
        'app/www/src/events.ts': CODE.replace(
          'app) {',
          "app) {\n  app.get('/sitemap.xml', (request, response) => void response.setContent('own map'));",
        ),
      },
    },
    async (site) => {
      assert.is((await site.get('/robots.txt')).text, 'User-agent: own\n');
      assert.is((await site.get('/sitemap.xml')).text, 'own map');
    },
  ));

test('under a path, addresses and sections have it', () =>
  withSite({ settings: { server: { baseUrl: `${BASE}/shop` } } }, async (site) => {
    await add(site, { story_slug: 'one' });
    assert.equal(listUrls((await site.get('/sitemap/story-0.xml')).text), [`${BASE}/shop/story/one`]);
    assert.match((await site.get('/robots.txt')).text, 'Disallow: /shop/admin\n');
  }));

/** Values of `page`, and what the problem says. */
const REFUSED: readonly (readonly [string, RegExp])[] = [
  ['story/{{story_slug}}', /is not a path/],
  ['//evil.example/{{story_slug}}', /is not a path/],
  ['/story?id={{story_id}}', /is not a path/],
  ['/story/<b>{{story_id}}', /is not a path/],
  ['/stories', /names no column/],
  ['/story/{{story_slgu}}', /"story_slgu", which is not a column/],
  ['/story/{{slug}}', /"slug", which is not a column/],
  ['/story/{{story_secret}}', /is private/],
  ['/story/{{story_text}}', /holds long texts/],
];
for (const [page, message] of REFUSED) {
  test(`check refuses "page": ${page}`, async () => {
    const project = new Project('none');
    try {
      const fields = [
        { name: 'slug', type: 'text' },
        { name: 'secret', type: 'text', private: true },
        { name: 'text', type: 'textarea' },
      ];
      project.write('config/schema/story.json', toSchema('story', { page, fields }));
      const error = await createApp({ root: project.root, mode: 'test', env: {} }).then(
        (app) => app.close().then(() => new Error('it started')),
        (thrown: unknown) => thrown as Error & { problems?: readonly { message: string }[] },
      );
      const said = ('problems' in error ? (error.problems ?? []) : [error]).map((each) => each.message).join('\n');
      assert.match(said, message);
    } finally {
      await project.remove();
    }
  });
}

test('check advises on a page that no route answers; a rename carries the path along, a removal takes it', () =>
  withSite(
    {
      settings: { server: { baseUrl: BASE }, sitemap: ['/', '/nowhere'] },
      files: { 'config/schema/story.json': { ...ARTICLE, page: '/tale/{{story_slug}}' } },
    },
    async (site) => {
      const advice = site.app.problems.filter(({ code }) => code === 'PLAN_PAGE_UNMET');
      assert.equal(
        advice.map(({ path }) => path),
        ['page', 'sitemap.1'],
      );
      await site.cli('field', 'rename', 'story', 'slug', 'name');
      assert.is(JSON.parse(site.project.read('config/schema/story.json')).page, '/tale/{{story_name}}');
      await site.cli('field', 'remove', 'story', 'name', '--yes', '--cascade');
      assert.is(JSON.parse(site.project.read('config/schema/story.json')).page, undefined);
    },
  ));

test.run();
