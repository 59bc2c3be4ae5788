import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPerson } from '../../src/testing/people.ts';
import { boot } from '../boot.ts';

const test = suite('people of a test site');

test('their password is hashed once for all of them, and opens each account', async () => {
  const site = await boot();
  try {
    const names = ['Ada', 'Ben', 'Cleo'];
    const people = await Promise.all(names.map((name) => createPerson(site.app, name)));
    const rows = await site.rows('treadle_auth');
    assert.is(rows.length, 3);
    assert.is(new Set(rows.map((row) => row.auth_password)).size, 1);
    for (const { email, password } of people) {
      const answer = await site.browser().post('/auth/login', { auth_slug: email, auth_password: password });
      assert.is(answer.status, 303);
    }
  } finally {
    await site.close();
  }
});

test.run();
