import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';

interface Line {
  readonly event: string;
  readonly ms: number;
  readonly rows?: number;
  readonly failed?: boolean;
  readonly request?: string;
  readonly statement: string;
}
const read = (site: Site): Line[] =>
  site.log.map((line) => JSON.parse(line) as Line).filter(({ event }) => event === 'sql');

const QUERY = `export default function page(app) {
  app.get('/own', {}, async () => {
    await app.emit('system-model-create', { schema: 'article', article_title: 'Secret title', article_detail: '<p>x</p>' });
    const rows = await app.query.selectFrom('article').select('article_title').where('article_title', '=', 'Secret title').execute();
    await app.transaction(async () => app.emit('system-model-search', { schema: 'article', q: 'Secret' }));
    return { many: rows.length };
  });
  app.get('/broken', {}, () => app.query.selectFrom('nowhere').selectAll().execute().then((rows) => ({ rows })));
}
`;
const FILES = {
  'app/www/.treadle.ts': `import page from './src/controller/page';\nexport default [page];\n`,
  'app/www/src/controller/page.ts': QUERY,
};

const test = suite('e2e/statement-log');

test('each statement of a request is logged with milliseconds, rows and request, and no value', async () => {
  const site = await boot({ mode: 'development', logsStatements: true, files: FILES });
  try {
    const answer = await site.get('/own', { 'x-request-id': 'page-1' });
    assert.equal(answer.json().results, { many: 1 });
    const lines = read(site);
    const own = lines.find(({ statement }) => /select "article_title" from "article" where/.test(statement));
    assert.is(own?.rows, 1);
    assert.is(own?.request, 'page-1');
    assert.type(own?.ms, 'number');
    assert.ok(lines.some(({ statement, rows }) => /^(?:with .*)?insert into "article"/s.test(statement) && rows === 1));
    assert.ok(lines.filter(({ request }) => request === 'page-1').length >= 3);
    assert.not.match(lines.map((line) => JSON.stringify(line)).join('\n'), /Secret/);

    assert.is((await site.get('/broken')).status, 500);
    assert.ok(read(site).some(({ failed, statement }) => failed === true && statement.includes('"nowhere"')));
    // Accounts and sessions are written as ever.
    assert.is((await (await site.as('Ada')).get('/auth/account')).status, 200);
  } finally {
    await site.close();
  }
});

for (const options of [{ mode: 'development' }, { mode: 'test', logsStatements: true }] as const) {
  test(`${JSON.stringify(options)} logs none`, async () => {
    const site = await boot({ ...options, files: FILES });
    try {
      assert.is((await site.get('/own')).status, 200);
      assert.equal(read(site), []);
    } finally {
      await site.close();
    }
  });
}

test.run();
