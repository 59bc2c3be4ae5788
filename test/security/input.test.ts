// Also on PostgreSQL: each column type refuses other values.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTerminal, toTable } from '../../src/cli/terminal.ts';
import { systemRandom } from '../../src/core/clock.ts';
import { createLog } from '../../src/core/log/log.ts';
import { systemPasswords } from '../../src/core/secret/password.ts';
import { parsePairs } from '../../src/core/text/pairs.ts';
import { toLoggedPath } from '../../src/http/access-log.ts';
import { parseJson } from '../../src/http/body/json.ts';
import { fieldKinds } from '../../src/model/field/field-kind.ts';
import { sanitizeHtml } from '../../src/model/field/field-kind-sanitize.ts';
import { findPatternError } from '../../src/model/field/text-pattern.ts';
import { isEmail, isUrl } from '../../src/model/field/validate-test.ts';
import { formats, toFormatted } from '../../src/model/format/format.ts';
import { parseJsonText } from '../../src/model/json/json-value.ts';
import { createHelpers } from '../../src/pages/template-helper.ts';
import { ask } from '../client.ts';
import { cpu } from '../core/_cpu.ts';
import { startWorld, type World } from './_world.ts';

/** Input designed to be slow, to break its reader, or to be executed. */
const test = suite('security: input');

let world: World;

test.before(async () => {
  world = await startWorld();
});

test.after(() => world.close());

const HOSTILE: readonly string[] = [
  ...[
    '<script>alert(1)</script>',
    '<scr<script>ipt>alert(1)</scr</script>ipt>',
    '<img src=x onerror=alert(1)>',
    '<img/src=x/onerror=alert(1)>',
  ],
  ...[
    '<svg/onload=alert(1)>',
    '<svg><style><img src=x onerror=alert(1)></style></svg>',
    '<svg><desc><template><script>x</script>',
  ],
  ...['<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">'],
  ...[
    '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  ],
  ...[
    '<style><img src="</style><img src=x onerror=alert(1)//">',
    '<title><img src=x onerror=alert(1)></title>',
    '<xmp><img src=x onerror=alert(1)>',
  ],
  ...[
    '<a href="javascript:alert(1)">x</a>',
    '<a href="jAvA&#x0A;scRipt:alert(1)">x</a>',
    '<a href=" &#1;javascript:alert(1)">x</a>',
  ],
  ...[
    '<a href="javascript&colon;alert(1)">x</a>',
    '<a href="data:text/html,x">x</a>',
    '<a href="vbscript:x">x</a>',
    '<a href="blob:x">x</a>',
  ],
  ...[
    '<p id=x class=y style="position:fixed" onclick=x>x</p>',
    '<div style="background:url(javascript:x)">x</div>',
    '<body onload=x>',
  ],
  ...[
    '<iframe src="javascript:alert(1)"></iframe>',
    '<iframe srcdoc="<script>x</script>"></iframe>',
    '<iframe src="https://www.youtube.com@evil.example/">',
  ],
  ...[
    '<iframe src="https://www.youtube.com.evil.example/">',
    '<iframe src="//www.youtube.com/x" srcdoc=x onload=x></iframe>',
  ],
  ...[
    '<object data=x></object><embed src=x>',
    '<base href=//evil><meta http-equiv=refresh content=0><link rel=stylesheet href=x>',
  ],
  ...[
    '<img src="data:image/svg+xml,x">',
    '<img src=" data:image/svg+xml,x">',
    '<img src="data:text/html,x">',
    '<img srcset="javascript:x 1x">',
  ],
  ...[
    '<img srcset="data:image/svg+xml,x 1x">',
    '<form action=//evil><input name=x><button formaction=x>x</button></form>',
  ],
  ...[
    '<!--><img src=x onerror=alert(1)>-->',
    '<![CDATA[<img src=x onerror=alert(1)>]]>',
    '<details open ontoggle=x>x</details>',
    '<video src=x onerror=x>',
    '<video poster="javascript:x"><source src="data:text/html,x" onerror=x></video>',
    '<audio src="vbscript:x" autoplay onplay=x></audio>',
    '<picture><source srcset="javascript:x 1x"><img src=x></picture>',
  ],
  ...[
    '<img """><script>alert(1)</script>">',
    '<a href="x"onclick="x">',
    '<textarea></textarea><img src=x onerror=alert(1)>',
    '<plaintext><img src=x onerror=x>',
  ],
];

test('HTML is cleaned to what cannot run, and cleaning it again changes nothing that runs', () => {
  const tag = /<(?:script|style|svg|math|form|input|button|object|embed|base|meta|link|template|noscript|xmp)/i;
  const attribute = /<[^>]*\s(?:on\w+|style|srcdoc|formaction|id|class)\s*=/i;
  const address =
    /(?:href|src|srcset|poster)="\s*(?:javascript|vbscript|blob|filesystem|data:(?!image\/(?:png|jpe?g|gif|webp|avif);))/i;
  const isRunning = (html: string): boolean =>
    tag.test(html) || attribute.test(html.replace(/"[^"]*"/g, '""')) || address.test(html);
  for (const html of HOSTILE) {
    const clean = sanitizeHtml(html);
    assert.not.ok(isRunning(clean), html);
    assert.not.ok(isRunning(sanitizeHtml(clean)), html);
  }
});

test('formats put no address that runs into a page', () => {
  const html = Object.keys(formats).filter((name) => formats[name]?.isHtml);
  for (const name of html) {
    for (const value of [
      'javascript:alert(1)',
      'java\nscript:x',
      '\u0001javascript:x',
      '"><img src=x onerror=x>',
      '[x](javascript:x)',
      '[x](java&#10;script:x)',
      '[x]("onmouseover=x)',
    ]) {
      assert.not.match(
        toFormatted(name, value),
        /(?:href|src)="\s*javascript:|<[^>"]*\son\w+=|<img src=x/i,
        `${name} ${value}`,
      );
    }
  }
});

/** Maximum milliseconds of a task on a slow machine; a quadratic one takes minutes. */
const SOON = 2000;

function isSoon(name: string, task: () => unknown): void {
  const start = cpu();
  task();
  const took = cpu() - start;
  assert.ok(took < SOON, `${name} took ${Math.round(took)} ms`);
}

test('no pattern of our own is slow on a text made for it', () => {
  const units = [
    '<',
    '<a ',
    '<script',
    '[',
    '[a](',
    '*',
    '**a',
    '`',
    '\n',
    '\n\n ',
    ' ',
    '&',
    'a ',
    '{{a',
    '"',
    '1,',
    '.',
    '\u0300',
  ];
  const helpers = createHelpers({ now: () => 0, after: () => () => {} }) as Record<
    string,
    (...given: unknown[]) => unknown
  >;
  for (const unit of units) {
    const text = unit.repeat(120_000 / unit.length);
    for (const name of Object.keys(formats))
      if (name !== 'html') isSoon(`${name} ${unit}`, () => toFormatted(name, text));
    for (const name of ['strip', 'excerpt', 'capital', 'words', 'relative', 'date', 'price', 'split'])
      isSoon(`helper ${name} ${unit}`, () => helpers[name]?.(text, { hash: {} }));
    for (const [type, kind] of Object.entries(fieldKinds)) {
      if (kind.isSecret || type.startsWith('wysiwyg')) continue;
      isSoon(`${type} ${unit}`, () => kind.shape({ name: 'x', type: kind.type }).safeParse(kind.coerce(text, 0)));
    }
    isSoon(`e-mail ${unit}`, () => [isEmail(`a@${text}`), isEmail(text), isUrl(`http://${text}`)]);
    isSoon(`pairs ${unit}`, () => {
      try {
        parsePairs(text);
      } catch {}
    });
    isSoon(`json ${unit}`, () => {
      try {
        parseJson(text);
      } catch {}
    });
  }
});

test("a definition's pattern that takes for ever is a problem", () => {
  for (const pattern of [
    '(a+)+$',
    '(a|a)*$',
    '(\\w+\\s?)*$',
    '(x+x+)+y',
    '(a*)*',
    '(a{1,5}){5,}b',
    '(\\d{1,3}\\.?)+$',
    '(a?b?)+c',
    '((a+))+b',
    '(a)\\1',
  ])
    assert.ok(findPatternError(pattern), pattern);
  for (const pattern of [
    '^[a-z]+$',
    '^\\d{3}-\\d{4}$',
    '(?:ab)?c',
    '^(\\+?\\d)+$',
    '(?:x{2})+',
    '^#?[0-9a-f]{6}$',
    '^(?:[A-Z]{2})?\\d+$',
  ])
    assert.is(findPatternError(pattern), undefined, pattern);
});

test('no object that a request makes has names that reach a prototype or keep it from being printed', () => {
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'toHTML'];
  for (const name of names) {
    const query = `a[${name}]=1&${name}=1&a[b][${name}][c]=1&${name}[x]=1`;
    for (const one of query.split('&')) assert.throws(() => parsePairs(one), /cannot name/, one);
    for (const text of [`{"${name}":{"x":1}}`, `{"a":[{"${name}":1}]}`, `{"b":{"c":{"${name}":1}}}`])
      assert.throws(() => parseJson(text), /cannot name/, text);
  }
  // As the text of a form's input: a JSON document with such a name is refused before.
  const typed = parseJsonText('{"toString":1,"a":{"__proto__":2,"b":3}}');
  const stored = fieldKinds.rawjson.prepare(typed, { now: 0, random: systemRandom, passwords: systemPasswords });
  assert.is(stored, '{"a":{"b":3}}');
  assert.is(({} as { x?: unknown }).x, undefined);
});

test('objects where texts belong are refused, never a fault of this side', async () => {
  const { ann, url } = world;
  for (const path of [
    ...[
      '/articles?q[toString]=1',
      '/articles?page[toString]=1',
      '/article/1?filter[article_active][toString]=1',
      '/article/1?fields[toString]=1',
    ],
    ...['total', 'q', 'limit', 'sort', 'order', 'fields', 'expand', 'after', 'null', 'filter'].flatMap((name) => [
      `/rest/public/article/search?${name}[toString]=1`,
      `/rest/public/article/search?${name}[x][toString]=1`,
      `/rest/public/article/search?${name}[0][toHTML]=1`,
    ]),
  ]) {
    const { status } = await ask(url + path);
    assert.is(status, 400, path);
  }
  for (const name of ['toString', 'toHTML', '__proto__']) {
    assert.is((await ann.post('/article/1', { [`comment_detail[${name}]`]: 'x' })).status, 400, name);
    assert.is((await ann.post('/auth/login', { [`auth_slug[${name}]`]: 'x', 'auth_password[x]': 'y' })).status, 400);
    assert.is((await ann.post('/developer/app/create', { [`title[${name}]`]: 'x' })).status, 400);
  }
});

test('an empty list and blanks are nothing to a list only', async () => {
  const create = (body: Record<string, unknown>) =>
    world.site.app.emit('system-model-create', { schema: 'thing', thing_name: 'x', profile_id: 1, ...body });
  for (const field of ['note', 'count', 'mail', 'link', 'day', 'flag', 'code']) {
    const answer = await create({ [`thing_${field}`]: [] });
    assert.is(answer.getStatus(), 422, field);
  }
  assert.is((await create({ thing_tags: [] })).isError(), false);
  assert.is((await create({ thing_name: ' '.repeat(300) })).getStatus(), 422);
  assert.is((await create({ thing_code: 'x', thing_day: ' ' })).getStatus(), 422);
});

test('a body of unknown names costs no more than a look', async () => {
  const names = Object.fromEntries(Array.from({ length: 12_000 }, (_, index) => [`${'n'.repeat(56)}${index}`, 1]));
  const headers = { 'content-type': 'application/json' };
  for (const [path, body] of [
    ['/rest/public/thing/create', names],
    ['/rest/public/thing/create', { filter: names }],
  ] as const) {
    const start = cpu();
    const answer = await ask(world.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    assert.is(answer.status, 400);
    assert.ok(answer.text.length < 20_000);
    assert.ok(cpu() - start < SOON);
  }
  for (const stage of [
    { filter: names },
    { fields: Object.keys(names) },
    { expand: Object.keys(names) },
    { filter: { thing_name: names } },
  ]) {
    const start = cpu();
    const answer = await world.site.app.emit('system-model-search', { schema: 'thing', ...stage });
    assert.is(answer.getStatus(), 400);
    assert.ok(Object.keys(answer.getValidation() as object).length <= 20);
    assert.ok(cpu() - start < SOON);
  }
});

test('a terminal and a log are told no escapes by what was sent', () => {
  const written: string[] = [];
  const out = { isTTY: true, write: (text: string) => written.push(text) };
  const stdin = { async *[Symbol.asyncIterator]() {} };
  const make = (isJson: boolean) => createTerminal({ stdout: out, stderr: out, stdin: () => stdin, env: {}, isJson });
  const hostile = 'a\u001b]0;title\u0007\u001b[2Jb\u009b31mc\u0000\u007f';
  make(false).print(make(false).bold(hostile));
  make(false).say(hostile);
  make(true).document({ name: hostile });
  for (const line of toTable([[`x\r\ny\tz`]])) assert.is(line, 'x y z');
  createLog({ clock: { now: () => 0, after: () => () => {} }, form: 'text', write: (line) => written.push(line) }).info(
    hostile,
    { path: hostile },
  );
  const text = written.join('\n');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  assert.not.match(text, /\u001b(?!\[(?:1|22)m)|[\u0000-\u0008\u007f-\u009f]/);
  assert.match(text, '\u001b[1m');
});

test('a logged path has no secret in any part', () => {
  const token = 'tk_at_3XDEQzGakdL69MAXwjT_kXpOnaGI-E5tYgt1uFFM480';
  for (const [path, query] of [
    [`/x/${token}`, ''],
    ['/auth/login', `redirect_uri=%2Fa%3Fcode%3D${token}`],
    ['/x', `acc%65ss_token=${token}&a[client_secret]=${token}`],
    ['/x', `client%5Fsecret=plain-old-secret`],
  ] as const) {
    assert.not.match(toLoggedPath(path, query), /tk_at_3X|plain-old/);
  }
});

test.run();
