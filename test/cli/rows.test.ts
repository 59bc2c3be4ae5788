import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toQuoted } from '../../src/cli/complete.ts';
import { parseField } from '../../src/cli/question/field.ts';
import { parseRelation, toSentence } from '../../src/cli/question/relation.ts';
import { CsvFault, readCsv, toCsvLine } from '../../src/cli/rows/csv.ts';
import { findFormat, readRows } from '../../src/cli/rows/read.ts';

const test = suite('cli/rows');

const cells = (text: string): (readonly string[])[] => [...readCsv(text)].map((record) => record.cells);

test('CSV as RFC 4180 has it', () => {
  assert.equal(cells('a,b\r\n1,2\r\n'), [
    ['a', 'b'],
    ['1', '2'],
  ]);
  assert.equal(cells('a,"b, ""c""\nd"\n,'), [
    ['a', 'b, "c"\nd'],
    ['', ''],
  ]);
  assert.equal(
    cells('\uFEFFa\n\n""\nb'),
    [['a'], ['b']].map((row) => row),
  );
  assert.equal(cells(''), []);
  assert.equal(
    [...readCsv('a\n"x\ny"\nz')].map(({ line }) => line),
    [1, 2, 4],
  );
});

test('broken CSV names its line', () => {
  for (const [text, line] of [
    ['a\n"b', 2],
    ['a\nb"c', 2],
    ['"a"b', 1],
  ] as const) {
    try {
      cells(text);
      assert.unreachable(text);
    } catch (error) {
      assert.instance(error, CsvFault);
      assert.is((error as CsvFault).line, line);
    }
  }
});

test('what is written as CSV is read again', () => {
  const row = ['plain', 'with, comma', 'with "quotes"', 'two\nlines', ' blank ', ''];
  assert.equal(cells(toCsvLine(row)), [row]);
  assert.is(toCsvLine([null, 1, ['a'], undefined]), ',1,"[""a""]",');
});

test('formats by ending, else by the text', () => {
  assert.is(findFormat('a.CSV', ''), 'csv');
  assert.is(findFormat('a.jsonl', ''), 'ndjson');
  assert.is(findFormat('-', ' [{'), 'json');
  assert.is(findFormat('-', '{"a":1}'), 'ndjson');
  assert.is(findFormat('-', 'a,b'), 'csv');
});

test('rows with their lines, the bad ones named', () => {
  assert.equal(readRows('{"a":1}\n\nnope\n[1]\n{"a":2}', 'ndjson'), {
    rows: [
      { line: 1, values: { a: 1 } },
      { line: 5, values: { a: 2 } },
    ],
    bad: [
      { line: 3, message: 'This is no JSON object.' },
      { line: 4, message: 'This is no JSON object.' },
    ],
  });
  assert.equal(readRows('[{"a":1},2]', 'json'), {
    rows: [{ line: 1, values: { a: 1 } }],
    bad: [{ line: 2, message: 'This entry is no object.' }],
  });
  assert.equal(readRows('a,b\n1\n1,2\n', 'csv'), {
    rows: [{ line: 3, values: { a: '1', b: '2' } }],
    bad: [{ line: 2, message: 'The line has 1 cells, the heading 2.' }],
  });
  assert.throws(() => readRows('{}', 'json'), /no JSON list/);
});

test('fields and relations as flags say them', () => {
  assert.equal(parseField('first_name'), { name: 'first_name', label: 'First name', type: 'text' });
  assert.equal(parseField('active:active'), { name: 'active', type: 'active' });
  assert.throws(() => parseField(':text'), /is not name:type/);
  assert.equal(parseRelation('profile=1:1'), { schema: 'profile', kind: '1:1' });
  assert.equal(parseRelation('tag=n:n'), { schema: 'tag', kind: 'N:N' });
});

test('how relations read', () => {
  assert.is(toSentence('Article', { schema: 'comment', kind: '1:N' }), 'an article has many comments');
  assert.is(toSentence('Comment', { schema: 'profile', kind: '1:1' }), 'a comment has exactly one profile');
  assert.is(
    toSentence('Article', { schema: 'profile', kind: '1:0', name: 'editor' }),
    'an article has at most one editor',
  );
  assert.is(toSentence('Article', { schema: 'tag', kind: 'N:N' }), 'an article has many tags, and a tag many articles');
});

test('words as a shell takes them', () => {
  assert.is(toQuoted('a-b/c:d'), 'a-b/c:d');
  assert.is(toQuoted("it's"), "'it'\\''s'");
  assert.is(toQuoted(''), "''");
});

test.run();
