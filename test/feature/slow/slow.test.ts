import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '../../boot.ts';
import { only } from '../../database/_where.ts';
import { askSlowly, bootMany, listSlow, SEARCH } from './_site.ts';

const test = suite('slow searches');
const sqlite = only('sqlite', 'slow searches', test);

test('a slow search is kept with its plan and the index that helps, and with no value', async () => {
  const site = await bootMany({ template: 'none' });
  try {
    for (const limit of [20, 21]) {
      const answer = await askSlowly(
        site,
        `filter[paper_published]=1&filter[paper_views][gt]=4711&sort=-paper_views&limit=${limit}&total=0`,
      );
      assert.is(answer.status, 200, answer.text);
    }
    const found = (await listSlow(site)).get(SEARCH);
    assert.ok(found, JSON.stringify([...(await listSlow(site)).keys()]));
    assert.is(found.kind, 'rows');
    assert.is(found.count, 2);
    assert.is(found.rows, 22, 'one more than the page, which tells that there are more');
    assert.match(String(found.plan), /^reads (?:about|up to|all) [\d,]+ rows of paper/);
    const { line, file, columns, state, command } = found.index as Record<string, unknown>;
    assert.is(line, '"indexes": [{ "columns": ["published", "-views"] }]');
    assert.is(file, 'config/schema/paper.json');
    assert.equal(columns, ['published', '-views']);
    assert.is(state, 'proposed');
    assert.is(command, 'treadle schema update paper --add-index published,-views');
    const stored = JSON.stringify(await site.rows('treadle_slow_search'));
    assert.not.match(stored, /4711|Private/);
    assert.not.match(site.log.filter((text) => text.includes('search.slow')).join(), /4711|Private/);
  } finally {
    await site.close();
  }
});

test('totals, groups and rows by a key are kept, too; what the project asks by itself is not', async () => {
  const site = await bootMany({ template: 'none' });
  try {
    await askSlowly(site, 'filter[paper_title]=Private+7');
    await site.emit('system-model-detail', { schema: 'paper', paper_id: 7 });
    await site.app.services.database.kysely
      .selectFrom('paper')
      .select('paper_id')
      .where('paper_views', '=', 1)
      .execute();
    const found = await listSlow(site);
    assert.equal(
      [...found.values()].map(({ kind }) => kind).sort(),
      ['detail', 'rows', 'total'],
      [...found.keys()].join(),
    );
    assert.is(found.get('paper (total) filter[paper_title]=…')?.index, null);
  } finally {
    await site.close();
  }
});

test('figures of several processes add up, and the list can be emptied', async () => {
  const site = await bootMany({ template: 'none' });
  try {
    await askSlowly(site);
    assert.is((await listSlow(site)).get(SEARCH)?.count, 1);
    await askSlowly(site, 'filter[paper_published]=0&filter[paper_views][gt]=1&sort=-paper_views&total=0');
    assert.is((await listSlow(site)).get(SEARCH)?.count, 2);
    assert.is(((await site.emit('slow-remove')).getResults('removed') as unknown as number) > 0, true);
    assert.is((await listSlow(site)).size, 0);
  } finally {
    await site.close();
  }
});

sqlite('the index is tried on a copy of the statistics', async () => {
  const site = await bootMany({ template: 'none' });
  try {
    await askSlowly(site);
    const found = (await listSlow(site)).get(SEARCH);
    assert.is((found?.index as Record<string, unknown> | undefined)?.tried, true);
    const tables = await site.app.services.database.kysely.introspection.getTables();
    assert.not.ok(tables.some(({ name }) => name.includes('trial')));
  } finally {
    await site.close();
  }
});

test('one line of the log an hour names the search and its remedy', async () => {
  const site = await bootMany({ template: 'none' });
  try {
    for (const views of [1, 2, 3]) {
      await askSlowly(site, `filter[paper_published]=1&filter[paper_views][gt]=${views}&sort=-paper_views&total=0`);
      await listSlow(site);
    }
    const lines = site.log
      .map((text) => JSON.parse(text))
      .filter(({ event, search }) => event === 'search.slow' && search === SEARCH);
    assert.is(lines.length, 1);
    assert.is(lines[0].level, 'warn');
    assert.is(lines[0].remedy, 'Add to config/schema/paper.json: "indexes": [{ "columns": ["published", "-views"] }]');
  } finally {
    await site.close();
  }
});

test('what the process has seen is stored as it ends', async () => {
  const site = await bootMany({ template: 'none', settings: { name: 'End' } });
  try {
    await askSlowly(site);
    await site.app.close();
    const { data } = await site.cli('slow');
    const rows = data.rows as Record<string, unknown>[];
    assert.ok(
      rows.some(({ search }) => search === SEARCH),
      JSON.stringify(data),
    );
    assert.is((await site.cli('slow', '--clear', '--dry-run')).data.removed, rows.length);
    assert.is((await site.cli('slow', '--clear')).data.removed, rows.length);
    assert.equal((await site.cli('slow')).data.rows, []);
  } finally {
    await site.close();
  }
});

test('without the threshold nothing is kept of fast searches', async () => {
  const site = await bootMany({ template: 'none', settings: { limits: { slowMilliseconds: 99 } } });
  try {
    await until(() => (site.app.services.slowReads.least === 99 ? true : undefined));
    await site.emit('system-model-detail', { schema: 'paper', paper_id: 7 });
    assert.is((await listSlow(site)).size, 0);
  } finally {
    await site.close();
  }
});

test.run();
