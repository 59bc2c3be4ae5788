import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findFormatError } from '../../../src/model/field/field-rules.ts';
import { formats, toDateText, toFormatted, toRelative } from '../../../src/model/format/format.ts';
import { formatNumber } from '../../../src/model/format/format-intl.ts';
import type { Format } from '../../../src/model/shape.ts';
import { cpu } from '../../core/_cpu.ts';

const test = suite('format');
const NOW = Date.UTC(2026, 0, 31, 12);

test('relative times as people say them', () => {
  const cases: [string, string][] = [
    ['2026-01-31 11:59:56', 'Now'],
    ['2026-01-31 11:59:50', '10 seconds ago'],
    ['2026-01-31 11:59:00', '1 minute ago'],
    ['2026-01-31 14:00:00', '2 hours from now'],
    ['2026-01-30 10:00:00', 'Yesterday'],
    ['2026-02-01 12:00:00', 'Tomorrow'],
    ['2026-01-28 12:00:00', '3 days ago'],
    ['2026-01-17 12:00:00', '2 weeks ago'],
    ['2025-11-20 12:00:00', '2 months ago'],
    ['2011-03-18 03:17:12', '14 years ago'],
  ];
  for (const [stamp, words] of cases) assert.is(toRelative(stamp, NOW), words, stamp);
  for (const nothing of [null, undefined, '', 'soon', {}]) assert.is(toRelative(nothing, NOW), '');
});

test('whole numbers in English are those of Intl', () => {
  const intl = new Intl.NumberFormat('en-US');
  for (const digits of [0, 1, 12, 999, 1000, 12_345, 999_999, 1_000_000, 1e12, Number.MAX_SAFE_INTEGER, 2 ** 60, 1.5])
    for (const value of [digits, -digits]) assert.is(formatNumber('en', value), intl.format(value), String(value));
  assert.is(formatNumber('de', 12_345), '12.345');
});

test('dates by a pattern', () => {
  assert.is(toDateText('2026-01-31 15:04:05'), 'January 31, 2026');
  assert.is(toDateText('2026-01-31 15:04:05', 'D j M y, g:i a \\U\\T\\C'), 'Sat 31 Jan 26, 3:04 pm UTC');
  assert.is(toDateText('2026-01-31', 'Y-m-d H:i:s'), '2026-01-31 00:00:00');
});

test('dates in a usual form of the language, and in a time zone', () => {
  const stamp = '2026-07-31 22:04:05';
  const cases: readonly (readonly [form: string, zone: string | undefined, expected: string])[] = [
    ['long', undefined, 'July 31, 2026'],
    ['time', undefined, '10:04 PM'],
    ['datetime', undefined, 'Jul 31, 2026, 10:04 PM'],
    ['datetime-short', undefined, '7/31/26, 10:04 PM'],
    ['datetime-long', 'UTC', 'July 31, 2026 at 10:04 PM'],
    ['datetime-long', 'Europe/Berlin', 'August 1, 2026 at 12:04 AM'],
    ['datetime-full', 'America/New_York', 'Friday, July 31, 2026 at 6:04 PM'],
    ['Y-m-d H:i:s', 'Asia/Kathmandu', '2026-08-01 03:49:05'],
    ['Y-m-d H:i', 'Mars/Olympus', '2026-07-31 22:04'],
  ];
  for (const [form, zone, expected] of cases)
    assert.is(toDateText(stamp, form, zone).replaceAll('\u202f', ' '), expected, `${form} ${zone}`);
  assert.is(toDateText('2026-01-31 22:04:05', 'H:i', 'Europe/Berlin'), '23:04', 'without summer time');
  assert.is(toDateText('2026-01-31', 'Y-m-d', 'America/New_York'), '2026-01-31', 'a day is the same everywhere');
  assert.is(toFormatted('date', stamp, ['H:i', 'Europe/Berlin']), '00:04');
});

test('a definition names a time zone and a currency that exist', () => {
  const fault = (format: string, parameters: string[]) => findFormatError({ format, parameters } as Format);
  assert.is(fault('date', ['datetime', 'Europe/Berlin']), undefined);
  assert.is(fault('price', ['CHF']), undefined);
  assert.match(
    fault('date', ['datetime', 'Berlin']) ?? '',
    'takes a time zone of the IANA database such as Europe/Berlin, not "Berlin"',
  );
  assert.match(fault('price', ['EURO']) ?? '', 'takes a currency of ISO 4217 such as EUR, not "EURO"');
});

/** What formats show of no value, where that is not nothing. */
const NOTHING: Readonly<Record<string, string>> = { yes: 'No', stars: '☆☆☆☆☆', formula: '1', custom: '1' };

test('every format gives text for every value: nothing for none, and no object as such', () => {
  for (const name of Object.keys(formats)) {
    const show = (value: unknown): unknown => toFormatted(name, value, ['1'], { now: NOW });
    for (const value of [null, undefined]) assert.is(show(value), NOTHING[name] ?? '', `${name} ${value}`);
    for (const value of ['', 'a', 5, ['a'], { a: 1 }, '["x"]']) {
      const text = show(value);
      assert.type(text, 'string', name);
      assert.not.match(String(text), /undefined|null|NaN|\[object/, `${name} ${JSON.stringify(value)}`);
    }
  }
});

test('formats that give HTML give safe HTML', () => {
  const attack = '"><script>alert(1)</script>';
  for (const [name, { isHtml }] of Object.entries(formats)) {
    if (!isHtml) continue;
    for (const value of [attack, [attack], { [attack]: attack }, [[attack]]]) {
      assert.not.match(toFormatted(name, value, [], { now: NOW }), '<script', name);
    }
  }
  assert.match(toFormatted('link', 'javascript:alert(1)'), 'href="#"');
  assert.match(toFormatted('markdown', '[a](javascript:alert(1))'), /^<p>(?!.*href="javascript)/);
  assert.match(toFormatted('image', 'java\nscript:x'), 'src="#"');
  assert.not.match(toFormatted('strip', attack, ['script']), '<script');
});

test('Markdown of any kind takes no longer than its length', () => {
  for (const part of [
    '#',
    '# a\n',
    '*a',
    '[a](',
    '`',
    '- \n',
    '![a](',
    '>a\n',
    '~~a',
    '```\n',
    '1. a\n\n',
    '---\n',
    '>',
    '- ',
    '[',
    '<a ',
  ]) {
    const begun = cpu();
    toFormatted('markdown', part.repeat(200_000 / part.length));
    assert.ok(cpu() - begun < 5000, `${part} took ${cpu() - begun} ms`);
  }
});

test('Markdown of more brackets and marks than pages have is shown as it is written, others as usual', () => {
  const show = (text: string): string => toFormatted('markdown', text);
  const isFormatted = (text: string): boolean => show(`**bold** [a](/b)\n${text}`).includes('<strong>bold</strong>');
  for (const [name, part, most] of [
    ['brackets of pictures', '![', 1999],
    ['brackets of links', '[', 1999],
    ['stars', '*a', 19_990],
    ['headings', '# a\n', 9990],
    ['quotes', 'a\n>', 9990],
    ['cells', '|a', 19_990],
    ['lines', 'a\n', 19_990],
  ] as const) {
    assert.ok(isFormatted(part.repeat(most)), `${name} as many as may be`);
    assert.not.ok(isFormatted(part.repeat(most + 20)), `${name} more than may be`);
  }
  const written = show(`<b>\n${'!['.repeat(2001)}`);
  assert.is(written, `<p>&lt;b&gt;<br>\n${'!['.repeat(2001)}</p>`);
  // Deep quotes: the time grew with levels times lines, 3 s of it.
  const deep = `${'>'.repeat(500)}${'a\n>'.repeat(9000)}`;
  const begun = cpu();
  assert.ok((show(deep).match(/<blockquote>/g)?.length ?? 0) <= 20);
  assert.ok(cpu() - begun < 2000, `${cpu() - begun} ms`);
});

test('the common ones', () => {
  const row = { product_price: 10, product_name: 'Tea' };
  const cases: [string, unknown, (string | number)[], string][] = [
    ['none', 'a', [], 'a'],
    ['hide', 'a', [], ''],
    ['upper', 'a', [], 'A'],
    ['capital', 'ann lee', [], 'Ann Lee'],
    ['length', '<p>Hello &amp; world</p>', [5], 'Hello…'],
    ['words', 'a b c', [2], 'a b…'],
    ['number', '1234.5', [], '1,234.5'],
    ['price', 1234, [], '1,234.00'],
    ['price', '1234.5', ['EUR'], '€1,234.50'],
    ['price', 1234.5, ['JPY'], '¥1,235'],
    ['price', 1234, ['eur'], '1,234.00'],
    ['price', 'free', ['EUR'], 'free'],
    ['yes', 0, [], 'No'],
    ['stars', 3.4, [], '★★★☆☆'],
    ['strip', '<b>a</b>', [], 'a'],
    ['markdown', '# Hi\n\n**a** <b>', [], '<h1>Hi</h1>\n<p><strong>a</strong> &lt;b&gt;</p>'],
    ['link', 'x', ['/p/{{product_name}}', 'See {{product_name}}'], '<a href="/p/Tea" rel="noopener">See Tea</a>'],
    ['email', 'a@b.c', [], '<a href="mailto:a@b.c" rel="noopener">a@b.c</a>'],
    ['comma', '["a","b"]', [], 'a, b'],
    ['ul', ['a'], [], '<ul><li>a</li></ul>'],
    ['meta', { a: 1 }, [], '<dl><dt>a</dt><dd>1</dd></dl>'],
    ['table', [['a', 1]], [], '<table><tbody><tr><td>a</td><td>1</td></tr></tbody></table>'],
    [
      'table',
      [{ size: 'S', unit_price: 1 }, { size: 'M' }],
      [],
      '<table><thead><tr><th>Size</th><th>Unit price</th></tr></thead><tbody><tr><td>S</td><td>1</td></tr><tr><td>M</td><td></td></tr></tbody></table>',
    ],
    [
      'meta',
      { a: { b: 1 }, c: ['x', 'y'] },
      [],
      '<dl><dt>a</dt><dd><dl><dt>b</dt><dd>1</dd></dl></dd><dt>c</dt><dd>x, y</dd></dl>',
    ],
    ['strip', '<p>a <b>b</b> <i>c</i></p>', ['b,script'], 'a <b>b</b> c'],
    [
      'markdown',
      '- a\n- b\n\n```\n<x>\n```',
      [],
      '<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<pre><code>&lt;x&gt;\n</code></pre>',
    ],
    [
      'markdown',
      '[a](/b) ![c](d.png)',
      [],
      '<p><a href="/b" rel="noopener">a</a> <img src="d.png" alt="c" loading="lazy"></p>',
    ],
    ['markdown', '> q\n\n1. a\n\n---', [], '<blockquote>\n<p>q</p>\n</blockquote>\n<ol>\n<li>a</li>\n</ol>\n<hr>'],
    ['jsonpretty', '{"a":1}', [], '{\n  "a": 1\n}'],
    ['formula', null, ['{{product_price}} * (1 + 2) / 4'], '7.5'],
    ['formula', null, ['process.exit(1)'], ''],
    ['formula', null, ['1 / 0'], ''],
    ['custom', null, ['{{product_name}}!'], 'Tea!'],
    ['unknown', 'a', [], 'a'],
  ];
  for (const [format, value, parameters, shown] of cases) {
    assert.is(toFormatted(format, value, parameters, { row, now: NOW }), shown, format);
  }
});

test.run();
