import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createApp } from '../../src/boot.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { addArticle, boot } from '../boot.ts';

const test = suite('e2e/reload-rename');

/** Pages and calls that read the renamed data. */
const PATHS = ['/articles', '/article/1', '/rest/public/article/search', '/rest/public/article/detail/1'];
/** Number of concurrent readers, and the pause of each after an answer: without it they would take the whole processor. */
const READERS = 4;
const PAUSE_MS = 10;

/** Renames in both directions, so that the rows return to their place. */
const RENAMES = [
  ['headline', 'title'],
  ['title', 'headline'],
  ['headline', 'title'],
] as const;

test('a field is renamed under a running server: no request fails, none sees half of it', async () => {
  const site = await boot({
    mode: 'development',
    change: async (project) => {
      const file = join(project.root, 'config/schema/article.json');
      assert.match(readFileSync(file, 'utf8'), '"title"');
    },
  });
  try {
    for (const title of ['First', 'Second']) await addArticle(site, title);
    const state = { isRunning: true, requests: 0, failed: [] as string[] };
    const read = async (reader: number): Promise<void> => {
      for (let turn = reader; state.isRunning; turn += 1) {
        const path = PATHS[turn % PATHS.length] ?? '/';
        const answer = await fetch(site.url + path);
        const text = await answer.text();
        state.requests += 1;
        if (answer.status !== 200 || !text.includes('First'))
          state.failed.push(`${answer.status} ${path} ${text.slice(0, 200)}`);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    };
    const readers = Array.from({ length: READERS }, (_, reader) => read(reader));
    for (const [to, from] of RENAMES) {
      await site.cli('field', 'rename', 'article', from, to, '--code');
      const problems = await site.app.reload();
      assert.equal(
        problems.filter(({ severity }) => severity !== 'advice'),
        [],
      );
      const before = state.requests;
      while (state.requests < before + 2 * READERS) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      const { rows } = (await site.app.emit('system-model-search', { schema: 'article' })).getResults() as {
        rows: Record<string, unknown>[];
      };
      assert.equal(rows.map((row) => row[`article_${to}`]).sort(), ['First', 'Second']);
    }
    state.isRunning = false;
    await Promise.all(readers);
    assert.equal(state.failed, []);
    assert.ok(state.requests > 6 * READERS);
  } finally {
    await site.close();
  }
});

test('production refuses to start while a rename is pending, and says what to run', async () => {
  const site = await boot({ mode: 'development' });
  try {
    await site.cli('field', 'rename', 'article', 'title', 'headline', '--code');
    const start = (): Promise<unknown> =>
      createApp({ root: site.root, mode: 'production', env: {}, log: silentLog }).then((app) => app.close());
    const refused = await start().catch((error: unknown) => error);
    assert.is((refused as { code?: string }).code, 'DATABASE_BEHIND', String(refused));
    assert.match((refused as { hint?: string }).hint ?? '', 'treadle migrate');
    await site.cli('migrate');
    assert.is(await start(), undefined);
  } finally {
    await site.close();
  }
});

test.run();
