import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAccess, toAccessKey, type Who } from '../../src/core/access.ts';

const test = suite('core/access');

const USER: Who = {
  kind: 'user',
  authId: 1,
  profileId: 2,
  appId: 3,
  clientId: 'tk_app_3',
  roles: ['editor'],
  scopes: ['article_read'],
};

test('the key of an access tells apart whatever decides what it shows', () => {
  const others: readonly Who[] = [
    USER,
    { ...USER, kind: 'app' },
    { ...USER, authId: 2 },
    { ...USER, profileId: 1 },
    { ...USER, appId: 1 },
    { ...USER, roles: [] },
    { ...USER, roles: ['editor', 'reviewer'] },
    { ...USER, scopes: [] },
    { ...USER, scopes: ['article_read', 'article_write'] },
    { kind: 'public' },
    { kind: 'page' },
    { kind: 'page', authId: 1 },
    { kind: 'page', profileId: 1 },
  ];
  const keys = others.map((who) => toAccessKey(createAccess(who)));
  assert.is(new Set(keys).size, others.length, keys.join('\n'));
  const views = ['guest', '["guest",[1]]', '["guest",[2]]'].map((view) =>
    toAccessKey({ ...createAccess({ kind: 'public' }), view }),
  );
  assert.is(new Set(views).size, 3);
});

test('the same access has the same key', () => {
  assert.is(toAccessKey(createAccess(USER)), toAccessKey(createAccess({ ...USER, waiting: [] })));
  assert.is(toAccessKey(createAccess({ kind: 'public' })), toAccessKey(createAccess({ kind: 'public', roles: [] })));
});

test.run();
