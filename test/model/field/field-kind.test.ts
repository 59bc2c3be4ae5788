import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { createPasswords } from '../../../src/core/secret/password.ts';
import { columnType, fieldKinds, type PrepareTools } from '../../../src/model/field/field-kind.ts';
import { formats } from '../../../src/model/format/format.ts';
import { FIELD_TYPES, type Field, type FieldType } from '../../../src/model/shape.ts';

const test = suite('field kind');
const NOW = Date.UTC(2026, 0, 31, 9, 30);
const random = (bytes: number) => Buffer.alloc(bytes, 7);
const tools: PrepareTools = { now: NOW, random, passwords: createPasswords(random), address: '::1' };
const field = (type: FieldType, more: Partial<Field> = {}): Field => ({ name: 'x', type, ...more });
const coerce = (type: FieldType, value: unknown) => fieldKinds[type].coerce(value, NOW);
const isRight = (type: FieldType, value: unknown, more: Partial<Field> = {}) =>
  fieldKinds[type].shape(field(type, more)).safeParse(coerce(type, value)).success;

test('has a complete row for every type', () => {
  for (const type of FIELD_TYPES) {
    const kind = fieldKinds[type];
    assert.is(kind.type, type);
    assert.ok(kind.description.endsWith('.'), type);
    assert.ok(kind.expects(field(type)), type);
    assert.ok(formats[kind.defaultFormat], `${type} has a format`);
    assert.type(kind.prepare, 'function');
    assert.ok(kind.jsonSchema ?? z.toJSONSchema(kind.shape(field(type))), type);
    const once = coerce(type, 'some text');
    assert.equal(coerce(type, once), once, `${type} is coerced twice as once`);
    assert.is(columnType(field(type), 'sqlite') === undefined, type === 'none');
  }
});

test('columns of numbers follow their step', () => {
  assert.is(columnType(field('number'), 'sqlite'), 'integer');
  assert.is(columnType(field('number', { attributes: { step: '0.5' } }), 'sqlite'), 'real');
  assert.ok(isRight('number', '1.5', { attributes: { step: 'any' } }));
  assert.not(isRight('number', '1.5'));
  assert.not(isRight('number', 11, { attributes: { max: 10 } }));
  assert.is(
    fieldKinds.number.expects(field('number', { attributes: { min: 1, max: 10 } })),
    'must be a whole number from 1 to 10',
  );
});

test('every form of an empty value is null', () => {
  for (const type of ['text', 'email', 'number', 'date', 'datetime', 'tag', 'select', 'rawjson'] as const) {
    assert.is(coerce(type, ''), null, type);
    assert.is(coerce(type, undefined), null, type);
  }
});

test('dates are written as they are stored, in UTC', () => {
  const cases: [FieldType, unknown, unknown][] = [
    ['datetime', '2026-01-31T09:30', '2026-01-31 09:30:00'],
    ['datetime', '2026-01-31T09:30:05.123Z', '2026-01-31 09:30:05'],
    ['datetime', '2026-01-31 09:30:05+02:00', '2026-01-31 07:30:05'],
    ['datetime', '2026-01-31', '2026-01-31 00:00:00'],
    ['datetime', 'now()', '2026-01-31 09:30:00'],
    ['datetime', new Date(NOW), '2026-01-31 09:30:00'],
    ['date', '2026-01-31 09:30:00', '2026-01-31'],
    ['date', 'NOW()', '2026-01-31'],
    ['time', '09:30', '09:30:00'],
  ];
  for (const [type, value, stored] of cases) {
    assert.is(coerce(type, value), stored, String(value));
    assert.ok(isRight(type, value), String(value));
  }
  for (const value of ['2026-02-30', 'soon', '2026-13-01 00:00:00', 5])
    assert.not(isRight('datetime', value), String(value));
  assert.not(isRight('time', '25:00'));
  assert.ok(isRight('week', '2026-W05') && !isRight('week', '2026-W54') && isRight('month', '2026-01'));
});

test('yes and no are 1 and 0', () => {
  for (const value of [true, 1, '1', 'on', 'TRUE', 'yes']) assert.is(coerce('checkbox', value), 1);
  for (const value of [false, 0, '0', 'off', '', null]) assert.is(coerce('switch', value), 0);
  assert.not(isRight('checkbox', 'maybe'));
});

test('texts, addresses and options', () => {
  assert.is(coerce('text', 5), '5');
  assert.not(isRight('text', 'x'.repeat(256)) || isRight('text', { a: 1 }) || isRight('textarea', ['a']));
  assert.ok(isRight('email', ' Ann.O@mail.example.museum '));
  for (const value of ['ann', 'ann@localhost', 'a b@c.de', '<a@b.c>']) assert.not(isRight('email', value), value);
  assert.ok(isRight('url', 'https://example.org/a?b#c'));
  for (const value of ['javascript:alert(1)', '//x', 'http://', 'http://a b']) assert.not(isRight('url', value), value);
  assert.is(coerce('slug', ' Crème Brûlée! '), 'creme-brulee');
  const options = [{ key: 'a', value: 'A' }];
  assert.ok(isRight('select', 'a', { options }) && !isRight('select', 'b', { options }));
  assert.ok(isRight('checkboxes', 'a', { options }) && !isRight('multiselect', ['b'], { options }));
  assert.is(fieldKinds.select.expects(field('select', { options })), 'must be one of a');
});

test('lists and objects are stored as JSON', async () => {
  assert.is(await fieldKinds.tag.prepare('a, b,,c', tools), '["a","b","c"]');
  assert.is(await fieldKinds.tag.prepare(['a'], tools), '["a"]');
  assert.is(await fieldKinds.textlist.prepare('a, b\nc', tools), '["a, b","c"]');
  assert.is(await fieldKinds.latlng.prepare('48.123456789, 2', tools), '[48.12345679,2]');
  assert.is(await fieldKinds.rawjson.prepare({ a: 1 }, tools), '{"a":1}');
  assert.is(await fieldKinds.rawjson.prepare('{"a":1}', tools), '"{\\"a\\":1}"', 'a text is a text');
  assert.is(await fieldKinds.wysiwyglist.prepare(['<b>a</b><script>x</script>'], tools), '["<b>a</b>"]');
  assert.ok(isRight('meta', { a: 'b' }) && !isRight('meta', [1]));
  assert.ok(isRight('table', [['a', 1]]) && isRight('table', [{ a: 1 }], { columns: ['a'] }));
  assert.not(isRight('table', [{ b: 1 }], { columns: ['a'] }) || isRight('latlng', '95, 0'));
  assert.ok(isRight('fieldset', { a: 1 }) && isRight('fieldset', [{ a: 1 }], { multiple: true }));
  assert.is(await fieldKinds.price.prepare('9.999', tools), 10);
});

test('special values are made by Treadle', async () => {
  assert.match(String(await fieldKinds.uuid.prepare('mine', tools)), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab]/);
  assert.is(await fieldKinds.ipaddress.prepare(undefined, tools), '::1');
  assert.match(String(await fieldKinds.password.prepare('secret', tools)), /^\$scrypt\$ln=15/);
  assert.is(await fieldKinds.password.prepare('', tools), null);
});

test('HTML is cleaned by an allow-list', async () => {
  const clean = async (html: string) => (await fieldKinds.wysiwyg.prepare(html, tools)) ?? '';
  assert.is(await clean('<p style="x" onclick="x()" id="top">a</p>'), '<p>a</p>');
  assert.is(await clean('<script>alert(1)</script><style>p{}</style>b'), 'b');
  assert.is(
    await clean('<a href="java&#10;script:alert(1)" target="_blank">a</a>'),
    '<a target="_blank" rel="noopener">a</a>',
  );
  assert.is(await clean('<a href="/x" rel="opener" target="top">a</a>'), '<a href="/x" rel="noopener">a</a>');
  assert.is(await clean('<img src=x onerror=alert(1)>'), '<img src="x" />');
  for (const kept of [
    '<video src="/a.mp4" controls poster="/a.png" width="2"><source src="/a.webm" type="video/webm" /></video>',
    '<audio src="https://a.example/b.mp3" controls loop></audio>',
    '<picture><source srcset="a.webp 1x, b.webp 2x" media="(min-width: 9em)" /><img src="a.png" sizes="9vw" /></picture>',
    '<a href="/x" rel="nofollow ugc noopener">a</a>',
    '<ruby>a<rt>b</rt></ruby><bdi>c</bdi><dfn>d</dfn><data value="1">e</data>',
    '<ins datetime="2026-01-01">a</ins><q cite="https://a.example/">b</q>',
  ])
    assert.is(await clean(kept), kept);
  assert.is(
    await clean('<video src="javascript:x" poster="data:text/html,x" onplay="x()">a</video>'),
    '<video>a</video>',
  );
  assert.is(
    await clean('<a href="/x" rel="Author opener nofollow">a</a>'),
    '<a href="/x" rel="author nofollow noopener">a</a>',
  );
  assert.is(await clean('<img src="data:image/svg+xml;base64,AA">'), '');
  assert.is(await clean('<iframe src="https://evil.example/"></iframe>'), '');
  assert.match(
    String(await clean('<iframe src="https://www.youtube.com/embed/x" onload="x"></iframe>')),
    /^<iframe src="https:\/\/www.youtube.com/,
  );
  assert.is(await clean('<form action="/x"><input name="a"><svg onload="x()"></svg></form>'), '');
  assert.is(await clean('<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>'), '<table></table>');
});

test.run();
