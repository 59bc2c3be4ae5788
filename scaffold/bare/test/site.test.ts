import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestSite } from 'treadle/test';

// The whole site, with a database of its own, mail that is kept, and a clock to move.
const site = await startTestSite();
after(() => site.close());

test('the home page shows', async () => {
  const page = await site.get('/');
  assert.equal(page.status, 200);
  assert.match(page.text, /<h1>/);
});

test('who signs up is logged in', async () => {
  const visitor = site.visitor();
  const secret = 'a long enough word';
  await visitor.post('/auth/signup', {
    profile_name: 'Ada',
    auth_slug: 'ada@example.org',
    auth_password: secret,
    confirm: secret,
  });

  const page = await visitor.get('/');
  assert.match(page.text, /Ada/);

  const found = await site.emit('system-model-search', { schema: 'profile', q: 'Ada' });
  assert.equal(found.getResults('rows')?.[0]?.profile_name, 'Ada');
});
