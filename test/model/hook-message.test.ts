import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type HookEvent, toHeaderValue, toHookMessage, toMediaType } from '../../src/model/hook-message.ts';
import { HOOK_FORMATS } from '../../src/model/shape.ts';

const message = suite('model/hook-message');

const EVENT: Omit<HookEvent, 'format'> = {
  id: 'msg_2b7c1f0e9d',
  sequence: 1042,
  source: 'https://blog.example/b%20c',
  type: 'profile.created',
  at: 1_768_469_400,
  // Spaces and key order that no parser would keep: the bytes must be the stored ones.
  data: '{"b": 1.0,"a":"Zo\u00eb \ud83d\ude00"}',
};

message('standard is the body of Standard Webhooks', () => {
  assert.equal(toHookMessage({ ...EVENT, format: 'standard' }), {
    headers: { 'content-type': 'application/json' },
    body: `{"type":"profile.created","timestamp":"2026-01-15T09:30:00.000Z","data":${EVENT.data}}`,
  });
});

message('structured is the JSON event format of CloudEvents, with every attribute that must be', () => {
  const { headers, body } = toHookMessage({ ...EVENT, format: 'cloudevents-structured' });
  assert.equal(headers, { 'content-type': 'application/cloudevents+json; charset=utf-8' });
  assert.equal(JSON.parse(body), {
    specversion: '1.0',
    id: EVENT.id,
    source: EVENT.source,
    type: EVENT.type,
    time: '2026-01-15T09:30:00.000Z',
    sequence: '0000000000001042',
    datacontenttype: 'application/json',
    data: JSON.parse(EVENT.data),
  });
  assert.ok(body.endsWith(`,"data":${EVENT.data}}`), 'the data as they were stored');
  // Names of attributes are lower-case letters and digits, 20 at most. @see CloudEvents 1.0.2, "Naming conventions"
  for (const name of Object.keys(JSON.parse(body))) assert.match(name, /^[a-z0-9]{1,20}$/);
});

message('binary has the attributes in headers, and the data alone as its body', () => {
  const { headers, body } = toHookMessage({ ...EVENT, format: 'cloudevents-binary' });
  assert.is(body, EVENT.data);
  assert.equal(headers, {
    'content-type': 'application/json',
    'ce-specversion': '1.0',
    'ce-id': EVENT.id,
    'ce-source': 'https://blog.example/b%2520c',
    'ce-type': EVENT.type,
    'ce-time': '2026-01-15T09:30:00.000Z',
    'ce-sequence': '0000000000001042',
  });
  assert.not.ok('ce-datacontenttype' in headers, 'forbidden by 3.1.1');
});

message('a header value is percent-encoded as the HTTP binding has it', () => {
  // The example of section 3.1.3.2.
  assert.is(toHeaderValue('Euro \u20ac \ud83d\ude00'), 'Euro%20%E2%82%AC%20%F0%9F%98%80');
  assert.is(toHeaderValue('"50%"'), '%2250%25%22');
  assert.is(toHeaderValue('a\r\nb\u0000\u007f\u00e9'), 'a%0D%0Ab%00%7F%C3%A9');
  assert.is(toHeaderValue('\ud83d'), '%EF%BF%BD', 'half a character is none');
  const printable = Array.from({ length: 94 }, (_, at) => String.fromCharCode(0x21 + at)).join('');
  assert.is(toHeaderValue(printable), printable.replace('%', '%25').replace('"', '%22'));
  for (const text of ['https://b\u00fccher.example/\u00e4', '\u{10ffff} %41', printable])
    assert.is(decodeURIComponent(toHeaderValue(text)), text);
});

message('sequences compare as texts as they do as numbers', () => {
  const read = (sequence: number): string =>
    toHookMessage({ ...EVENT, sequence, format: 'cloudevents-binary' }).headers['ce-sequence'] ?? '';
  const numbers = [1, 9, 10, 999, 1000, 2 ** 31, Number.MAX_SAFE_INTEGER];
  assert.equal(numbers.map(read).sort(), numbers.map(read));
  assert.is(Number(read(Number.MAX_SAFE_INTEGER)), Number.MAX_SAFE_INTEGER);
});

message('the media type of each format is that of its header', () => {
  for (const format of HOOK_FORMATS) {
    const { headers } = toHookMessage({ ...EVENT, format });
    assert.is(headers['content-type']?.split(';')[0], toMediaType(format), format);
  }
  assert.is(toMediaType(undefined), 'application/json');
});

message.run();
