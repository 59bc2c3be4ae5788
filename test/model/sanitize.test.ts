import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createHeaders } from '../../src/http/respond/header.ts';
import { ValueRefused } from '../../src/model/field/field-kind-row.ts';
import { FRAME_HOSTS, MOST_LEVELS, sanitizeHtml } from '../../src/model/field/field-kind-sanitize.ts';
import { toFormatted } from '../../src/model/format/format.ts';
import { cpu } from '../core/_cpu.ts';

/** What the headers of an answer depend on. */
const EXCHANGE = {
  id: '1',
  isSecure: false,
  path: '/',
  context: { plan: { model: { settings: { server: { contentSecurityPolicy: {} } } } } },
} as unknown as Parameters<typeof createHeaders>[0];

const test = suite('model: sanitize');

const nest = (levels: number, tag = 'b'): string => `${`<${tag}>`.repeat(levels)}a${`</${tag}>`.repeat(levels)}`;

test('tags may be nested so deep and no deeper, also those that are left out and those that nobody closes', () => {
  assert.is(sanitizeHtml(nest(MOST_LEVELS)), nest(MOST_LEVELS));
  assert.is(sanitizeHtml('<p>a'.repeat(1000)), '<p>a</p>'.repeat(1000));
  assert.is(sanitizeHtml('<br>'.repeat(1000)), '<br />'.repeat(1000));
  for (const html of [
    nest(MOST_LEVELS + 1),
    nest(MOST_LEVELS + 1, 'x'),
    '<div>'.repeat(300),
    `<script>${'<i>'.repeat(3)}</script>${nest(257)}`,
  ])
    assert.throws(
      () => sanitizeHtml(html),
      (error: unknown) => error instanceof ValueRefused && /256 levels/.test(error.message),
    );
});

test('a format shows of what is nested deeper the text alone', () => {
  assert.is(toFormatted('html', `${'<b>'.repeat(300)}a &amp; b`), 'a &amp; b');
});

test('no text of the greatest length takes more than some tenths of a second', () => {
  const fill = (unit: string) => unit.repeat(199_000 / unit.length);
  const hostile = [
    '<b>'.repeat(33_000) + '</i>'.repeat(25_000),
    '<b>'.repeat(255) + fill('</i>'),
    '<b>'.repeat(255) + fill('a<i></i>'),
    fill('<b></i>'),
    fill('<iframe><b>'),
    fill('<x></y>'),
    '<svg>'.repeat(20_000) + '</math>'.repeat(14_000),
    `<img srcset="a${','.repeat(190_000)}b, 1x">`,
    `<img srcset="a ${fill('1')}x">`,
    `<img srcset="${fill('a,b 1x, ')}">`,
    `<img srcset="a${fill(' ')}b">`,
    `<a href="${fill('<!---->')}">`,
    fill('<'),
    fill('&lt'),
  ];
  for (const html of hostile) {
    const begun = cpu();
    try {
      sanitizeHtml(html);
    } catch (error) {
      assert.instance(error, ValueRefused);
    }
    assert.ok(cpu() - begun < 1500, `${cpu() - begun} ms: ${html.slice(0, 40)}`);
  }
});

test('pictures of several sizes are kept as they are; a list of them that is broken goes', () => {
  for (const srcset of [
    'a.png',
    'a.png 1x, b.png 2.5x',
    'a,b.png 100w,c.png 200w 50h',
    ' a.png 1x , /w_4,h_3/c.png, ',
  ]) {
    const clean = sanitizeHtml(`<img src="q" srcset="${srcset}" alt="z">`);
    assert.match(clean, /^<img src="q" srcset="[^"]*" alt="z" \/>$/, srcset);
  }
  const said: unknown[] = [];
  const { log } = console;
  console.log = (...words: unknown[]) => void said.push(words);
  try {
    for (const srcset of [
      'a 1q',
      'a (x',
      'a 0w',
      'a 1w 2x',
      'a 1x 2x',
      'a -1x',
      `a${','.repeat(20)}b 1x`,
      'a 1234567w',
    ])
      assert.is(sanitizeHtml(`<img src="q" srcset="${srcset}" alt="z">`), '<img src="q" alt="z" />', srcset);
  } finally {
    console.log = log;
  }
  assert.equal(said, []);
});

test('a frame that is kept is one that the policy of a page lets in', () => {
  const policy = String(createHeaders(EXCHANGE, true)['content-security-policy']);
  const sources = /frame-src ([^;]*)/.exec(policy)?.[1]?.split(' ') ?? [];
  assert.equal(sources, ["'self'", ...FRAME_HOSTS]);
  for (const host of FRAME_HOSTS)
    for (const scheme of ['https:', 'http:', ''])
      assert.match(sanitizeHtml(`<iframe src="${scheme}//${host}/embed/x"></iframe>`), `//${host}/embed/x`);
  for (const host of ['evil.example', `${FRAME_HOSTS[0]}.evil.example`])
    assert.is(sanitizeHtml(`<iframe src="https://${host}/x"></iframe>`), '');
  assert.not.match(String(createHeaders(EXCHANGE, false)['content-security-policy']), 'frame-src');
});

test.run();
