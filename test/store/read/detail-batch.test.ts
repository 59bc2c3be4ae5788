import { CompiledQuery } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../src/database/database.ts';
import type { Row } from '../../../src/database/row-statement.ts';
import { createSearcher } from '../../../src/store/read/searcher.ts';
import { fill, type World, withWorld } from './_world.ts';

const test = suite('store/read/detail-batch');

/** The database, and the statements that were run on it; `fault` makes the next one fail. */
function watch(database: Database) {
  const state: { readonly run: string[]; fault: Error | undefined } = { run: [], fault: undefined };
  const watched = new Proxy(database, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'run') return value.bind(target);
      return (...parameters: Parameters<Database['run']>) => {
        state.run.push(parameters[0].sql);
        return state.fault ? Promise.reject(state.fault) : target.run(...parameters);
      };
    },
  });
  return { watched, state };
}

/** Reads articles with their lists only: SQLite prints such a row by one statement. */
const LISTS = { relations: ['comment', 'topic'] };
const withArticles = (work: (world: World) => Promise<void>) => (): Promise<void> =>
  withWorld(async (world) => {
    await fill(world);
    const more = Array.from({ length: 40 }, (_, index) => ({
      ...{ article_title: `Article ${index}`, article_slug: `more-${index}`, article_detail: 'x', article_active: 1 },
      ...{ article_created: '2026-01-01 00:00:00', article_updated: '2026-01-01 00:00:00' },
    }));
    await world.insert('article', ...more);
    await work(world);
  }, true);

test(
  'rows that are asked for at once are the same as one by one, in fewer statements',
  withArticles(async ({ database, model }) => {
    const { watched, state } = watch(database);
    const searcher = createSearcher(model);
    const read = (value: unknown): Promise<Row | undefined> =>
      searcher.detail(watched, 'article', { column: 'article_id', value }, LISTS);
    // Removed and missing rows, and one that is asked for twice.
    const ids = [1, 2, 3, 999, 1, 'x', ...Array.from({ length: 34 }, (_, index) => index + 4)];
    const alone: (Row | undefined)[] = [];
    for (const id of ids) alone.push(await read(id));
    assert.equal((alone[0]?.comment as unknown[] | undefined)?.length, 2);
    const before = state.run.length;
    const together = await Promise.all(ids.map(read));
    assert.equal(together, alone);
    assert.is(together[2], undefined, 'removed');
    assert.is(together[3], undefined, 'missing');
    assert.is.not(together[0], together[4], 'each caller has an object of its own');
    if (database.dialect === 'sqlite') assert.is(state.run.length - before, 3, '39 rows, at most 16 in a statement');
  }),
);

test(
  'a list of links is read from the links of the row, not from all rows that it could name',
  withArticles(async ({ database, model }) => {
    if (database.dialect !== 'sqlite') return;
    const { watched, state } = watch(database);
    const searcher = createSearcher(model);
    const by = (value: number) => ({ column: 'article_id', value });
    await Promise.all([1, 2].map((id) => searcher.detail(watched, 'article', by(id), LISTS)));
    await searcher.detail(watched, 'article', by(3), LISTS);
    assert.is(state.run.length, 2);
    for (const text of state.run) {
      const plan = await database.run<{ detail: string }>(CompiledQuery.raw(`explain query plan ${text}`));
      const steps = plan.map(({ detail }) => detail);
      const [first] = steps.filter((step) => /topic|\blink\b/.test(step));
      assert.match(first ?? '', /^SEARCH link USING COVERING INDEX \S+ \(article_id=\?\)/);
      assert.not(steps.some((step) => step.includes('ORDER BY')));
    }
  }),
);

test(
  'callers with rules, and with other columns, read apart',
  withArticles(async ({ database, model }) => {
    const searcher = createSearcher(model);
    const read = (value: number, options = {}): Promise<Row | undefined> =>
      searcher.detail(database, 'article', { column: 'article_id', value }, { ...LISTS, ...options });
    const [own, other, all, narrow] = await Promise.all([
      read(1, { rows: { owner: 1 } }),
      read(1, { rows: { owner: 2 } }),
      read(1),
      read(1, { read: new Set(['article_id', 'article_title']) }),
    ]);
    assert.is(own?.article_title, 'Old wool');
    assert.is(other, undefined);
    assert.is(all?.article_slug, 'old');
    assert.is(narrow?.article_slug, undefined);
    assert.is(narrow?.article_title, 'Old wool');
  }),
);

test(
  'callers who may each read their own rows share a statement',
  withArticles(async ({ database, model }) => {
    const { watched, state } = watch(database);
    const searcher = createSearcher(model);
    await database.kysely.updateTable('article').set({ profile_id: 2 }).where('article_id', '>', 20).execute();
    await database.kysely.updateTable('article').set({ profile_id: 1 }).where('article_id', '<=', 20).execute();
    const read = (value: number, owner: number): Promise<Row | undefined> =>
      searcher.detail(watched, 'article', { column: 'article_id', value }, { relations: [], rows: { owner } });
    const asked = Array.from({ length: 14 }, (_, index) => [index * 2 + 6, 1 + (index % 2)] as const);
    asked.push([6, 2], [6, 1]);
    const alone: (Row | undefined)[] = [];
    for (const [id, owner] of asked) alone.push(await read(id, owner));
    const before = state.run.length;
    const together = await Promise.all(asked.map(([id, owner]) => read(id, owner)));
    assert.equal(together, alone);
    assert.equal(
      together.map((row) => row !== undefined),
      asked.map(([id, owner]) => owner === (id > 20 ? 2 : 1)),
    );
    if (database.dialect === 'sqlite') assert.is(state.run.length - before, 1);
  }),
);

test(
  'a row that its own transaction wrote is read',
  withArticles(async ({ database, model }) => {
    const searcher = createSearcher(model);
    const read = (): Promise<Row | undefined> =>
      searcher.detail(database, 'article', { column: 'article_id', value: 1 }, LISTS);
    await database.transaction(async () => {
      await database.kysely
        .updateTable('article')
        .set({ article_title: 'Within' })
        .where('article_id', '=', 1)
        .execute();
      assert.is((await read())?.article_title, 'Within');
    });
    await database.kysely.updateTable('article').set({ article_title: 'After' }).where('article_id', '=', 1).execute();
    assert.is((await read())?.article_title, 'After', 'a commit is seen by the next read');
  }),
);

test(
  'a statement that fails fails for each caller, and for no later one',
  withArticles(async ({ database, model }) => {
    const { watched, state } = watch(database);
    const searcher = createSearcher(model);
    const read = (value: number): Promise<Row | undefined> =>
      searcher.detail(watched, 'article', { column: 'article_id', value }, LISTS);
    state.fault = new Error('broken');
    const failed = await Promise.allSettled([read(1), read(2), read(4)]);
    assert.equal(
      failed.map((one) => one.status === 'rejected' && one.reason.message),
      ['broken', 'broken', 'broken'],
    );
    state.fault = undefined;
    assert.is((await read(1))?.article_title, 'Old wool');
  }),
);

test(
  'rows with long texts are read one by one afterwards',
  withArticles(async ({ database, model }) => {
    const { watched, state } = watch(database);
    const searcher = createSearcher(model);
    const read = (value: number): Promise<Row | undefined> =>
      searcher.detail(watched, 'article', { column: 'article_id', value }, LISTS);
    const text = 'x'.repeat(200_000);
    await database.kysely.updateTable('article').set({ article_detail: text }).where('article_id', '=', 1).execute();
    await Promise.all([read(1), read(2)]);
    const before = state.run.length;
    const [long, short] = await Promise.all([read(1), read(2)]);
    assert.is(long?.article_detail, text);
    assert.is(short?.article_title, 'New linen');
    if (database.dialect === 'sqlite') assert.is(state.run.length - before, 2);
  }),
);

test.run();
