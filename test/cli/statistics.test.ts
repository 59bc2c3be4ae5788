// Also on PostgreSQL: the server counts its rows itself.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/core/clock.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { describe } from '../../src/database/archive/describe.ts';
import { openDatabase } from '../../src/database/open.ts';
import type { Row } from '../../src/database/row-statement.ts';
import { only } from '../database/_where.ts';
import { Folders, run } from './run.ts';

const folders = new Folders();
const test = suite('cli/statistics');
test.after(() => folders.remove());
const sqlite = only('sqlite', 'cli/statistics', test);

const ROWS = 1500;
const titles = Array.from({ length: ROWS }, (_, at) => `{"article_title":"Article ${at}"}\n`).join('');

interface Project {
  readonly root: string;
  run(line: string): Promise<string>;
  /** What `doctor` says of the statistics: its state and text. */
  doctor(): Promise<string | undefined>;
}

function makeProject(): Project {
  const root = folders.makeProject('blog');
  const command = async (line: string): Promise<string> => {
    const { code, out, err } = await run(line.split(' '), { cwd: root });
    assert.is(code, 0, `${line}: ${err}`);
    return out;
  };
  return {
    root,
    run: command,
    async doctor() {
      const { findings } = JSON.parse(await command('doctor --json'));
      const found = findings.find(({ what }: { what: string }) => what === 'statistics');
      return found && `${found.state}: ${found.text}`;
    },
  };
}

async function importRows({ root, run: command }: Project): Promise<void> {
  writeFileSync(join(root, 'rows.ndjson'), titles);
  await command('import article rows.ndjson');
}

async function query(root: string, text: string, file = 'var/app.db'): Promise<readonly Row[]> {
  const database = await openDatabase({ url: `sqlite:${file}`, root, log: silentLog, clock: systemClock });
  try {
    return await database.run(CompiledQuery.raw(text));
  } finally {
    await database.close();
  }
}

test('an import gives its table statistics, and doctor says how old they are', async () => {
  const project = makeProject();
  await project.run('migrate');
  assert.is(await project.doctor(), undefined);
  await importRows(project);
  assert.match((await project.doctor()) ?? '', /^good: .*article: 1,500 rows, less than a minute ago$/);
});

sqlite('doctor names a table that changed much, and migrate counts it again', async () => {
  const project = makeProject();
  await project.run('migrate');
  await importRows(project);
  await query(project.root, 'update article set article_category = 1');
  assert.match((await project.doctor()) ?? '', /^good/, 'a server would count it soon');
  await query(project.root, "update treadle_statistics set at = at - 90000 where id = 'article'");
  const advice =
    'advice: the rows of article were counted 1 day ago (1,500), and 1,500 were written since: searches may read far too many. Count them with: treadle migrate';
  assert.is(await project.doctor(), advice);
  await project.run('migrate');
  assert.match((await project.doctor()) ?? '', /^good/);
});

sqlite('a backup and a move leave them out, and the other database gets its own', async () => {
  const project = makeProject();
  await project.run('migrate');
  await importRows(project);
  const { root } = project;
  const database = await openDatabase({ url: 'sqlite:var/app.db', root, log: silentLog, clock: systemClock });
  const { tables, left } = await describe(database, []);
  await database.close();
  assert.equal([tables.filter(({ name }) => /stat/.test(name)), left.filter((text) => /stat/.test(text))], [[], []]);
  await project.run('backup --out saved.treadle');
  await query(root, "update treadle_statistics set rows = 1 where id = 'article'");
  await project.run('restore saved.treadle --allow-loss');
  await project.run('move --to sqlite:var/other.db');
  for (const file of ['var/app.db', 'var/other.db']) {
    const noted = await query(root, "select rows from treadle_statistics where id = 'article'", file);
    assert.equal(noted, [{ rows: ROWS }], file);
    const [line] = await query(
      root,
      "select stat from sqlite_stat1 where idx = 'article_article_active_index' or idx = 'article_active_index'",
      file,
    );
    assert.is(line?.stat, '1500 1500', file);
  }
});

test.run();
