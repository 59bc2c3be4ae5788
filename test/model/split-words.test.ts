import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toPlainText } from '../../src/model/field/markup.ts';
import { toRowWords, toWords, WORD_LENGTH } from '../../src/model/split-words.ts';
import { cpu } from '../core/_cpu.ts';

const test = suite('words');

const WORDS: readonly (readonly [text: string, words: string])[] = [
  ['', ''],
  ['  \t\n ', ''],
  ['!!! --- % _ "', ''],
  ['Node.js', 'node js'],
  ['Old wool, old WOOL', 'old wool'],
  ["don't rock'n'roll", 'don t rock n roll'],
  ['snake_case kebab-case a/b', 'snake case kebab a b'],
  ['C++ and C#', 'c and'],
  ['3.14 1,000', '3 14 1 000'],
  ['Crème BRÛLÉE', 'creme brulee'],
  ['creme\u0300', 'creme'],
  ['Øresund Łódź Ægir œuvre', 'oresund lodz aegir oeuvre'],
  ['Straße STRASSE', 'strasse'],
  ['İstanbul ısı I', 'istanbul isi i'],
  ['ΛΌΓΟΣ λόγος', 'λογοσ'],
  ['ЁЛКА ёлка', 'елка'],
  ['ﬃ ½ m²', 'ffi 1 2 m2'],
  ['co\u00adoperate', 'cooperate'],
  ['zero\u200bwidth joi\u200dned', 'zero width joined'],
  ['مُحَمَّد', 'محمد'],
  ['שָׁלוֹם', 'שלום'],
  ['हिन्दी में', 'हिन्दी में'],
  ['東京都', '東京 京都 都'],
  ['東', '東'],
  ['iPhone電話', 'iphone 電話 話'],
  ['ﾃﾞｰﾀ', 'テ\u3099ー ータ タ'],
  ['🎉 party 🎉', '🎉 party'],
  ['👩‍👧 ❤️ 🇩🇪 👍🏽', '👩 👧 ❤ 🇩🇪 👍'],
  ['© ® ™ a', 'tm a'],
  ['\ud800x\udfff', 'x'],
  ['a\u0000b', 'a b'],
];

test('are letters and digits without case and accents, each once', () => {
  for (const [text, expected] of WORDS)
    assert.is(toWords(text).join(' '), expected.normalize('NFKD'), JSON.stringify(text));
});

test('are the same for every Unicode form of the text', () => {
  for (const [text] of WORDS) {
    const words = toWords(text).join(' ');
    for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD']) assert.is(toWords(text.normalize(form)).join(' '), words);
  }
});

test('of a text without blanks find every part of it', () => {
  const text = '私は東京都に住んでいます';
  const there = toWords(text);
  for (let start = 0; start < text.length; start += 1) {
    for (let end = start + 1; end <= text.length; end += 1) {
      const part = text.slice(start, end);
      for (const word of toWords(part))
        assert.ok(
          there.some((other) => other.startsWith(word)),
          part,
        );
    }
  }
});

test('that are long are known by their beginning, without half a character', () => {
  assert.equal(toWords('x'.repeat(1000)), ['x'.repeat(WORD_LENGTH)]);
  const letters = `a${'𝔞𐐨'.repeat(200)}`;
  const [word = ''] = toWords(letters);
  assert.ok(word.length <= WORD_LENGTH);
  assert.is(Buffer.from(word, 'utf8').toString(), word);
});

const TEXTS: readonly (readonly [markup: string, text: string])[] = [
  ['<p>One</p><p>Two</p>', 'One Two'],
  ['b<b>ol</b>d <a href="x>y" title=\'z\'>link</a>', 'bold link'],
  ['one<br>two<hr/>three', 'one two three'],
  ['<script>alert(1)</script>x<STYLE>p{}</style >y', 'x y'],
  ['Use the `<script>` tag', 'Use the ` ` tag'],
  ['<!-- no -->yes <!DOCTYPE html>', 'yes'],
  ['a < b and c > d, <3', 'a < b and c > d, <3'],
  ['see <https://example.org/wool>', 'see <https://example.org/wool>'],
  ['caf&eacute; &amp; &#x41;&#66; &lt;b&gt; &Uuml;ber &szlig;', 'cafe & AB <b> Uber ss'],
  ['&#0; &#x110000; &unknown; &amp', '&'],
  ['<a "unclosed <b>bold</b>', 'bold'],
  ['<a "unclosed', '<a "unclosed'],
  ['x <', 'x <'],
  ['</', '</'],
];

test('of markup are those that a reader sees', () => {
  for (const [markup, text] of TEXTS) assert.is(toPlainText(markup).replace(/\s+/g, ' ').trim(), text, markup);
});

const HOSTILE = [
  "<b '>'",
  '<b ">">',
  '<',
  '<a ',
  '<script>',
  '<a "',
  '<a \'"',
  '<!--',
  '<!',
  '&',
  '&#',
  '</a',
  '<style ',
  'é',
  '京',
  '\u0301',
  'ก\u0e31',
  '🎉',
];

/** Text after one of them, whose end causes backtracking. */
const ENDS = ['', '"', '>', '\'">'];

test('take time in proportion to the text', () => {
  /** The shortest of several: other work only makes it longer. */
  const time = (text: string, times: number): number =>
    Math.min(
      ...Array.from({ length: times }, () => {
        const begun = cpu();
        toWords(toPlainText(text));
        return cpu() - begun;
      }),
    );
  for (const [part, end] of HOSTILE.flatMap((part) => ENDS.map((end) => [part, end] as const))) {
    const [small, large] = [10_000, 200_000].map((length) => part.repeat(Math.ceil(length / part.length)) + end);
    const short = time(small ?? '', 3);
    const isSlow = (times: number): boolean => time(large ?? '', times) > Math.max(10, short * 40);
    // Twenty times the text: a quadratic reader would take four hundred times as long.
    assert.not.ok(isSlow(1) && isSlow(3), `${JSON.stringify(part)}: over forty times ${short} ms`);
  }
});

test('of a row are those of all its columns, up to what a database takes', () => {
  const columns = [
    { name: 'a', isMarkup: false },
    { name: 'b', isMarkup: true },
  ];
  assert.equal(toRowWords(columns, { a: 'Old <i>', b: '<p>wool</p>old' }), ['old', 'i', 'wool']);
  assert.equal(toRowWords(columns, { a: null }), []);
  assert.equal(toRowWords(columns, { a: 12 }), ['12']);
  const many = Array.from({ length: 30_000 }, (_, index) => `w${index}`).join(' ');
  assert.is(toRowWords(columns, { a: many }).length, 20_000);
  const long = Array.from({ length: 9000 }, (_, index) => `${index}${'ж'.repeat(60)}`).join(' ');
  const kept = toRowWords(columns, { a: long });
  assert.ok(kept.join('').length <= 300_000);
  assert.ok(Buffer.byteLength(kept.join('')) < 1_000_000, 'a tsvector takes 1 MB');
});

test.run();
