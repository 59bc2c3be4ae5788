import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addArticle, startBlog } from './_setup.ts';

const two = suite('two apps in one process');

two('share nothing: rows, sessions, settings and plans are their own', async () => {
  const [left, right] = [await startBlog(), await startBlog()];
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
  } finally {
    await left.close();
    await right.close();
  }
});

two.run();
