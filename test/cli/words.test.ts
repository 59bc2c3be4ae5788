import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { openDatabase } from '../../src/database/open.ts';
import { Folders, type RunResult, run } from './run.ts';

const folders = new Folders();
const test = suite('cli/words');
test.after(() => folders.remove());

const project = folders.makeProject();
const at = (argv: readonly string[]): Promise<RunResult> => run(argv, { cwd: project });
const find = async (q: string): Promise<number> => {
  const { out } = await at(['emit', 'system-model-search', 'schema=article', `q=${q}`, '--json']);
  return JSON.parse(out).results.total;
};

test('what was written past Treadle is found, before a rebuild and after it', async () => {
  assert.is((await at(['migrate'])).code, 0);
  assert.is((await at(['import', 'profile', 'fixture/profile.ndjson'])).code, 0);
  assert.is((await at(['import', 'article', 'fixture/article.ndjson'])).code, 0);
  const url = /^DATABASE_URL=(.+)$/m.exec(readFileSync(join(project, '.env'), 'utf8'))?.[1] ?? 'sqlite:var/app.db';
  const database = await openDatabase({ url, root: project, log: silentLog, clock: systemClock });
  await database.kysely.updateTable('article').set({ article_title: 'Quixotry' }).where('article_id', '=', 1).execute();
  await database.close();
  assert.is(await find('quixotry'), 1, 'a row whose words lack is read');
  assert.match((await at(['words', 'rebuild', 'article', '--dry-run'])).out, 'Would rebuild');
  const { code, out } = await at(['words', 'rebuild', '--json']);
  assert.is(code, 0);
  assert.ok(JSON.parse(out).schemas.some(({ name }: { name: string }) => name === 'article'));
  assert.is(await find('quixotry'), 1);
  const unknown = await at(['words', 'rebuild', 'articel']);
  assert.is.not(unknown.code, 0);
  assert.match(unknown.err, 'Did you mean "article"?');
});

test('emit takes the whole grammar', async () => {
  const { out } = await at([
    'emit',
    'system-model-search',
    'schema=article',
    'count=1',
    'group=article_published:year',
    '--json',
  ]);
  const { rows } = JSON.parse(out).results;
  assert.ok(rows.length > 0 && rows.every((row: { count: number }) => row.count > 0));
  const dotted = await at([
    'emit',
    'system-model-search',
    'schema=article',
    'filter.comment.null=1',
    'sort=-article_id',
    '--json',
  ]);
  assert.ok(JSON.parse(dotted.out).results.total > 0);
});

test.run();
