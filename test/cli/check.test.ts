import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Template } from '../../src/cli/create/template.ts';
import type { Problem } from '../../src/core/errors.ts';
import { Folders, run } from './run.ts';

/** `treadle check` names what a definition or the code says in vain. */
const test = suite('cli/check');
const folders = new Folders();
test.after(() => folders.remove());

interface Case {
  readonly title: string;
  readonly files: Readonly<Record<string, unknown>>;
  /** `<severity> <code> <path>`; undefined if nothing is said. */
  readonly says: string | undefined;
  /** Part of the message or the hint. */
  readonly words?: string;
}

const call = (more: object) => ({
  'config/rest/z.json': {
    title: 'F',
    access: 'public',
    method: 'get',
    path: '/p',
    event: 'system-model-search',
    parameters: { schema: 'article' },
    ...more,
  },
});
const hook = (more: object) => ({
  'config/webhook/w.json': {
    title: 'T',
    event: 'system-model-create',
    parameters: { schema: 'article' },
    type: 'a.b',
    approval: true,
    ...more,
  },
});
const role = (data: object, slug = 'editor') => ({
  [`config/role/${slug}.json`]: { slug, name: 'R', permissions: [], data: { article: data } },
});
const filter = (value: unknown) => role({ search: { filter: { article_category: value } } });
const app = (more: object) => ({ 'config/app/a.json': { title: 'A', clientId: 'a', ...more } });
const INCLUDE = 'app/www/.treadle.ts';
const code = (line: string) => ({
  'app/www/src/extra.ts': `export default function extra(app: any) {\n  ${line}\n}\n`,
});

const PARAMETER = 'PLAN_PARAMETER_UNKNOWN parameters';
const CASES: readonly Case[] = [
  {
    title: 'a match on a column',
    files: hook({ parameters: { schema: 'article', article_title: 'x' } }),
    says: undefined,
  },
  {
    title: 'a match on no column',
    files: hook({ parameters: { schema: 'article', article_nope: 1 } }),
    says: `warning ${PARAMETER}.article_nope`,
  },
  {
    title: 'a match on no column, of a pattern',
    files: hook({ event: 'system-model-*', parameters: { schema: 'article', article_nope: 1 } }),
    says: `warning ${PARAMETER}.article_nope`,
  },
  {
    title: 'a misspelt key of a match',
    files: hook({ parameters: { shema: 'article' } }),
    says: `warning ${PARAMETER}.shema`,
    words: 'Did you mean "schema"?',
  },
  {
    title: 'a misspelt key of an event of accounts',
    files: hook({ event: 'auth-create', parameters: { auth_slugg: 'x' } }),
    says: `warning ${PARAMETER}.auth_slugg`,
  },
  {
    title: 'a column that a removal does not name',
    files: hook({ event: 'system-model-remove', parameters: { schema: 'article', article_title: 'x' } }),
    says: `warning ${PARAMETER}.article_title`,
    words: 'in "filter"',
  },
  {
    title: 'the schema of a link',
    files: hook({ event: 'system-relation-link' }),
    says: `warning ${PARAMETER}.schema`,
    words: 'Did you mean "schema1"?',
  },
  {
    title: "a key that only the project's code can set",
    files: hook({ parameters: { schema: 'article', campaign: 'x' } }),
    says: `advice ${PARAMETER}.campaign`,
  },
  {
    title: 'a condition in a match',
    files: hook({ parameters: { schema: 'article', article_title: { eq: 'x' } } }),
    says: 'warning WEBHOOK_FILTER_INVALID parameters.article_title',
  },
  { title: 'a hook on a search', files: hook({ event: 'system-model-search' }), says: 'advice PLAN_EVENT_READ event' },
  { title: 'a hook on a detail', files: hook({ event: 'system-model-detail' }), says: 'advice PLAN_EVENT_READ event' },
  {
    title: 'a hook on a read that reports nothing',
    files: hook({ event: 'app-search', parameters: {} }),
    says: 'advice PLAN_EVENT_SILENT event',
  },
  {
    title: 'what changed, of a created row',
    files: hook({ filter: { changed: { has: 'article_title' } } }),
    says: 'warning WEBHOOK_FILTER_INVALID filter.changed',
  },
  {
    title: 'what was before, of a removed row',
    files: hook({ event: 'system-model-remove', filter: { original: { article_title: 'x' } } }),
    says: 'warning WEBHOOK_FILTER_INVALID filter.original',
  },
  {
    title: 'what changed, of an updated row',
    files: hook({ event: 'system-model-update', filter: { changed: { has: 'article_title' } } }),
    says: undefined,
  },
  ...(['search', 'detail', 'remove', 'restore', 'link'] as const).flatMap((action): Case[] => [
    {
      title: `write on ${action}`,
      files: role({ [action]: { write: ['title'] } }),
      says: `advice MODEL_ROLE_KEY_IDLE data.article.${action}.write`,
    },
    {
      title: `check on ${action}`,
      files: role({ [action]: { check: { article_category: 'x' } } }),
      says: `advice MODEL_ROLE_KEY_IDLE data.article.${action}.check`,
    },
  ]),
  { title: 'write on update', files: role({ update: { write: ['title'] } }), says: undefined },
  ...['$who', '$nwo', '$user.profile_id', '$ME.profile_id'].map(
    (value): Case => ({
      title: `the value ${value}`,
      files: filter(value),
      says: 'warning ROLE_FILTER_INVALID data.article.search.filter',
      words: value === '$who' ? 'There are $me.profile_id' : 'Did you mean "$',
    }),
  ),
  {
    title: 'a value within a list',
    files: filter({ in: ['a', '$me.profil_id'] }),
    says: 'error ROLE_FILTER_INVALID data.article.search.filter',
    words: 'Did you mean "profile_id"?',
  },
  { title: 'an amount of dollars', files: filter('$5'), says: undefined },
  { title: 'data of admin', files: role({ search: true }, 'admin'), says: 'advice MODEL_ROLE_KEY_IDLE data' },
  {
    title: 'a sunset before the deprecation',
    files: call({ deprecated: '2026-05-01', sunset: '2026-04-30' }),
    says: 'warning MODEL_CALL_SUNSET sunset',
  },
  {
    title: 'a sunset on the same day',
    files: call({ deprecated: '2026-05-01', sunset: '2026-05-01' }),
    says: undefined,
  },
  { title: 'maxAge on a post', files: call({ method: 'post', maxAge: 5 }), says: 'advice MODEL_CALL_KEY_IDLE maxAge' },
  { title: 'maxAge on a get', files: call({ maxAge: 5 }), says: undefined },
  {
    title: 'concurrency on a search',
    files: call({ concurrency: 'required' }),
    says: 'advice MODEL_CALL_KEY_IDLE concurrency',
  },
  {
    title: 'a column beside the filter of a search',
    files: call({ parameters: { schema: 'article', article_title: 'x' } }),
    says: `warning ${PARAMETER}.article_title`,
    words: 'Did you mean "filter.article_title"?',
  },
  {
    title: 'a fixed parameter that the event refuses',
    files: call({ event: 'job-search', parameters: { limit: 500 } }),
    says: 'warning PLAN_PARAMETER_INVALID parameters.limit',
    words: 'limit must be a whole number from 1 to 100',
  },
  {
    title: 'a fixed parameter that the event takes',
    files: call({ event: 'job-search', parameters: { limit: 5 } }),
    says: undefined,
  },
  {
    title: 'a path with another name for the id',
    files: call({ event: 'system-model-detail', path: '/p/:id' }),
    says: 'advice PLAN_PARAMETER_UNKNOWN path',
    words: 'Did you mean ":article_id"?',
  },
  {
    title: 'a path with a unique column',
    files: call({ event: 'system-model-detail', path: '/p/:article_slug' }),
    says: undefined,
  },
  {
    title: 'no column in the fields of a detail',
    files: call({
      event: 'system-model-detail',
      path: '/p/:article_id',
      parameters: { schema: 'article', fields: 'article_title,article_nope' },
    }),
    says: 'warning REST_PARAMETER_INVALID parameters.fields',
  },
  {
    title: 'no column in the fields of related rows, in a detail',
    files: call({
      event: 'system-model-detail',
      path: '/p/:article_id',
      parameters: { schema: 'article', expand: 'comment.profile', fields: 'comment.comment_detial' },
    }),
    says: 'warning REST_PARAMETER_INVALID parameters.fields',
  },
  {
    title: 'columns of related rows, in a detail',
    files: call({
      event: 'system-model-detail',
      path: '/p/:article_id',
      parameters: { schema: 'article', expand: 'comment.profile', fields: 'comment.comment_detail' },
    }),
    says: undefined,
  },
  {
    title: 'no relation of related rows, in a search',
    files: call({ event: 'system-model-search', parameters: { schema: 'article', expand: 'comment.profil' } }),
    says: 'warning REST_PARAMETER_INVALID parameters.expand',
  },
  {
    title: 'consent of a public app',
    files: app({ rememberConsent: true }),
    says: 'advice MODEL_APP_KEY_IDLE rememberConsent',
  },
  { title: 'PKCE of a public app', files: app({ pkce: 'optional' }), says: 'advice MODEL_APP_KEY_IDLE pkce' },
  {
    title: 'both of an app with a secret',
    files: app({ rememberConsent: true, pkce: 'optional', secretHash: `sha256:${'0'.repeat(64)}` }),
    says: undefined,
  },
  {
    title: 'a file of a controller that nothing imports',
    files: { 'app/www/src/controller/lost.ts': 'export const routes = [];\n' },
    says: 'advice PROJECT_FILE_UNUSED ',
  },
  {
    title: 'a part of the package that nothing imports',
    files: { 'app/www/src/shop/lost.ts': 'export default function lost() {}\n' },
    says: 'advice PROJECT_FILE_UNUSED ',
  },
  {
    title: 'a helper that nothing imports',
    files: { 'app/www/src/shop/price.ts': 'export const price = 1;\n' },
    says: undefined,
  },
  {
    title: 'created rows with a listener, which hears imported ones, too',
    files: code(`app.after('system-model-create', { schema: 'article' }, () => undefined);`),
    says: undefined,
  },
  {
    title: 'created and imported rows with a listener',
    files: code(
      `for (const verb of ['create', 'import']) app.after('system-model-' + verb, { schema: 'article' }, () => undefined);`,
    ),
    says: undefined,
  },
  {
    title: 'a misspelt job',
    files: code(`app.job('send', () => undefined); app.get('/q', () => app.queue('sned', {}));`),
    says: 'warning PLAN_JOB_UNKNOWN ',
    words: 'Did you mean "send"?',
  },
  {
    title: 'a job of another process',
    files: code(`app.get('/q', () => app.queue('elsewhere', {}));`),
    says: 'advice PLAN_JOB_UNKNOWN ',
  },
  {
    title: 'a misspelt schema of rows',
    files: code(`app.get('/q', () => app.rows('artcle', {}));`),
    says: 'warning PLAN_SCHEMA_UNKNOWN ',
  },
  {
    title: 'a commit of a read',
    files: code(`app.committed('system-model-search', 'm', () => undefined);`),
    says: 'advice COMMITTED_EVENT_IDLE ',
  },
  {
    title: 'a commit of an unknown schema',
    files: code(`app.committed('system-model-create', 'm', () => undefined, { schema: 'artcle' });`),
    says: 'warning AFTER_SCHEMA_UNKNOWN ',
  },
];

/** Advice that a ruled schema, or a call for strangers, always brings along. */
const USUAL = new Set(['ROLE_CALL_CLOSED', 'REST_ROWS_OPEN', 'REST_WRITE_OPEN', 'WEBHOOK_AUDIENCE_OPEN']);

async function check(root: string): Promise<{ readonly code: number; readonly problems: readonly Problem[] }> {
  const { code, out } = await run(['check', '--json'], { cwd: root });
  const { problems } = JSON.parse(out) as { problems: Problem[] };
  return { code, problems: problems.filter((problem) => !USUAL.has(problem.code)) };
}

function write(root: string, files: Case['files']): void {
  for (const [file, value] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), typeof value === 'string' ? value : `${JSON.stringify(value, null, 2)}\n`);
  }
}

const site = folders.makeProject();
const include = readFileSync(join(site, INCLUDE), 'utf8');

for (const { title, files, says, words } of CASES) {
  test(title, async () => {
    const hasCode = 'app/www/src/extra.ts' in files;
    write(site, files);
    if (hasCode)
      writeFileSync(
        join(site, INCLUDE),
        `import extra from './src/extra';\n${include.replace('export default [', 'export default [extra, ')}`,
      );
    try {
      const { code, problems } = await check(site);
      const told = problems.map(({ severity = 'error', code, path }) => `${severity} ${code} ${path}`);
      assert.equal(told, says === undefined ? [] : [says], JSON.stringify(problems, null, 2));
      assert.is(code, says === undefined || says.startsWith('advice') ? 0 : 5);
      if (words !== undefined)
        assert.ok(`${problems[0]?.message} ${problems[0]?.hint}`.includes(words), JSON.stringify(problems));
    } finally {
      for (const file of Object.keys(files)) rmSync(join(site, file));
      writeFileSync(join(site, INCLUDE), include);
    }
  });
}

for (const template of ['blog', 'bare'] satisfies Template[]) {
  test(`a new project (${template}) has no problem, also with an open API`, async () => {
    const root = folders.makeProject(template);
    assert.equal(await check(root), { code: 0, problems: [] });
    if (template === 'bare') return;
    await run(['api', 'populate'], { cwd: root });
    assert.equal(await check(root), { code: 0, problems: [] });
  });
}

test('what a definition says that cannot be read is missed by nobody', async () => {
  const root = folders.makeProject('blog');
  const file = 'config/schema/article.json';
  write(root, { [file]: readFileSync(join(root, file), 'utf8').replace('"type": "text"', '"type": "txt"') });
  assert.equal(
    (await check(root)).problems.map(({ code }) => code),
    ['DEFINITION_VALUE_INVALID'],
  );
});

test.run();
