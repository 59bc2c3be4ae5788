import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createApp } from '../../src/boot.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { addArticle, boot } from '../boot.ts';

const two = suite('two apps in one process');

two('share nothing: rows, sessions, settings and plans are their own', async () => {
  const [left, right] = [await boot({ mode: 'development' }), await boot({ mode: 'development' })];
  try {
    await addArticle(left, 'Left only');
    const browser = left.browser();
    await browser.signUp('Ann', 'ann@example.org');
    assert.match((await left.browser().get('/articles')).text, /Left only/);
    assert.not.match((await right.browser().get('/articles')).text, /Left only/);
    assert.is((await right.app.emit('system-model-search', { schema: 'profile' })).getResults('total'), 0);
    assert.is.not(left.app.plan, right.app.plan);
    await left.app.services.database.transaction(async () => {
      await addArticle(right, 'Right, while left is in a transaction');
    });
    assert.match((await right.browser().get('/articles')).text, /Right, while left/);
    const { database } = left.app.services;
    const undone = database.transaction(async () => {
      await addArticle(left, 'Left, and undone with the whole');
      throw new Error('no');
    });
    assert.match(String(await undone.catch((error: Error) => error)), /no/);
    await database.transaction(async () => void (await addArticle(left, 'Left, with the whole')));
    const { text } = await left.browser().get('/articles');
    assert.match(text, /Left, with the whole/, 'an emit joins the transaction that it is in');
    assert.not.match(text, /undone/);
  } finally {
    await left.close();
    await right.close();
  }
});

two.run();

const start = suite('a start in production');

start('refuses a database that lacks something, also one that was enough before', async () => {
  const site = await boot({ mode: 'development' });
  const open = () =>
    createApp({ root: site.root, mode: 'production', env: { TREADLE_SECRET: 'x'.repeat(40) }, log: silentLog });
  try {
    for (const _time of [1, 2]) await (await open()).close();
    await site.app.services.database.write(async () => {
      await sql`drop index article_published_index`.execute(site.app.services.database.kysely);
      await sql`alter table article drop column article_published`.execute(site.app.services.database.kysely);
    });
    const refusal = await open().then(
      () => undefined,
      (error: Error) => error,
    );
    assert.match(String(refusal), /article_published/);
  } finally {
    await site.close();
  }
});

start.run();
