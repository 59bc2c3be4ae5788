import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findPage, searchDocs } from '../../../src/cli/mcp/docs/search.ts';
import { listSections } from '../../../src/cli/mcp/docs/section.ts';

const test = suite('cli/mcp/docs');

/** What people ask, and the page that answers. */
const QUESTIONS: readonly (readonly [string, string])[] = [
  ['How do I add a field to a schema?', 'guide/schemas.md'],
  ['many to many relation between two tables', 'guide/schemas.md'],
  ['how to make two columns unique together', 'guide/schemas.md'],
  ['rename a column without losing data', 'guide/schemas.md'],
  ['bookings must not overlap', 'guide/schemas.md'],
  ['which field types are there', 'reference/definitions.md'],
  ['validation rule for a minimum length', 'reference/definitions.md'],
  ['group of fields that repeats: fieldset', 'guide/fields.md'],
  ['a value that only the server may set', 'guide/fields.md'],
  ['how does the database migrate', 'guide/migrations.md'],
  ['undo a migration', 'guide/migrations.md'],
  ['migrate lose data allow-loss', 'guide/migrations.md'],
  ['filter by a date range', 'guide/search.md'],
  ['paginate with a cursor', 'guide/search.md'],
  ['sort by several columns', 'guide/search.md'],
  ['full text search words', 'guide/search.md'],
  ['import rows from a csv file', 'guide/import.md'],
  ['export rows as ndjson', 'guide/import.md'],
  ['generate fake rows', 'guide/import.md'],
  ['how do I write a page with a controller', 'guide/events.md'],
  ['emit an event in a transaction', 'guide/events.md'],
  ['run code after a row was created', 'guide/events.md'],
  ['template helper for dates', 'reference/helpers.md'],
  ['layout of a page in Handlebars', 'guide/templates.md'],
  ['change the colours of the pages', 'guide/look.md'],
  ['own 404 error page', 'guide/errors.md'],
  ['refuse a request with a message for a field', 'guide/errors.md'],
  ['upload an image', 'guide/files.md'],
  ['sell the last ticket only once, locks', 'guide/stock.md'],
  ['send a mail', 'guide/mail.md'],
  ['SMTP server address', 'guide/mail.md'],
  ['run a job every night', 'guide/jobs.md'],
  ['retry a failed job', 'guide/jobs.md'],
  ['translate the site into German', 'guide/languages.md'],
  ['TypeScript types of rows', 'guide/types.md'],
  ['write a test for my site', 'guide/testing.md'],
  ['sign up, confirm e-mail address', 'guide/accounts.md'],
  ['where a user is logged in, ending sessions', 'guide/accounts.md'],
  ['passkey as a second factor', 'guide/second-factor.md'],
  ['sign in with Google', 'guide/sign-in.md'],
  ['a role that may read only its own rows', 'guide/roles.md'],
  ['hide a column from a role', 'guide/roles.md'],
  ['who changed this row', 'guide/history.md'],
  ['what can administrators do in the admin section', 'guide/admin.md'],
  ['define a REST call and a scope', 'guide/calls.md'],
  ['Idempotency-Key of a request', 'guide/rest.md'],
  ['OAuth authorization code with PKCE', 'guide/oauth.md'],
  ['verify the signature of a web hook', 'guide/webhook.md'],
  ['replay a failed delivery', 'guide/webhook.md'],
  ['OpenAPI document and typed client', 'guide/openapi.md'],
  ['deploy behind nginx', 'guide/production.md'],
  ['SSE: pages that hear what happens', 'guide/streams.md'],
  ['realtime updates by websocket', 'guide/streams.md'],
  ['how do I serve an SPA in React', 'guide/front-ends.md'],
  ['a strict content security policy', 'guide/front-ends.md'],
  ['see the SQL of a request', 'guide/debugging.md'],
  ['set a breakpoint', 'guide/debugging.md'],
  ['SEO: sitemap and robots', 'guide/search-engines.md'],
  ['upgrade Treadle to a newer version', 'guide/upgrading.md'],
  ['run in a Docker container', 'guide/production.md'],
  ['several workers on one machine', 'guide/production.md'],
  ['move from SQLite to Postgres', 'guide/postgresql.md'],
  ['backup and restore', 'guide/backup.md'],
  ['what does a line of the log mean', 'guide/log.md'],
  ['environment variables', 'reference/environment.md'],
  ['exit codes of commands', 'reference/errors.md'],
];

test('each of fifty questions finds its page among the first three', () => {
  assert.ok(QUESTIONS.length >= 50);
  const lost = QUESTIONS.flatMap(([question, page]) => {
    const pages = [...new Set(searchDocs(question).map((result) => result.page.split('#')[0]))];
    return pages.slice(0, 3).includes(page)
      ? []
      : [`${question}: ${page} is not among ${pages.slice(0, 3).join(', ')}`];
  });
  assert.equal(lost, []);
});

test('what a result names can be read', () => {
  for (const { page } of searchDocs('roles rule rows')) assert.ok(findPage(page).text.length > 0, page);
  for (const { page, anchor } of listSections())
    if (anchor !== '') assert.ok(findPage(`${page}#${anchor}`).text.startsWith('## '), `${page}#${anchor}`);
});

test('a page is found by its address in the package, and a wrong one names what is near', () => {
  assert.is(findPage('docs/guide/roles.md').page, 'guide/roles.md');
  assert.is(findPage('node_modules/treadle/docs/guide/roles.md').page, 'guide/roles.md');
  assert.throws(() => findPage('guide/rolls.md'), /There is no page "guide\/rolls.md"/);
  assert.throws(() => findPage('guide/roles.md#nothing-here'), /There is no section/);
});

test('nothing is found of words that are nowhere', () => {
  assert.equal(searchDocs('zyxwv qqqqq'), []);
  assert.equal(searchDocs('the'), []);
});

test.run();
