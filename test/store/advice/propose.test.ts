import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Model, SchemaModel } from '../../../src/model/model.ts';
import { printIndexLine, toIndexLine } from '../../../src/store/advice/index-line.ts';
import { findCandidate, isServed } from '../../../src/store/advice/propose.ts';
import { toSearchWords } from '../../../src/store/advice/search-words.ts';
import { noteSearch } from '../../../src/store/read/note.ts';
import { parseSearch } from '../../../src/store/read/parse/search-parameters.ts';
import type { SearchNote } from '../../../src/store/read/search-note.ts';
import { getSearcher } from '../../../src/store/read/searcher.ts';
import { linkSchemas } from '../../database/model.ts';

const test = suite('store/advice/propose');

const flags = { filterable: true, sortable: true };

const createModel = (more: object = {}): Model =>
  linkSchemas([
    {
      name: 'article',
      singular: 'Article',
      plural: 'Articles',
      fields: [
        { name: 'title', type: 'text', searchable: true, ...flags },
        { name: 'published', type: 'switch', filterable: true },
        { name: 'kind', type: 'text', ...flags },
        { name: 'views', type: 'number', ...flags },
        { name: 'tags', type: 'tag', filterable: true },
        { name: 'active', type: 'active' },
        { name: 'created', type: 'created', sortable: true, filterable: true },
      ],
      relations: [{ schema: 'profile', kind: '1:1' }],
      ...more,
    },
    {
      name: 'profile',
      singular: 'Profile',
      plural: 'Profiles',
      fields: [{ name: 'name', type: 'text', ...flags }],
    },
  ]);

interface Asked {
  readonly schema: SchemaModel;
  readonly note: SearchNote;
}

function ask(input: object, kind: SearchNote['kind'] = 'rows', model = createModel()): Asked {
  const searcher = getSearcher(model);
  const limits = { pageRows: 50, maxPageRows: 100, codeRows: 100, expandRows: 100 };
  const source = searcher.source('article');
  const parsed = parseSearch(source, input as Record<string, unknown>, {
    limits,
    dialect: 'sqlite',
    toSource: (name) => searcher.source(name),
  });
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors));
  return { schema: source.schema, note: noteSearch(parsed.search, kind as 'rows' | 'total' | 'groups') };
}

function propose({ schema, note }: Asked): string | undefined {
  const candidate = findCandidate(schema, note);
  return candidate && toIndexLine(schema, candidate).columns.join(',');
}

const eq = (...names: string[]) => Object.fromEntries(names.map((name) => [`article_${name}`, '1']));

test('a search gets the index that finds and sorts its rows', () => {
  const cases: readonly (readonly [object, string | undefined])[] = [
    [{ filter: eq('published'), sort: '-article_views' }, 'published,-views'],
    [{ filter: { ...eq('published'), article_views: { gt: 5 } }, sort: 'article_views' }, 'published,views'],
    [{ filter: { ...eq('published'), article_views: { gt: 5 } } }, 'published,views'],
    // A flag leaves more rows than a text does, and what is found comes before what is sorted.
    [{ filter: eq('published', 'kind'), sort: '-article_created' }, 'kind,published,-created'],
    [{ filter: eq('kind', 'published'), sort: '-article_created' }, 'kind,published,-created'],
    [{ filter: eq('published', 'kind') }, 'kind,published'],
    [{ sort: '-article_views,article_title' }, '-views,title'],
    [{ filter: { profile_id: 3 }, sort: '-article_created' }, 'profile_id,-created'],
    [{ filter: { article_kind: { in: ['a', 'b'] }, article_views: { gt: 1 } } }, 'kind,views'],
    // A list of values has no order of its own.
    [{ filter: { article_kind: { in: ['a', 'b'] } }, sort: '-article_views' }, undefined],
    [{ filter: { ...eq('published'), article_title: { contains: 'x' } }, sort: 'article_views' }, 'published,views'],
    // The column's own index is enough, or no index helps.
    [{ filter: eq('published') }, undefined],
    [{ sort: '-article_views' }, undefined],
    [{ filter: { article_views: { gt: 5 } }, sort: '-article_created' }, undefined],
    [{ filter: { article_title: { contains: 'x' } } }, undefined],
    [{ filter: { article_tags: { has: 'x' } }, sort: 'article_views' }, undefined],
    [{ filter: { article_published: 1, article_active: 'any' }, sort: 'article_views' }, undefined],
    [{ q: 'words', filter: eq('published'), sort: 'article_views' }, undefined],
    [{}, undefined],
  ];
  for (const [input, expected] of cases) assert.is(propose(ask(input)), expected, JSON.stringify(input));
});

test('the total of a search needs no sort, and groups need no index', () => {
  const input = { filter: { ...eq('published'), article_views: { gt: 5 } }, sort: '-article_created' };
  assert.is(propose(ask(input, 'total')), 'published,views');
  assert.is(propose(ask(input, 'groups')), undefined);
});

test('an index of the definition serves, also backwards, with more columns, or with the rows of one value only', () => {
  const isThere = (indexes: readonly object[], input: object, more: object = {}): boolean => {
    const { schema, note } = ask(input, 'rows', createModel({ indexes, ...more }));
    const candidate = findCandidate(schema, note);
    return candidate !== undefined && isServed(schema, note, candidate);
  };
  const input = { filter: eq('published'), sort: '-article_views' };
  for (const [columns, expected] of [
    [['published', '-views'], true],
    [['published', 'views'], true],
    [['published', 'views', 'title'], true],
    [['views', 'published'], false],
    [['published', 'title', 'views'], false],
  ] as const)
    assert.is(isThere([{ columns }], input), expected, columns.join());
  assert.is(isThere([{ columns: ['-views', 'title'], where: { published: true } }], input), true);
  assert.is(isThere([{ columns: ['-views', 'title'], where: { kind: 'a' } }], input), false);
  const two = { filter: eq('published', 'kind'), sort: '-article_views' };
  assert.is(isThere([{ columns: ['published', 'kind', 'views'] }], two), true, 'in any order');
  assert.is(isThere([{ columns: ['kind', 'views'] }], two), false);
  const rule = { unique: [{ columns: ['article_kind', 'article_views'] }] };
  assert.is(isThere([], { filter: eq('kind', 'views') }, rule), true, 'a unique rule');
});

test('a search is said in words without any of its values', () => {
  const { note } = ask({
    filter: { article_title: 'Private', article_views: { gt: 4711 } },
    sort: '-article_views',
    q: 'secret',
  });
  assert.is(toSearchWords(note), 'article q=… filter[article_title]=… filter[article_views][gt]=… sort=-article_views');
  assert.not.match(JSON.stringify(note), /Private|4711|secret/);
  assert.is(toSearchWords(ask({}, 'total').note), 'article (total)');
});

test('the line is as people write it', () => {
  const { schema } = ask({});
  const columns = [
    { name: 'article_published', isDescending: false },
    { name: 'article_views', isDescending: true },
  ];
  assert.is(printIndexLine(toIndexLine(schema, columns)), '"indexes": [{ "columns": ["published", "-views"] }]');
  assert.is(
    printIndexLine(toIndexLine(schema, columns, new Map([['article_published', true]]))),
    '"indexes": [{ "columns": ["-views"], "where": { "published": true } }]',
  );
});

test.run();
