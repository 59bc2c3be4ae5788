// Walks every page of every feature in the pseudo-language, after refused forms too: what is not in brackets is not translated.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../src/core/file/package-root.ts';
import type { CompiledPlan } from '../../src/plan/compile.ts';
import { addArticle, boot, type Site, until } from '../boot.ts';
import type { Client, Form } from '../client.ts';
import { everyType } from '../feature/admin-data/_every-type.ts';
import type { Project } from '../project.ts';
import { createFindPlain, type FindPlain, listNames } from './_plain-text.ts';

const test = suite('e2e/pseudo-locale-walk');

const thing = everyType['config/schema/thing.json'];

const FILES = {
  ...everyType,
  'config/schema/thing.json': {
    ...thing,
    relations: [...(thing.relations ?? []), { schema: 'thing', kind: '1:0', name: 'article', tree: true }],
  },
  'config/role/editor.json': {
    slug: 'editor',
    name: 'Editor',
    permissions: [{ method: 'all', path: '/admin/job/**' }],
    data: { article: { search: true, update: { filter: { article_id: 1 }, write: ['title'] } } },
  },
  'config/webhook/article-created.json': {
    title: 'Article created',
    event: 'system-model-create',
    parameters: { schema: 'article' },
    type: 'article.created',
    audience: 'app',
    method: 'post',
    url: 'http://127.0.0.1:9/hook',
    delivery: 'queued',
    secretVersion: 1,
    description: 'An article was made',
    approval: false,
  },
  'config/webhook/comment-changed.json': {
    title: 'Comment changed',
    event: 'system-model-update',
    parameters: { schema: 'comment' },
    filter: { comment_detail: { ne: '' } },
    type: 'comment.changed',
    audience: 'user',
    approval: true,
    format: 'cloudevents-binary',
    delivery: 'inline',
  },
  'config/app/reader.json': {
    title: 'Reader',
    clientId: 'reader',
    owner: 'ada@example.org',
    redirectUris: ['https://app.example/cb'],
    webhook: 'http://127.0.0.1:9/app',
    hooks: ['article-created'],
    scopes: [],
  },
  'app/www/src/template/mail/hello.txt': 'Subject: Hello\n\nHello',
  'app/jobs/.treadle.ts': `import jobs from './jobs'; export default [jobs];`,
  'app/jobs/jobs.ts': `export default (app) => {
    app.job('mend', () => { throw new Error('0'); });
    app.schedule('clean-up', '0 3 * * *', () => {});
  };`,
};

/** Keys of definitions whose values people read. */
const READ = /"(?:singular|plural|label|message|title|description|name|value)": "((?:[^"\\]|\\.)*)"/g;

/** Offers a translation of every text of the definitions: where a page does not look one up, it shows it bare. */
function translateDefinitions(project: Project): void {
  const folder = project.path('config');
  const files = readdirSync(folder, { recursive: true }).map(String);
  const texts = files
    .filter((file) => file.endsWith('.json') && !file.startsWith('locale'))
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(READ)].map(([, text = '']) => text));
  const named = texts.filter((text) => /^[A-Z]/.test(text));
  project.edit<Record<string, string>>('config/locale/de.json', (known) => {
    for (const text of named) known[text] ??= text;
    // Texts of the blog's code, which the check takes for misspelt texts of this project.
    for (const text of ['Comment Added', 'The search failed.']) delete known[text];
  });
}

async function prepare(project: Project): Promise<void> {
  await project.cli('api', 'populate');
  translateDefinitions(project);
}

const state = {} as { site: Site; admin: Client; member: Client; find: FindPlain; looked: ReadonlySet<string> };

/** Notes every text that is looked up, also those that the code does not write where it looks them up. */
function noteLooked({ languages }: CompiledPlan): ReadonlySet<string> {
  const looked = new Set<string>();
  const locale = languages?.offered[0] as { find(source: string): string | undefined };
  const { find } = locale;
  locale.find = (source) => {
    if (!source.startsWith('⟦')) looked.add(source);
    return find(source);
  };
  return looked;
}

test.before(async () => {
  const settings = {
    name: 'Site',
    languages: ['en-XA'],
    api: true,
    admin: { write: true },
    limits: { perMinute: 1e6 },
  };
  const site = await boot({ files: FILES, settings, change: prepare, mode: 'development' });
  state.site = site;
  state.looked = noteLooked(site.app.plan as CompiledPlan);
  state.admin = await site.as('Ada', ['admin']);
  state.member = await site.as('Ann');
  await addArticle(site);
  await site.emit('system-model-create', { schema: 'comment', comment_detail: 'Text', profile_id: 1 });
  await site.emit('system-relation-link', { schema1: 'article', schema2: 'comment', article_id: 1, comment_id: 1 });
  await site.emit('system-model-create', { schema: 'box', box_name: 'Text' });
  await site.emit('system-model-create', { schema: 'label', label_name: 'Text' });
  await site.emit('system-model-create', { schema: 'thing', thing_text: 'Text', box_id: 1, profile_id: 1 });
  await site.emit('system-model-update', { schema: 'article', article_id: 1, article_title: 'title' });
  await site.emit('mail-send', { to: 'ann@example.org', template: 'hello', data: {} });
  await site.emit('job-queue', { name: 'mend', attempts: 1 });
  await until(async () => (await site.emit('job-detail', { job_id: 1 })).getResults('state') === 'failed' || undefined);
  await site.mails();
  state.find = createFindPlain(listNames(site.app.plan as CompiledPlan));
});
test.after(() => state.site.close());

/** Values of the places in paths: the first rule that fits. */
const PLACES: readonly (readonly [RegExp, Readonly<Record<string, readonly string[]>>])[] = [
  [/^\/admin\/system\/schema\//, { name: ['article', 'thing', 'nothing'] }],
  [/^\/admin\/system\/fieldset\//, { name: ['line'] }],
  [/^\/admin\/system\/model\/rest\//, { id: ['public-article-search', 'nothing'] }],
  [/^\/admin\/system\/model\/scope\//, { id: ['profile_read'] }],
  [/^\/admin\/system\/model\/webhook\//, { id: ['article-created', 'comment-changed'] }],
  [/^\/admin\/system\/model\/app\//, { id: ['reader', '1'] }],
  [/^\/admin\/system\/model\/role\//, { id: ['editor'], schema: ['article'], action: ['update'] }],
  [
    /^\/admin\/system\/model\//,
    {
      schema: ['article', 'thing'],
      schema1: ['article'],
      schema2: ['comment'],
      id: ['1', '999'],
      id2: ['1'],
      column: ['article_title'],
      file: ['nothing'],
    },
  ],
  [/^\/developer\/docs\/guide/, { name: ['authentication', 'errors', 'searching', 'writing', 'limits'] }],
  [/^\/developer\/docs\/scopes/, { name: ['profile_read'] }],
  [/^\/developer\/docs\/webhooks/, { name: ['article-created', 'comment-changed'] }],
  [/^\/developer\/docs\/errors/, { name: ['ROW_MISSING', 'VALIDATION_FAILED'] }],
  [/^\/developer\/docs\/schemas/, { name: ['article', 'thing'] }],
  [/^\/admin\/user\//, { action: ['disable'], auth_id: ['2', '999'] }],
  [/^\/admin\/backup\//, { name: ['nothing'] }],
  [/^\/admin\/slow\//, { slow_id: ['nothing'] }],
  [
    /./,
    { app_id: ['1', '999'], article_id: ['1'], mail_id: ['1'], delivery_id: ['1'], job_id: ['1'], history_id: ['1'] },
  ],
  [/./, { provider: ['google'], save: ['1'] }],
];

function fill(path: string, plan: CompiledPlan): string[] {
  const name = /:(\w+)/.exec(path)?.[1];
  if (name === undefined) return [path];
  const isCall = path.startsWith('/developer/docs/calls');
  const found = isCall
    ? plan.calls.map((call) => call.name)
    : PLACES.find(([base, values]) => base.test(path) && values[name])?.[1][name];
  assert.ok(found, `PLACES has no value for :${name} of ${path}`);
  return found.flatMap((value) => fill(path.replace(`:${name}`, value), plan));
}

/** Routes without a page: a stream, files, calls of the API, machines' endpoints. */
const WITHOUT_PAGE =
  /^\/(?:admin\/events|rest|oauth\/(?:token|revoke|introspect|userinfo)|\.well-known|styles|scripts|upload|health|favicon|icons|feed|__treadle\/(?:events|reload))|openapi\.json|search\.js|\*|go\.json/;

/** Every path of a method. */
function listPaths(plan: CompiledPlan, method: string): string[] {
  const routes = [
    ...plan.draft.registered.map(({ event }) => event),
    ...plan.routes.map((route) => `${route.method} ${route.path}`),
  ];
  const paths = routes
    .filter((route) => route.startsWith(`${method} /`))
    .map((route) => route.slice(method.length + 1));
  return [...new Set(paths)].filter((path) => !WITHOUT_PAGE.test(path)).flatMap((path) => fill(path, plan));
}

/** Lists that find nothing, filters, and other states of a page. */
const MORE = [
  '/admin/history?schema=article',
  '/admin/history?email=nobody@example.net',
  '/admin/job/search?state=odd',
  '/admin/job/search?state=done',
  '/admin/mail/search?state=odd',
  '/admin/mail/search?state=failed',
  '/admin/delivery/search?state=failed&event=article.created',
  '/admin/delivery/search?state=odd',
  '/admin/log?level=error',
  '/admin/log?request=nothing',
  '/admin/user/search?q=nothing',
  '/admin/go?q=article',
  '/admin/go?q=nothing-there',
  '/admin/system/model/article/search?q=nothing',
  '/admin/system/model/article/search?filter[article_id][gte]=1&sort=-article_published&columns=article_title',
  '/admin/system/model/article/search?filter[odd]=1',
  '/admin/system/model/rest/search?q=nothing',
  '/nowhere',
];

async function look(client: Client, path: string, found: Map<string, string>): Promise<void> {
  const answer = await client.get(path);
  assert.ok(answer.status < 500, `${path}: ${answer.status}`);
  if (!String(answer.headers['content-type']).startsWith('text/html')) return;
  for (const piece of state.find(answer.text)) if (!found.has(piece)) found.set(piece, path);
}

const print = (found: ReadonlyMap<string, string>): string[] => [...found].map(([piece, path]) => `${path}: ${piece}`);

test('no page of any feature has a text that is not translated', async () => {
  const { site, admin, member } = state;
  const found = new Map<string, string>();
  const paths = listPaths(site.app.plan as CompiledPlan, 'GET').filter((path) => path !== '/auth/logout');
  assert.ok(paths.length > 150, String(paths.length));
  for (const path of [...paths, ...MORE]) await look(admin, path, found);
  for (const path of paths.filter((each) => /^\/(?:developer|auth)\//.test(each))) await look(member, path, found);
  for (const path of paths.filter((each) => /^\/(?:auth|developer\/docs|admin$)/.test(each)))
    await look(site.browser(), path, found);
  assert.equal(print(found), []);
});

/** What is posted to every form: nothing, and values that fit nowhere. */
const FORMS: readonly Form[] = [
  {},
  {
    do: 'save',
    name: 'Not a Name',
    _name: 'Not a Name',
    slug: 'Not a Slug',
    title: '',
    auth_slug: 'x',
    role: 'odd',
    data: '{',
    text: '{',
    to: 'Not a Name',
    id: 'x',
  },
];

const readHidden = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';

/** Posts a form, and looks at the answer or at the page that it redirects to. */
async function post(client: Client, path: string, form: Form, found: Map<string, string>): Promise<void> {
  const answer = await client.post(path, form);
  assert.ok(answer.status < 500, `POST ${path}: ${answer.status} ${answer.text}`);
  const isLocal = /^\/(?!\/)/.test(answer.location);
  const { headers, text } = isLocal ? await client.get(answer.location) : answer;
  if (!String(headers['content-type']).startsWith('text/html')) return;
  for (const piece of state.find(text)) if (!found.has(piece)) found.set(piece, `POST ${path}`);
}

/** Forms that end the session of who posts them, or change the language. */
const LAST = /^\/(?:auth\/(?:logout|remove|sessions)|language|admin\/system\/settings$)/;

test('no refused form has a message that is not translated', async () => {
  const { site, admin } = state;
  const found = new Map<string, string>();
  const csrf = readHidden((await admin.get('/admin')).text, 'csrf');
  const paths = listPaths(site.app.plan as CompiledPlan, 'POST').filter((path) => !LAST.test(path));
  for (const form of FORMS) for (const path of paths) await post(admin, path, { csrf, ...form }, found);
  assert.equal(print(found), []);
});

test('every text that was looked up on these pages has a German translation', () => {
  const german = JSON.parse(readFileSync(join(packageRoot, 'templates/locale/de.json'), 'utf8'));
  const own = JSON.parse(readFileSync(state.site.project.path('config/locale/de.json'), 'utf8'));
  const missing = [...state.looked].filter((text) => text !== '' && !(text in german) && !(text in own));
  assert.equal(missing, []);
});

test.run();
