import { CompiledQuery } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Memory } from '../../../src/core/memory.ts';
import { digest } from '../../../src/core/secret/secret.ts';
import { createTokenSource } from '../../../src/feature/oauth/token/source.ts';
import type { Services } from '../../../src/plan/feature.ts';
import { createSite } from '../auth/_site.ts';
import { createWorld, getTokens, renew } from './_flow.ts';

const source = suite('the source of a token');

interface Stage {
  now: number;
  watched: number | undefined;
  isInTransaction: boolean;
  row: { app_id: number } | undefined;
  reads: number;
  fault?: Error | undefined;
}

/** A token source over a database that counts the reads. */
async function stage(): Promise<{ at: Stage; find: (hash?: string) => Promise<unknown>; close: () => Promise<void> }> {
  const site = await createSite();
  const at: Stage = { now: 0, watched: 0, isInTransaction: false, row: { app_id: 1 }, reads: 0 };
  const database = {
    kysely: site.context.services.database.kysely,
    recentVersions: {
      watch() {},
      get watched() {
        return at.watched;
      },
    },
    get isInTransaction() {
      return at.isInTransaction;
    },
    async run() {
      at.reads += 1;
      const { fault } = at;
      at.fault = undefined;
      if (fault) throw fault;
      return at.row ? [at.row] : [];
    },
  };
  const services = { memory: new Memory(), database, clock: { now: () => at.now } } as unknown as Services;
  const find = createTokenSource(services);
  return { at, find: async (hash = 'a') => find(hash), close: () => site.close() };
}

/** What happens between two uses of a token, and whether the second reads it again. */
const STEPS: readonly [title: string, change: Partial<Stage>, isRead: boolean][] = [
  ['nothing', {}, false],
  ['19 ms', { now: 19 }, false],
  ['20 ms, in which another process may have revoked it', { now: 20 }, true],
  ['a clock that was set back', { now: -1000 }, true],
  ['a commit of this process that revokes something', { watched: 1 }, true],
  ['a commit that is under way', { watched: undefined }, true],
  ['a transaction, which sees its own writes', { isInTransaction: true }, true],
];

for (const [title, change, isRead] of STEPS)
  source(`${isRead ? 'reads again' : 'does not read again'} after ${title}`, async () => {
    const { at, find, close } = await stage();
    assert.equal(await find(), { app_id: 1 });
    Object.assign(at, change, { row: undefined });
    assert.equal(await find(), isRead ? undefined : { app_id: 1 });
    assert.is(at.reads, isRead ? 2 : 1);
    await close();
  });

/** Commits of this process that end a token: by its own row, and by rows that it depends on. */
const ENDS: readonly string[] = [
  'update treadle_token set revoked_at = 1',
  'update treadle_app set active = 0',
  'update treadle_auth set auth_active = 0',
  'delete from treadle_token',
  'delete from treadle_grant',
  'delete from treadle_auth',
  'delete from treadle_app',
];

for (const text of ENDS)
  source(`a remembered token is not used after "${text}", though no time passes`, async () => {
    const world = await createWorld();
    const { access_token: token } = await getTokens(world);
    const { database } = world.site.services;
    const find = createTokenSource(world.site.services);
    assert.ok(await find(digest(token)));
    assert.not.ok(find(digest(token)) instanceof Promise, 'it is remembered');
    await database.write(() => database.run(CompiledQuery.raw(text)));
    assert.is(await find(digest(token)), undefined);
    await world.site.close();
  });

source('a refresh token of a blocked account gives nothing, and is not used up', async () => {
  const world = await createWorld();
  const { refresh_token: token } = await getTokens(world);
  const { kysely } = world.site.services.database;
  const block = (auth_active: number) => kysely.updateTable('treadle_auth').set({ auth_active }).execute();
  await block(0);
  for (let round = 0; round < 2; round += 1) {
    const refused = await renew(world, token);
    assert.equal([refused.status, JSON.parse(refused.text).error], [400, 'invalid_grant']);
  }
  await block(1);
  assert.is((await renew(world, token)).status, 200);
  // Nor does the answer that a client lost come again.
  await block(0);
  assert.is((await renew(world, token)).status, 400);
  await world.site.close();
});

source('keeps nothing that was read while a commit was under way, and no unknown token', async () => {
  const { at, find, close } = await stage();
  at.watched = undefined;
  await find();
  at.watched = 1;
  await find();
  assert.is(at.reads, 2);
  at.row = undefined;
  await find('b');
  await find('b');
  assert.is(at.reads, 4);
  await close();
});

source('requests of the same moment share a statement, and one that fails is not shared', async () => {
  const { at, find, close } = await stage();
  assert.equal(await Promise.all([find(), find(), find()]), [{ app_id: 1 }, { app_id: 1 }, { app_id: 1 }]);
  assert.is(at.reads, 1);
  at.now = 100;
  at.fault = new Error('the client left');
  const found = await Promise.allSettled([find(), find()]);
  assert.equal(
    found.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  );
  assert.equal(await find(), { app_id: 1 });
  await close();
});

source.run();
