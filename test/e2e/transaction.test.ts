// Also on PostgreSQL: a failed statement aborts its transaction there.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';

/** Each page writes articles in a transaction; what it answers tells how that went. */
const CODE = `
export default function transactions(app) {
  const create = (title) => app.emit('system-model-create', { schema: 'article', article_title: title });
  const bad = (more = {}) => app.emit('system-model-create', { schema: 'article', article_title: '', ...more });
  const page = (name, fn) => app.get('/t/' + name, async (request, response) => {
    const answer = await app.transaction(() => fn(request, response));
    if (!response.isError()) response.setResults({ answer });
  });
  app.on('coupon', async (request, response) => { await bad(); response.setError(true, 'No coupon.'); });
  app.on('system-model-create', async (request) => {
    if (request.getStage('article_title') === 'with coupon') (await app.emit('coupon', {})).isError();
  });

  page('both', async () => { await create('both 1'); await create('both 2'); return 'done'; });
  page('returns', async () => { await create('returns'); if ((await bad()).isError()) return 'checked'; });
  page('message', async () => { await create('message'); return (await bad()).getMessage(); });
  page('goes-on', async () => { await bad(); await create('goes on'); });
  page('checked-goes-on', async () => { (await bad()).isError(); await create('checked goes on'); });
  page('unchecked', async () => { await create('unchecked'); await bad(); });
  page('inside', async () => { await create('with coupon'); });
  page('mails', async () => {
    (await bad()).isError();
    await app.mail({ to: 'a@example.org', subject: 'x', template: 'x' });
  });
  page('own-response', async (request, response) => {
    await create('own response');
    await app.emit('system-model-create', request.setStage({ schema: 'article', article_title: '' }), response);
  });
  page('renders', async (request, response) => {
    await app.emit('system-model-create', request.setStage({ schema: 'article', article_title: '' }), response);
    await app.reroute('get', '/t/form', request, response);
  });
  app.get('/t/form', async (request, response) => {
    response.setContent('the form again');
    await app.emit('www-render-page', request, response);
  });
  page('read', async () => {
    await create('read');
    await app.emit('system-model-search', { schema: 'article', limit: 100000 });
    const found = await app.emit('system-model-detail', { schema: 'article', article_id: 4711 });
    return found.isError() ? 'not found' : 'found';
  });
  page('alone', async () => {
    await create('alone 1');
    const failed = await app.transaction(async () => {
      await create('alone lost');
      return (await bad()).isError();
    });
    await create('alone 2');
    return failed;
  });
  page('nested-late', async () => {
    (await bad()).isError();
    await app.transaction(() => create('nested late'));
  });
  page('refuses', async (request, response) => {
    await create('refuses');
    response.refuse({ status: 409, message: 'Sold out' });
  });
  page('takes-back', async (request, response) => {
    await create('takes back');
    response.setStatus(409).setError(true, 'no').setError(false).setStatus(200);
    return 'fine';
  });
  page('throws', async () => { await create('throws'); throw new Error('broken'); });
  app.get('/t/before', async (request, response) => {
    response.setStatus(409).setError(true, 'before');
    await app.transaction(() => create('before'));
  });
}
`;

const state: { site?: Site } = {};
const site = (): Site => state.site as Site;

const test = suite('e2e/transaction');
test.before(async () => {
  state.site = await boot({
    template: 'blog',
    files: {
      'app/www/src/controller/transactions.ts': CODE,
      'app/www/src/template/mail/x.txt': 'Hello',
      'app/www/.treadle.ts':
        "import transactions from './src/controller/transactions';\nexport default function (app) { transactions(app); }\n",
    },
  });
});
test.after(() => site().close());

const titles = async (): Promise<string[]> =>
  (await site().rows('article')).map(({ article_title }) => String(article_title)).sort();

type Case = readonly [page: string, status: number, says: string | RegExp, written: readonly string[]];
const CASES: readonly Case[] = [
  ['both', 200, '"answer":"done"', ['both 1', 'both 2']],
  ['returns', 200, '"answer":"checked"', []],
  ['message', 200, /"answer":".*equired/i, []],
  ['goes-on', 500, 'TRANSACTION_FAILED', []],
  ['checked-goes-on', 500, 'TRANSACTION_FAILED', []],
  ['unchecked', 500, 'TRANSACTION_FAILED', []],
  ['inside', 500, 'TRANSACTION_FAILED', []],
  ['mails', 500, 'TRANSACTION_FAILED', []],
  ['own-response', 422, 'article_title', []],
  ['renders', 422, 'the form again', []],
  ['read', 200, '"answer":"not found"', ['read']],
  ['alone', 200, '"answer":true', ['alone 1', 'alone 2']],
  ['nested-late', 500, 'TRANSACTION_FAILED', []],
  ['refuses', 409, 'Sold out', []],
  ['takes-back', 200, '"answer":"fine"', ['takes back']],
  ['throws', 500, '', []],
  ['before', 409, 'before', ['before']],
];
for (const [page, status, says, written] of CASES)
  test(`${page}: ${status}, and ${written.length} rows are written`, async () => {
    const before = await titles();
    const accept = page === 'renders' ? 'text/html' : 'application/json';
    const answer = await site().get(`/t/${page}`, { accept });
    const logged = site().log.at(-1) ?? '';
    assert.is(answer.status, status, answer.text);
    if (status === 500) assert.match(logged, says);
    else assert.match(answer.text, says);
    const after = await titles();
    assert.equal(
      after.filter((title) => !before.includes(title)),
      written,
    );
  });

test('the error names the event, what it said, and the remedy', () => {
  const line = site().log.find((each) => each.includes('TRANSACTION_FAILED')) ?? '';
  assert.match(line, '\\"system-model-create\\" failed in app.transaction');
  assert.match(line, 'Look at isError() after each emit');
});

test.run();
