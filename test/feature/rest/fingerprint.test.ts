import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Request } from '../../../src/core/request/request.ts';
import { createSentFile } from '../../../src/core/request/sent-file.ts';
import { toFingerprint } from '../../../src/feature/rest/idempotency.ts';

/** Which requests with one Idempotency-Key are the same one. */
const test = suite('rest: fingerprint');

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly query?: string;
  readonly post?: Readonly<Record<string, unknown>>;
  readonly files?: Readonly<Record<string, unknown>>;
  readonly type?: string;
  readonly body?: string | Uint8Array;
}

const print = ({
  method = 'POST',
  path = '/rest/a',
  query = '',
  post = {},
  files = {},
  type,
  body = '',
}: Sent): string =>
  toFingerprint(
    new Request({
      method,
      path,
      query,
      post: () => post,
      files: () => files,
      body: () => body,
      server: () => ({ CONTENT_TYPE: type ?? 'multipart/form-data; boundary=one' }),
    } as never),
  );

const file = (bytes: string, name = 'a.png', type = 'image/png') => createSentFile(name, type, Buffer.from(bytes));
const BASE: Sent = { post: { title: 'A', list: ['1', '2'] }, files: { cover: file('one') } };

/** What makes another request of it. */
const OTHERS: Readonly<Record<string, Sent>> = {
  'another method': { ...BASE, method: 'PUT' },
  'another path': { ...BASE, path: '/rest/b' },
  'another query': { ...BASE, query: 'x=1' },
  'another value': { ...BASE, post: { ...BASE.post, title: 'B' } },
  'another field': { ...BASE, post: { name: 'A', list: ['1', '2'] } },
  'another order of a list': { ...BASE, post: { ...BASE.post, list: ['2', '1'] } },
  'a file with other bytes': { ...BASE, files: { cover: file('two') } },
  'a file with another name': { ...BASE, files: { cover: file('one', 'b.png') } },
  'a file of another type': { ...BASE, files: { cover: file('one', 'a.png', 'text/html') } },
  'a file of another field': { ...BASE, files: { photo: file('one') } },
  'one more file': { ...BASE, files: { cover: [file('one'), file('one')] } },
  'no file': { ...BASE, files: {} },
};

for (const [title, sent] of Object.entries(OTHERS))
  test(`${title} makes another request`, () => assert.is.not(print(sent), print(BASE)));

test('the boundary of a form makes no other request, nor do equal bytes that were read again', () => {
  const again = { ...BASE, files: { cover: file('one') }, type: 'multipart/form-data; boundary=two' };
  assert.is(print(again), print(BASE));
});

test('a body that is no form counts by its bytes', () => {
  const json = { type: 'application/json', body: '{"a":1}' };
  assert.is(print(json), print({ ...json }));
  assert.is(print({ ...json, body: Buffer.from('{"a":1}') }), print(json));
  assert.is.not(print({ ...json, body: '{"a":2}' }), print(json));
  assert.is.not(print({ ...json, body: Buffer.from('{"a":2}') }), print(json));
});

test.run();
