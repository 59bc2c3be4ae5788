import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTableVersions, type TableVersions } from '../../src/database/table-version.ts';
import { VersionedMap } from '../../src/database/versioned-map.ts';

const map = suite('database/versioned-map');

const toVersions = (article: string, comment: string): TableVersions => {
  const tables = new Map([
    ['article', article],
    ['comment', comment],
  ]);
  return createTableVersions(`${article}/${comment}`, '1', tables);
};
const LISTS: Record<string, string[] | undefined> = { article: ['article'], comment: ['comment'], any: undefined };

function fill(versions: TableVersions): VersionedMap<{ version: string | undefined; tables: string[] | undefined }> {
  const values = new VersionedMap<{ version: string | undefined; tables: string[] | undefined }>(1_000_000);
  for (const [name, tables] of Object.entries(LISTS)) values.set(name, { version: versions.of(tables), tables }, 1);
  values.set('marker', { version: undefined, tables: undefined }, 1);
  return values;
}

map('finds what was made of rows until one of its tables is written', () => {
  const values = fill(toVersions('1', '1'));
  const cases: [TableVersions, string[]][] = [
    [toVersions('1', '1'), ['article', 'comment', 'any', 'marker']],
    [toVersions('1', '2'), ['article', 'marker']],
    [toVersions('2', '1'), ['comment', 'marker']],
  ];
  for (const [versions, names] of cases)
    assert.equal(
      [...Object.keys(LISTS), 'marker'].filter((name) => values.find(name, versions) !== undefined),
      names,
      versions.whole,
    );
});

map('outdated values leave it after some reads, and no others', () => {
  const values = fill(toVersions('1', '1'));
  const written = toVersions('1', '2');
  for (let read = 0; read < 100; read += 1) values.find('article', written);
  assert.is(values.size, 4);
  values.find('article', written);
  assert.is(values.size, 2);
  assert.is(values.get('comment'), undefined);
  assert.ok(values.find('article', written));
  assert.ok(values.get('marker'), 'depends on no rows');
});

map.run();
