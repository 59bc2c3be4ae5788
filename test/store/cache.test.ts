import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type TableVersions, type TableWrite, WriteMoments } from '../../src/database/version/table-version.ts';
import { Cache, SeenKeys, sizeOfKey, sizeOfText } from '../../src/store/cache.ts';

const cache = suite('store/cache');

const LISTS: Record<string, string[] | undefined> = {
  article: ['article@article_id#1'],
  comment: ['comment'],
  any: undefined,
};

/** Values of rows, made at one moment, and what is written after it. */
function fill(): { values: Cache<string>; write: (...writes: TableWrite[]) => TableVersions } {
  const moments = new WriteMoments();
  const columns = (name: string): [string, Set<string>] => [name, new Set([`${name}_id`])];
  moments.restart(new Map([columns('article'), columns('comment')]));
  const versions = moments.advance('0');
  const values = new Cache<string>(1_000_000);
  for (const [name, sources] of Object.entries(LISTS))
    values.set(name, name, { bytes: 1, basis: versions.basisOf(sources) });
  values.set('marker', 'marker', { bytes: 1 });
  const at = { whole: 0 };
  const write = (...writes: TableWrite[]): TableVersions => {
    at.whole += writes.length;
    return writes.length === 0 ? versions : moments.advance(String(at.whole), writes);
  };
  return { values, write };
}

cache('finds what was made of rows until one of them is written', () => {
  const row = (table: string, id: number): TableWrite => ({ table, values: [`${table}_id#${id}`] });
  const cases: [TableWrite[], string[]][] = [
    [[], ['article', 'comment', 'any', 'marker']],
    [[row('other', 1)], ['article', 'comment', 'marker']],
    [[row('article', 2)], ['article', 'comment', 'marker']],
    [[row('comment', 1)], ['article', 'marker']],
    [[row('article', 1)], ['comment', 'marker']],
    [[{ table: 'article', values: undefined }], ['comment', 'marker']],
    [[{ table: undefined, values: undefined }], ['marker']],
  ];
  for (const [writes, names] of cases) {
    const { values, write } = fill();
    const versions = write(...writes);
    assert.equal(
      [...Object.keys(LISTS), 'marker'].filter((name) => values.find(name, versions) !== undefined),
      names,
      JSON.stringify(writes),
    );
  }
});

cache('outdated values leave it after some reads, and no others', () => {
  const { values, write } = fill();
  const written = write({ table: 'comment', values: [] });
  for (let read = 0; read < 100; read += 1) values.find('article', written);
  assert.is(values.size, 4);
  values.find('article', written);
  assert.is(values.size, 2);
  assert.is(values.get('comment'), undefined);
  assert.ok(values.find('article', written));
  assert.ok(values.get('marker'), 'depends on no rows');
});

cache('counts one byte for each character of ASCII text, and two where a character needs more', () => {
  const cases: [string, number][] = [
    ['', 0],
    ['warp', 4],
    ['wärp', 8],
    ['織り', 4],
  ];
  for (const [text, bytes] of cases) assert.is(sizeOfText(text), bytes, text);
  assert.is(sizeOfKey('warp') - sizeOfKey(''), 4);
});

cache('drops the entries that were not read or set for longest', () => {
  const kept = new Cache<number>(10);
  for (const key of ['a', 'b', 'c']) kept.set(key, 1, { bytes: 3 });
  kept.get('a');
  kept.set('d', 1, { bytes: 3 });
  assert.equal(
    ['a', 'b', 'c', 'd'].filter((key) => kept.get(key) !== undefined),
    ['a', 'c', 'd'],
  );
  kept.set('a', 1, { bytes: 11 });
  assert.is(kept.get('a'), undefined, 'larger than all of it');
  assert.is(kept.bytes, 6);
});

/** Reads keys, and sets those that are not found; gives the share of those that were. */
function readAll(values: Cache<string>, keys: readonly string[], versions: () => TableVersions): number {
  let found = 0;
  for (const key of keys) {
    const now = versions();
    if (values.find(key, now) !== undefined) found += 1;
    else if (values.wants(key)) values.set(key, key, { bytes: 10, basis: now.basisOf(['article']) });
  }
  return found / keys.length;
}

cache('finds most of some more keys in turn than it has room for, and the new ones once they are asked for', () => {
  const moments = new WriteMoments();
  moments.restart(new Map([['article', new Set<string>()]]));
  const versions = moments.advance('1');
  const values = new Cache<string>(1800);
  const toKeys = (name: string): string[] => Array.from({ length: 120 }, (_, n) => `${name} ${n}`);
  const read = (name: string): number => readAll(values, toKeys(name), () => versions);
  assert.is(read('a'), 0);
  for (let time = 0; time < 10; time += 1) assert.ok(read('a') > 0.6);
  for (let time = 0; time < 6; time += 1) read('b');
  assert.ok(read('b') > 0.6);
  assert.ok(values.bytes <= 1800);
});

cache('takes few values where each write outdates them, and all again once they are found', () => {
  const moments = new WriteMoments();
  moments.restart(new Map([['article', new Set<string>()]]));
  const state = { whole: 0 };
  const write = (): TableVersions => {
    state.whole += 1;
    return moments.advance(String(state.whole), [{ table: 'article', values: undefined }]);
  };
  const values = new Cache<string>(100_000);
  const keys = Array.from({ length: 1000 }, (_, n) => String(n));
  readAll(values, keys, write);
  readAll(values, keys, write);
  assert.ok(values.size < 400, `${values.size} values`);
  const versions = write();
  for (let time = 0; time < 20; time += 1) readAll(values, keys, () => versions);
  assert.is(
    readAll(values, keys, () => versions),
    1,
  );
});

cache('knows a key from its second time on', () => {
  const seen = new SeenKeys();
  assert.is(seen.add('GET /article/1'), false);
  assert.is(seen.add('GET /article/1'), true);
  assert.is(seen.add('GET /article/2'), false);
  assert.is(seen.add('GET /article/1'), true);
});

cache('forgets the older of two keys in one slot, and never takes one for the other', () => {
  const seen = new SeenKeys(1);
  assert.is(seen.add('a'), false);
  assert.is(seen.add('b'), false);
  assert.is(seen.add('b'), true);
  assert.is(seen.add('a'), false);
});

cache('tells a thousand keys apart', () => {
  const seen = new SeenKeys();
  const names = Array.from({ length: 1000 }, (_, index) => `/rest/public/article/detail/${index}?fields=title`);
  assert.is(names.filter((name) => seen.add(name)).length, 0);
  assert.ok(names.filter((name) => seen.add(name)).length > 980);
});

cache.run();
