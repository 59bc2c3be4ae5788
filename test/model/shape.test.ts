import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { parseDefinition } from '../../src/model/parse.ts';
import { Server } from '../../src/model/shape/settings.ts';
import { isCidr, isHttpUrl, isOrigin, isRedirectUri } from '../../src/model/shape/text.ts';
import { findShape, isArrayShape, isObjectShape, readDescription, unwrapShape } from '../../src/model/shape/walk.ts';
import { DEFINITION_KINDS, SHAPES, toFile } from '../../src/model/shape.ts';

const test = suite('model/shape');

const TABLES: readonly (readonly [string, (text: string) => boolean, readonly string[], readonly string[]])[] = [
  [
    'redirect URI',
    isRedirectUri,
    [
      'https://example.org',
      'https://example.org/callback?a=b',
      'http://127.0.0.1/x',
      'http://127.0.0.1:4000/x',
      'http://[::1]:1/',
      'http://localhost:3000/',
      'org.example.app:/back',
      'org.example.app://back',
    ],
    [
      '',
      '/back',
      'back',
      '//example.org/',
      'http://example.org/',
      'http://127.0.0.1.example.org/',
      'http://localhost.example.org/',
      'https://example.org/#',
      'https://example.org/#x',
      'https://me:pw@example.org/',
      'https:example.org',
      'https:/example.org',
      'https:///example.org',
      'https://example.org\\@evil.org/',
      'https://example.org/a b',
      'https://example.org/\n',
      'javascript:alert(1)',
      'data:text/html,x',
      'myapp:/back',
      'http:/127.0.0.1/',
    ],
  ],
  [
    'HTTP URL',
    isHttpUrl,
    ['http://a', 'https://example.org:8443/hook?x=1'],
    ['', 'ftp://a', 'https://u@a/', 'https://:p@a/', 'https://a/#f', 'a.org', ' https://a'],
  ],
  [
    'origin',
    isOrigin,
    ['*', 'https://example.org', 'http://localhost:3000'],
    ['', 'https://a/', 'https://a/x', 'null', 'ftp://a'],
  ],
  [
    'address block',
    isCidr,
    ['10.0.0.0/8', '127.0.0.1', '::1/128', 'fd00::/8', '0.0.0.0/0'],
    ['', '10.0.0.0/33', '10.0.0/8', '::1/129', '10.0.0.0/8/8', '10.0.0.0/', 'example.org', '10.0.0.0/-1'],
  ],
];

for (const [name, holds, good, bad] of TABLES) {
  test(`${name}: what passes`, () => {
    for (const text of good) assert.ok(holds(text), text);
  });
  test(`${name}: what does not`, () => {
    for (const text of bad) assert.not.ok(holds(text), text);
  });
}

/** Every key of a shape, recursively. */
function* listKeys(shape: z.core.$ZodType, path: string): Generator<[string, z.core.$ZodType]> {
  const inner = unwrapShape(shape);
  if (isArrayShape(inner)) yield* listKeys(inner.element, `${path}[]`);
  if (!isObjectShape(inner)) return;
  for (const [key, part] of Object.entries(inner.shape)) {
    yield [`${path}.${key}`, part];
    yield* listKeys(part, `${path}.${key}`);
  }
}

test('every key of every kind is described, in a sentence', () => {
  for (const [kind, shape] of Object.entries(SHAPES)) {
    for (const [path, part] of listKeys(shape, kind)) {
      assert.match(readDescription(part) ?? path, /^[A-Z`].*[.:]$/s, path);
    }
  }
});

test('definitions stay as they are written: nothing is filled in', () => {
  const text = '{"title":"T","access":"user","method":"get","path":"/x","event":"e"}';
  assert.equal(parseDefinition('rest', 'f', text).source?.value, JSON.parse(text));
});

const PATHS: readonly (readonly [string, boolean])[] = [
  ['/', true],
  ['/public/x/:id', true],
  ['/a/*/b/**', true],
  ['', false],
  ['public', false],
  ['//evil.org', false],
  ['/a?b', false],
  ['/a#b', false],
  ['/a b', false],
  ['/a\\b', false],
];

for (const [path, isGood] of PATHS) {
  test(`the path ${JSON.stringify(path)}`, () => {
    const text = JSON.stringify({ title: 'T', access: 'public', method: 'get', path, event: 'e' });
    assert.is(parseDefinition('rest', 'f', text).problems.length === 0, isGood);
  });
}

test('a value that may hold a secret is not repeated', () => {
  const url = 'mysql://root:hunter2@localhost/x';
  const { problems } = parseDefinition('settings', 'config/settings.json', JSON.stringify({ database: { url } }));
  assert.is(problems.length, 1);
  assert.not.match(JSON.stringify(problems), /hunter2/);
});

test('handlers are no attributes', () => {
  const toText = (attributes: object): string =>
    JSON.stringify({ name: 'a', singular: 'A', plural: 'As', fields: [{ name: 'x', type: 'text', attributes }] });
  assert.is(
    parseDefinition('schema', 'f', toText({ placeholder: 'x', 'data-x': 1, min: 0, hidden: true })).problems.length,
    0,
  );
  for (const name of ['onclick', 'ONLOAD', 'a b', '"', '1a']) {
    assert.is(parseDefinition('schema', 'f', toText({ [name]: 'x' })).problems.length, 1, name);
  }
});

test('a way through a shape', () => {
  assert.is(
    readDescription(findShape(SHAPES.schema, ['fields', 3, 'list', 'format']) ?? z.unknown()),
    'How the value is shown, such as `none`, `hide`, `length`, `relative`, `markdown`.',
  );
  assert.is(findShape(SHAPES.schema, ['nowhere']), undefined);
  assert.is(findShape(SHAPES.schema, ['name', 'deep']), undefined);
  assert.is(findShape(SHAPES.schema, ['toString']), undefined);
  assert.is(readDescription(z.string()), undefined);
});

test('where files lie', () => {
  assert.is(toFile('settings', 'x'), 'config/settings.json');
  assert.is(toFile('webhook', 'made'), 'config/webhook/made.json');
  assert.is(DEFINITION_KINDS.length + 1, Object.keys(SHAPES).length);
});

test('rules in words', () => {
  const toMessages = (value: unknown): string[] =>
    parseDefinition('settings', 'f', JSON.stringify(value)).problems.map(({ message }) => message);
  assert.equal(toMessages({ api: null }), ['"api" must be true or false, not null.']);
  assert.equal(toMessages({ server: { bodyBytes: 1.5 } }), ['"bodyBytes" must be a whole number.']);
  assert.equal(toMessages({ oauth: { codeSeconds: 601 } }), ['"codeSeconds" must be at most 600.']);
  assert.equal(toMessages({ name: 'x'.repeat(256) }), ['"name" must have at most 255 characters.']);
  assert.equal(toMessages({ server: { cors: ['x'] } }), [
    '"cors[0]" must be "*" or an origin such as "https://example.org".',
  ]);
  assert.equal(toMessages([]), ['The file must be an object, not a list.']);
  assert.equal(toMessages({ oauth: 'strict' }), ['"oauth" must be an object, not a text.']);
});

test('a base URL is the root of a host, or a path below it', () => {
  const accepts = (baseUrl: string): boolean => Server.safeParse({ baseUrl }).success;
  const hosts = ['https://example.org', 'http://127.0.0.1:3000', 'https://[::1]:8443'];
  for (const url of [...hosts, ...hosts.flatMap((host) => [`${host}/blog`, `${host}/a/B-1.x_y~`])])
    assert.ok(accepts(url), url);
  const bad = [
    'https://example.org/',
    'https://example.org/blog/',
    'https://example.org//blog',
    'https://example.org/a/../b',
    'https://example.org/./b',
    'https://example.org/%62log',
    'https://example.org/blog;x',
    'https://example.org/blög',
    'https://example.org/blog?a',
    'https://example.org/blog#a',
    'https://example.org\\blog',
    'https://ann:secret@example.org/blog',
    'https://example.org?a',
    'example.org',
    'ftp://a.org',
  ];
  for (const url of bad) assert.not(accepts(url), url);
});

test.run();
