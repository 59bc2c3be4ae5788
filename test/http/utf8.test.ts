import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boot, type Site } from '../boot.ts';
import type { Sent } from '../client.ts';

const code = `
import type { App } from 'treadle';
export default function shop(app: App) {
  app.post('/echo', (request, response) => response.setContent(String(request.getStage('name'))));
  app.get('/echo', (request, response) => response.setContent(String(request.getStage('name'))));
  app.post('/raw', (request, response) => response.setContent(String(request.getContent())));
}
`;

const encoding = suite('bytes that are not UTF-8');
const world: { site?: Site } = {};
const site = (): Site => world.site as Site;
encoding.before(async () => {
  world.site = await boot({ template: 'bare', change: (project) => project.addController('shop', code) });
});
encoding.after(() => site().close());

const bytes = (...parts: readonly (string | number)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : Buffer.from(part))));
const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const part = (head: string, value: Buffer): Buffer =>
  bytes('--b\r\nContent-Disposition: form-data; ', head, '\r\n\r\n', ...value, '\r\n');
const multipart = (...parts: readonly Buffer[]): Sent => ({
  body: Buffer.concat([...parts, Buffer.from('--b--\r\n')]),
  headers: { 'content-type': 'multipart/form-data; boundary=b' },
});
const typed = (type: string, ...parts: readonly (string | number)[]): Sent => ({
  body: bytes(...parts),
  headers: { 'content-type': type },
});

/** Method, path, request, and the status or the text. */
const CASES: Readonly<Record<string, readonly [string, Sent, number | string]>> = {
  'JSON in UTF-8': ['POST /echo', typed(JSON_TYPE, '{"name":"Müller �"}'), 'Müller �'],
  'JSON in Latin-1': ['POST /echo', typed(JSON_TYPE, '{"name":"M', 0xfc, 'ller"}'), 400],
  'JSON with an encoded surrogate': ['POST /echo', typed(JSON_TYPE, '{"name":"', 0xed, 0xa0, 0x80, '"}'), 400],
  'JSON with an overlong letter': ['POST /echo', typed(JSON_TYPE, '{"name":"', 0xc1, 0x81, '"}'), 400],
  'JSON that ends within a letter': ['POST /echo', typed(JSON_TYPE, '{"name":"a"}', 0xc3), 400],
  'JSON of another type': ['POST /echo', typed('application/merge-patch+json', '{"name":"', 0xff, '"}'), 400],
  'JSON in another charset': ['POST /echo', typed(`${JSON_TYPE}; charset=iso-8859-1`, '{"name":"a"}'), 415],
  'JSON in UTF-16': ['POST /echo', typed(`${JSON_TYPE}; charset="UTF-16"`, '{"name":"a"}'), 415],
  'JSON that says UTF-8': ['POST /echo', typed(`${JSON_TYPE};charset="UTF-8"`, '{"name":"ü"}'), 'ü'],
  'JSON with a byte order mark': ['POST /echo', typed(JSON_TYPE, 0xef, 0xbb, 0xbf, '{"name":"ü"}'), 'ü'],
  'a form': ['POST /echo', typed(FORM, 'name=M', 0xfc, 'ller'), 400],
  'a form, percent-encoded': ['POST /echo', typed(FORM, 'name=M%FCller'), 400],
  'a name of a form': ['POST /echo', typed(FORM, 'name=a&n%FC=b'), 400],
  'a form in another charset': ['POST /echo', typed(`${FORM}; charset=windows-1252`, 'name=a'), 415],
  'a form in UTF-8': ['POST /echo', typed(FORM, 'name=M%C3%BCller+100%+%zz'), 'Müller 100% %zz'],
  'text in Latin-1': ['POST /raw', typed('text/plain', 'M', 0xfc, 'ller'), 400],
  'text in another charset': ['POST /raw', typed('text/plain; charset=latin1', 'a'), 415],
  'text in UTF-8': ['POST /raw', typed('text/plain', 'ü'), 'ü'],
  'bytes of another type': ['POST /raw', typed('application/octet-stream', 'a', 0xff), 200],
  'a field of a multipart form': ['POST /echo', multipart(part('name="name"', bytes('M', 0xfc))), 400],
  'a name of a field': [
    'POST /echo',
    multipart(part('name="name"', bytes('a')), part('name="n\u0000"', bytes('a'))),
    'a',
  ],
  'a field beside a file': [
    'POST /echo',
    multipart(part('name="f"; filename="a.bin"', bytes(0xff, 0xfe)), part('name="name"', bytes('ü �'))),
    'ü �',
  ],
  'a field in Latin-1 beside a file': [
    'POST /echo',
    multipart(part('name="f"; filename="a.bin"', bytes(0xff, 0xfe)), part('name="name"', bytes(0xfc, 'x'))),
    400,
  ],
  'a query': ['GET /echo?name=M%FCller', {}, 400],
  'a query with an encoded surrogate': ['GET /echo?name=%ED%A0%80', {}, 400],
  'a query in UTF-8': ['GET /echo?name=M%C3%BCller%20%EF%BF%BD', {}, 'Müller \ufffd'],
  'a query with a sign that encodes nothing': ['GET /echo?name=100%&x=%zz', {}, '100%'],
  'a path': ['GET /echo%FF', {}, 404],
};

for (const [name, [target, sent, expected]] of Object.entries(CASES)) {
  encoding(name, async () => {
    const [method = '', path = ''] = target.split(' ');
    const answer = await site().send(method, path, sent);
    if (typeof expected === 'number') assert.is(answer.status, expected, answer.text);
    else assert.equal([answer.status, answer.text], [200, expected]);
    if (expected === 400) assert.match(answer.text, /not UTF-8/);
    if (expected === 415) assert.match(answer.text, /send it in UTF-8/);
  });
}

encoding.run();
