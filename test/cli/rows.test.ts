import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toQuoted } from '../../src/cli/complete.ts';
import { parseField } from '../../src/cli/keys/field.ts';
import { createProgress } from '../../src/cli/progress.ts';
import { parseRelation } from '../../src/cli/question/relation.ts';
import { findFormat } from '../../src/cli/rows/extension.ts';
import { toSentence } from '../../src/model/relation-sentence.ts';
import { toCsvLine } from '../../src/rows/csv.ts';
import { readRows } from '../../src/rows/read.ts';
import { readText } from '../../src/rows/text.ts';
import { cpu } from '../core/_cpu.ts';

const test = suite('cli/rows');

type Format = Parameters<typeof readRows>[1]['format'];

async function* toPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The rows of a file that arrives in pieces of this size, or the fatal error. */
async function read(file: string | Uint8Array, format?: Format, size = 3): Promise<unknown[]> {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file;
  const rows: unknown[] = [];
  try {
    for await (const part of readRows(readText(toPieces(bytes, size)), { format })) {
      for (const row of part) rows.push('message' in row ? [row.line, row.message] : [row.line, row.values]);
    }
  } catch (error) {
    assert.is((error as { code?: string }).code, 'IMPORT_FILE_BROKEN', String(error));
    return [(error as Error).message];
  }
  return rows;
}

const NO_OBJECT = 'This is not a JSON object.';
const CASES: readonly (readonly [name: string, file: string | Uint8Array, rows: unknown[], format?: Format])[] = [
  [
    'csv: line ends of all kinds, also in cells',
    'a,b\r\n1,"x\ny"\n2\n\n3,4\r5,6',
    [
      [2, { a: '1', b: 'x\ny' }],
      [4, 'The line has 1 cells, but the header has 2.'],
      [6, { a: '3', b: '4' }],
      [7, { a: '5', b: '6' }],
    ],
  ],
  ['csv: quotes', 'a,"b"\n"x, ""y""",\n', [[2, { a: 'x, "y"' }]]],
  ['csv: semicolons, tabulators', 'a;b\n1;"2,5"\n', [[2, { a: '1', b: '2,5' }]]],
  ['csv: tabulators', 'a\tb, c\n1\t2\n', [[2, { a: '1', 'b, c': '2' }]]],
  ['csv: an apostrophe that guards a formula', "a,b,c\n'=1,''-2,'x\n", [[2, { a: '=1', b: "'-2", c: "'x" }]]],
  ['csv: a byte order mark', '\uFEFFa,b\n1,2', [[2, { a: '1', b: '2' }]]],
  ['csv: a quote that is never closed', 'a\n1\n"x', ['Line 3: a quote is never closed.']],
  ['csv: more after a quote', '"a"b\n', ['Line 1: a closing quote is followed by other text.']],
  ['csv: a name twice', 'a,b, a\n', ['The header has "a" twice.']],
  ['csv: no name', 'a,,b\n', ['Cell 2 of the header is empty.']],
  ['csv: nothing', '', ['The file has no header line.'], 'csv'],
  ['csv: blank lines', '\n\n', ['The file has no header line.'], 'csv'],
  ['csv: a header alone', 'a,b\n', []],
  [
    'csv: the sign that Excel names',
    'SEP=;\r\na;b\r\n1,5;"2\r\n2"\r\n3;4\r\n',
    [
      [3, { a: '1,5', b: '2\r\n2' }],
      [5, { a: '3', b: '4' }],
    ],
  ],
  ['csv: a sign alone', 'sep=;\n', ['The file has no header line.'], 'csv'],
  ['csv: a column that begins like it', 'sep=,b\n1,2\n', [[2, { 'sep=': '1', b: '2' }]]],
  [
    'csv: lines after cells of two lines',
    'a,b\r\n1,"x\r\ny\r\nz"\r\n\r\n2,"p\nq"\r\n3\r\n4,w\r\n',
    [
      [2, { a: '1', b: 'x\r\ny\r\nz' }],
      [6, { a: '2', b: 'p\nq' }],
      [8, 'The line has 1 cells, but the header has 2.'],
      [9, { a: '4', b: 'w' }],
    ],
  ],
  [
    'csv: a stray quote costs its own row',
    'a,b\n1,5" pipe\n2,3\n',
    [
      [2, 'In this line a quote is in a cell that does not start with one.'],
      [3, { a: '2', b: '3' }],
    ],
  ],
  ['csv: a stray quote in the header', 'a,5"\n1,2\n', ['Line 1: a quote is in a cell that does not start with one.']],
  ['csv: a quote within quotes', 'a,b\n1,"x"y\n2,3\n', ['Line 2: a closing quote is followed by other text.']],
  [
    'geojson',
    '{ "type": "FeatureCollection",\n"features": [] }',
    ['The file is GeoJSON. The columns of a row are the properties of a feature.'],
  ],
  [
    'an object that holds a list',
    '{\n "data": [{"a":1}]\n}',
    ['The file is one JSON object of several lines, not a list of objects.'],
  ],
  ['an answer of a search, by itself', '{\n"error":false,\n"results":{\n"rows":[{"a":1}]}}', [[1, { a: 1 }]]],
  [
    'ndjson: bad lines are named, the rest is read',
    '{"a":1}\r\n\nnope\n[1]\n{"a":2}',
    [
      [1, { a: 1 }],
      [3, NO_OBJECT],
      [4, NO_OBJECT],
      [5, { a: 2 }],
    ],
  ],
  [
    'ndjson: cut off',
    '{"a":1}\n{"a":',
    [
      [1, { a: 1 }],
      [2, NO_OBJECT],
    ],
  ],
  ['ndjson: nothing', '', [], 'ndjson'],
  [
    'json: brackets in texts',
    '[{"a":"x]},\\"","b":[1,{"c":2}]},\n{"a":"é€😀\\\\"},5]\n',
    [
      [1, { a: 'x]},"', b: [1, { c: 2 }] }],
      [2, { a: 'é€😀\\' }],
      [3, 'This entry is not an object.'],
    ],
  ],
  ['json: an answer of a search', '{"error":false,"results":{"rows":[{"a":1}],"total":1}}', [[1, { a: 1 }]], 'json'],
  ['json: rows', '{ "rows": [{"a":1}] }', [[1, { a: 1 }]], 'json'],
  ['json: an empty list', ' [ ] ', []],
  ['json: no list', '{"a":1}', ['The file is not a JSON list of objects.'], 'json'],
  ['json: nothing', '', ['The file is not a JSON list of objects.'], 'json'],
  ['json: a comma too many', '[{"a":1},\n]', ['Line 2: the list has a comma without an entry.']],
  ['json: an end too few', '[{"a":1},\n{"a":2}', ['The list is incomplete: line 2 is the last one.']],
  ['json: more behind', '[{"a":1}]\n{"a":2}', ['There is text after the end of the list.']],
  [
    'utf-8 that is none',
    Buffer.from('a,b\n1,caf\xe9\n2,3\n', 'latin1'),
    ['The file is not UTF-8: invalid bytes near line 2.'],
    'csv',
  ],
  ['utf-16 with a mark', Buffer.from('\uFEFFa,b\n', 'utf16le'), ['The file is UTF-16.']],
  ['utf-16 without', Buffer.from('a,b\n', 'utf16le'), ['The file is not text, or is UTF-16.']],
  ['gzip', Buffer.from([0x1f, 0x8b, 8, 0]), ['The file is compressed (gzip).']],
  ['a spreadsheet', Buffer.from('PK\x03\x04....'), ['The file is a ZIP archive or a spreadsheet.']],
];

for (const [name, file, rows, format] of CASES) {
  test(`read ${name}`, async () => {
    for (const size of [1, 7, 4096]) assert.equal(await read(file, format, size), rows, `in pieces of ${size}`);
  });
}

test('an entry that is no row ends the reading of a JSON list, with its place', async () => {
  assert.match(String((await read('[\n{"a":1},\n{"a":}]')).at(-1)), /^Entry 2, which ends in line 3, is not JSON/);
});

test('what is written as CSV is read again, and no cell is a formula', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
  const row = ['plain', 'with, comma', 'with "quotes"', 'two\nlines', ' blank ', '=1+1', "'=x", '@x; y', '\tx'];
  const line = toCsvLine(row);
  for (const cell of line.split(',')) assert.not.match(cell.replace(/^"/, ''), /^[=+\-@\t]/);
  assert.equal(await read(`${names.join(',')}\n${line}\n`), [
    [2, Object.fromEntries(names.map((name, at) => [name, row[at]]))],
  ]);
  assert.is(toCsvLine([null, -1, ['a'], undefined, '-1']), ',-1,"[""a""]",,\'-1', 'a number is no formula');
  assert.is(toCsvLine(['=1'], true), '=1');
});

test('formats by ending', () => {
  assert.is(findFormat('a.CSV'), 'csv');
  assert.is(findFormat('a.tsv'), 'csv');
  assert.is(findFormat('a.jsonl'), 'ndjson');
  for (const name of ['-', 'rows', 'rows.txt']) assert.is(findFormat(name), undefined);
  assert.throws(() => findFormat('a.xml'), /not a known file extension/);
  assert.throws(() => findFormat('a.csv.gz'), /must be unpacked first/);
});

test('progress: a bar, the rate and the time left; nothing more than ten times a second', () => {
  const shown: string[] = [];
  const time = { at: 0 };
  const progress = createProgress({ progress: (text) => shown.push(text) }, 'Importing x', 1000, () => time.at);
  time.at = 1000;
  progress.advance(250);
  progress.count(5000);
  assert.equal(shown, ['Importing x [######                  ]  25 %  0 rows  0/s  0:03 left']);
  time.at = 2000;
  progress.count(5000);
  assert.is(shown[1], 'Importing x [######                  ]  25 %  10,000 rows  5,000/s  0:06 left');
  progress.end();
  assert.is(shown.at(-1), '');
  const open: string[] = [];
  const endless = createProgress({ progress: (text) => open.push(text) }, 'Importing x', undefined, () => 0);
  endless.count(10);
  assert.equal(open, ['Importing x  10 rows  10,000/s']);
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
  assert.is(
    toSentence('Gadget', { schema: 'article', kind: 'N:N', name: 'seen' }),
    'a gadget has many articles, and an article many gadgets, as seen',
  );
  assert.is(
    toSentence('Article', { schema: 'comment', kind: '1:N', name: 'kept' }),
    'an article has many comments, as kept',
  );
});

test('words as a shell takes them', () => {
  assert.is(toQuoted('a-b/c:d'), 'a-b/c:d');
  assert.is(toQuoted("it's"), "'it'\\''s'");
  assert.is(toQuoted(''), "''");
});

test('a file of one long line is read in time that grows with it', async () => {
  const measure = async (format: 'ndjson' | 'csv', characters: number): Promise<number> => {
    const file = Buffer.from('x'.repeat(characters));
    const begun = cpu();
    await read(file, format, 65_536);
    return cpu() - begun;
  };
  for (const format of ['ndjson', 'csv'] as const) {
    await measure(format, 1_000_000);
    const short = await measure(format, 8_000_000);
    const long = await measure(format, 32_000_000);
    // Four times the length takes four times as long; a line that is read from its start for each part takes sixteen.
    assert.ok(long < short * 9 + 100, `${format}: ${short} ms, and ${long} ms for four times the length`);
  }
});

/** Beginnings that a spreadsheet takes for a formula, some after a line break or in full width. */
const SIGNS = ['=', '+', '-', '@', '\t', '\r', '\n', '\r\n=', '\n=', '＝', '＋', '－', '＠', "'＝", "''\n"];

test('csv: every beginning of a formula gets an apostrophe, and reading takes it off', async () => {
  for (const sign of SIGNS) {
    const value = `${sign}SUM(1)`;
    const line = toCsvLine([value, 1, -2]);
    assert.match(line, /^"?'/, JSON.stringify(sign));
    assert.ok(line.endsWith(',1,-2'), 'numbers stay as they are');
    const [row] = (await read(`a,b,c\n${line}\n`)) as [number, unknown][];
    assert.equal(row?.[1], { a: value, b: '1', c: '-2' }, JSON.stringify(sign));
  }
  for (const value of ["it's", "'quoted'", 'a=b', '（x）']) assert.not.match(toCsvLine([value]), /^"?''/);
});

test.run();
