import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ReadRows } from '../../../src/core/scope.ts';
import {
  listReadSources,
  listSources,
  noteRead,
  recordReads,
  toReadRows,
} from '../../../src/database/version/read-note.ts';

const test = suite('database/version/read-note');

/** What work depends on that reads with these statements. */
const readOf = (statements: string[]): readonly string[] | undefined =>
  listReadSources(
    recordReads(() => {
      for (const text of statements) noteRead(text);
    }).reads,
  );

test('a statement tells which tables it reads, or that it cannot be told', () => {
  const cases: [statements: string[], tables: string[] | undefined][] = [
    [['select count(*) as total from "note" as t where "t"."id" = ?'], ['note']],
    [['select * from "note" as "t" left join "author" as j1 on j1.id = t.author'], ['author', 'note']],
    [
      [
        'select 1 from "note" as t where exists (select 1 from "tag" as r where r.a in (select value from json_each(?)))',
      ],
      ['note', 'tag'],
    ],
    [['select count(*) from "treadle_words_note_fts" as w cross join "note" as t where w match ?'], ['note']],
    [['select o.id from "treadle_words_author_fts" as w cross join "note" as o'], ['author', 'note']],
    [
      ['select * from "note"', 'select * from "author"'],
      ['author', 'note'],
    ],
    [['select * from note where a is distinct from "b"'], ['note']],
    [['select * from "note" as t, "author" as a'], undefined],
    [['select 1'], undefined],
    [[], undefined],
  ];
  for (const [statements, tables] of cases) assert.equal(readOf(statements), tables, statements.join('; '));
});

const NOTE = 'select * from "note" as t left join "author" as j0 on j0.id = t.author where t.id = ?';
const TWICE = 'select * from "note" as t where t.id = ? and t.parent in (select r.id from "note" as r)';

test('rows count in place of their table where they are all that a statement reads of it', () => {
  const note = toReadRows('note', 'id', [5]);
  const author = toReadRows('author', 'id', [7]);
  const list = toReadRows('note', 'parent', [5]);
  const cases: [text: string, rows: ReadRows[], sources: string[] | undefined][] = [
    [NOTE, [note, author], ['author@id#7', 'note@id#5']],
    [NOTE, [note], ['author', 'note@id#5']],
    [NOTE, [toReadRows('tag', 'id', [1])], ['author', 'note']],
    [NOTE, [note, toReadRows('author', 'id', [])], ['note@id#5']],
    [TWICE, [note], ['note']],
    [TWICE, [note, list], ['note@id#5', 'note@parent#5']],
    ['select * from "note" as t where t.id = ?', [note, list], ['note']],
    ['select 1', [note], undefined],
  ];
  for (const [text, rows, sources] of cases) {
    assert.equal(listSources(text, rows), sources, text);
    assert.equal(listReadSources(recordReads(() => noteRead(text, rows)).reads), sources, text);
  }
});

test('of a value that is no whole number, and of more than 200 values, the table counts', () => {
  const many = Array.from({ length: 201 }, (_, index) => index);
  for (const values of [['5'], [5.5], [2 ** 60], [null], [undefined], [1, 'a'], many])
    assert.is(toReadRows('note', 'id', values).tags, undefined, String(values));
  assert.is(toReadRows('note', 'id', many.slice(1)).tags?.length, 200);
  const { reads } = recordReads(() => {
    for (const id of many) noteRead('select * from "note" as t where t.id = ?', [toReadRows('note', 'id', [id])]);
    noteRead('select * from "author" as t where t.id = ?', [toReadRows('author', 'id', [1])]);
  });
  assert.equal(listReadSources(reads), ['author@id#1', 'note']);
});

test('rows that are known only when others are read count as their table until then', () => {
  const pending: ReadRows = { table: 'author', tags: undefined };
  const { reads } = recordReads(() => noteRead(NOTE, [toReadRows('note', 'id', [5]), pending]));
  assert.equal(listReadSources(reads), ['author', 'note@id#5']);
  pending.tags = ['author@id#7'];
  assert.equal(listReadSources(reads), ['author@id#7', 'note@id#5']);
});

test('a table that is read as a whole too counts as a whole', () => {
  const { reads } = recordReads(() => {
    noteRead('select * from "note" as t where t.id = ?', [toReadRows('note', 'id', [5])]);
    noteRead('select count(*) from "note"');
  });
  assert.equal(listReadSources(reads), ['note']);
});

test.run();
