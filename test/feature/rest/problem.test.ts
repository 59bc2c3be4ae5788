import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readErrorCatalog } from '../../../src/core/error-catalog.ts';
import { listRuleFacts } from '../../../src/feature/docs/error/rules.ts';
import type { Sent } from '../../client.ts';
import { bearer, OTHER_TOKEN, SECRET, startWorld, TOKEN, type World } from './_server.ts';

const test = suite('rest: problems for programs');
const at: { world?: World } = {};
const world = (): World => at.world as World;

const CODE = `
export default function controller(app) {
  app.rest({ access: 'public', method: 'get', path: '/public/own/:way' }, async (request, response) => {
    const way = request.getParameters('way');
    if (way === 'coded') return response.refuse({ status: 409, message: 'Sold out', code: 'SHOP_SOLD_OUT' });
    if (way === 'plain') return response.refuse({ status: 402, message: 'Pay first' });
    if (way === 'parameter') return response.refuse({ status: 400, message: 'No such colour', parameter: 'colour' });
    if (way === 'field') return response.refuse({ status: 422, message: 'No', validation: { colour: 'Too bright' } });
    throw new Error('broken');
  });
  app.rest({ access: 'public', method: 'post', path: '/public/shaped', body: { type: 'object', properties: { seats: { type: 'number', maximum: 4 }, name: { type: 'string', maxLength: 3 }, list: { type: 'array', items: { type: 'number' }, maxItems: 1 } }, required: ['name'] } },
    async (request, response) => response.setResults({}));
  app.on('system-model-create', (request, response) => {
    if (request.getStage('note_text') === 'advertisement')
      response.refuse({ status: 422, message: 'No', validation: { note_text: 'That is an advertisement' } });
  });
}
`;

const PART = {
  name: 'part',
  singular: 'Part',
  plural: 'Parts',
  fields: [
    { name: 'street', type: 'text', required: true },
    { name: 'size', type: 'number', validation: [{ method: 'gte', parameters: 1 }] },
    {
      name: 'mark',
      type: 'text',
      validation: [
        { method: 'char_lte', parameters: 3, message: 'Bad' },
        { method: 'char_gte', parameters: 2, message: 'Bad' },
      ],
    },
  ],
};

/** A schema with a field of each kind of rule. */
const THING = {
  name: 'thing',
  singular: 'Thing',
  plural: 'Things',
  fields: [
    { name: 'title', type: 'text', required: true, filterable: true, sortable: true },
    { name: 'short', type: 'text', validation: [{ method: 'char_lte', parameters: 3 }] },
    { name: 'count', type: 'number', validation: [{ method: 'gte', parameters: 5, message: 'Too few' }] },
    { name: 'kind', type: 'text', validation: [{ method: 'one', parameters: ['a', 'b'] }] },
    { name: 'code', type: 'text', validation: [{ method: 'unique' }] },
    { name: 'form', type: 'text', validation: [{ method: 'regexp', parameters: '/^x+$/' }] },
    { name: 'price', type: 'decimal', scale: 2 },
    { name: 'day', type: 'date' },
    { name: 'parts', type: 'fieldset', fieldset: 'part', multiple: true },
    { name: 'active', type: 'active' },
  ],
  relations: [{ schema: 'profile', kind: '1:0' }],
};

const rest = (method: string, action: string, more: object = {}) => ({
  title: action,
  access: 'public',
  method,
  path: `/public/thing/${action}${/search|create|batch|import/.test(action) ? '' : '/:thing_id'}`,
  event: `system-model-${action}`,
  parameters: { schema: 'thing' },
  ...more,
});

const CALLS = {
  'public-thing-search': rest('get', 'search'),
  'public-thing-detail': rest('get', 'detail'),
  'public-thing-create': rest('post', 'create'),
  'public-thing-update': rest('patch', 'update'),
  'public-thing-remove': rest('delete', 'remove'),
  'public-thing-batch': rest('post', 'batch'),
  'public-thing-find': rest('post', 'search', { path: '/public/thing/find' }),
};

const files = {
  'app/www/.treadle.ts': "import controller from './controller';\nexport default [controller];\n",
  'app/www/controller.ts': CODE,
  'config/schema/thing.json': THING,
  'config/fieldset/part.json': PART,
  ...Object.fromEntries(Object.entries(CALLS).map(([name, value]) => [`config/rest/${name}.json`, value])),
};

test.before(async () => {
  at.world = await startWorld({
    files,
    settings: { api: true, oauth: { mode: 'standard' }, server: { bodyBytes: 20_000 }, limits: { perMinute: 8 } },
  });
  await world().send('POST', CREATE, { thing_title: 'First', thing_code: 'one' });
});
test.after(() => at.world?.close());

const CREATE = '/rest/public/thing/create';
const SEARCH = '/rest/public/thing/search';
const json = { 'content-type': 'application/json' };
const get = (headers: Record<string, string> = {}): Sent => ({ headers });
const post = (value: unknown, headers: Record<string, string> = {}): Sent => ({ method: 'POST', json: value, headers });
const raw = (body: string, headers: Record<string, string> = json): Sent => ({ method: 'POST', body, headers });
const patch = (value: unknown, headers: Record<string, string> = {}): Sent => ({
  ...post(value, headers),
  method: 'PATCH',
});
const FORM = 'application/x-www-form-urlencoded';
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});
const ok = { thing_title: 'x' };
const ALL = '/rest/public/batch';

/** A kind of refusal: request, status, code, and the errors as `place rule params suggestion`. */
type Row = [path: string, sent: Sent, status: number, code: string, errors?: readonly string[]];

const TABLE: Row[] = [
  // Queries
  [`${SEARCH}?limt=1`, get(), 400, 'SEARCH_INVALID', ['parameter:limt unknown limit']],
  [`${SEARCH}?limit=abc`, get(), 400, 'SEARCH_INVALID', ['parameter:limit value']],
  [
    `${SEARCH}?filter[thing_titel]=x`,
    get(),
    400,
    'SEARCH_INVALID',
    ['parameter:filter[thing_titel] unknown thing_title'],
  ],
  [
    `${SEARCH}?filter[thing_title][gtr]=x`,
    get(),
    400,
    'SEARCH_INVALID',
    ['parameter:filter[thing_title][gtr] unknown gt'],
  ],
  [`${SEARCH}?sort=thing_titl`, get(), 400, 'SEARCH_INVALID', ['parameter:sort unknown thing_title']],
  [
    `/rest/public/thing/detail/1?fields=thing_titl`,
    get(),
    400,
    'SEARCH_INVALID',
    ['parameter:fields unknown thing_title'],
  ],
  ['/rest/public/thing/find', post({ limt: 1 }), 400, 'SEARCH_INVALID', ['pointer:/limt unknown limit']],
  [
    '/rest/public/thing/find',
    post({ filter: { thing_titel: 1 } }),
    400,
    'SEARCH_INVALID',
    ['pointer:/filter/thing_titel unknown thing_title'],
  ],
  // Bodies
  [CREATE, raw('{"a":'), 400, 'REQUEST_JSON_BROKEN'],
  [CREATE, raw('[]'), 400, 'BODY_NOT_OBJECT'],
  [CREATE, raw('{"a":1}', { 'content-type': 'text/csv' }), 415, 'BODY_TYPE_REFUSED', ['header:Content-Type header']],
  [CREATE, raw('{}', { ...json, 'content-encoding': 'gzip' }), 415, 'REQUEST_ENCODING_REFUSED'],
  [CREATE, post({ thing_title: 'x'.repeat(30_000) }), 413, 'REQUEST_BODY_TOO_LARGE'],
  [CREATE, post({ ...ok, thing_titel: 'x' }), 400, 'KEY_UNKNOWN', ['pointer:/thing_titel unknown thing_title']],
  [CREATE, post({ ...ok, thing_active: 0 }), 400, 'KEY_UNKNOWN', ['pointer:/thing_active read_only']],
  [CREATE, post({ ...ok, 'a[b]': 1, '/x': 1 }), 400, 'KEY_UNKNOWN', ['pointer:/a[b] unknown', 'pointer:/~1x unknown']],
  [
    CREATE,
    raw('{"thing_title":"x","thing_price":0.12345678901234567890}'),
    422,
    'NUMBER_TOO_LONG',
    ['pointer:/thing_price digits'],
  ],
  // Values
  [CREATE, post({}), 422, 'VALIDATION_FAILED', ['pointer:/thing_title required']],
  [
    CREATE,
    post({ ...ok, thing_short: 'long', thing_count: 1, thing_kind: 'c', thing_form: 'y', thing_day: 'soon' }),
    422,
    'VALIDATION_FAILED',
    [
      'pointer:/thing_short char_lte {"max":3}',
      'pointer:/thing_count gte {"min":5}',
      'pointer:/thing_kind one {"values":["a","b"]}',
      'pointer:/thing_form regexp {"pattern":"/^x+$/"}',
      'pointer:/thing_day type {"type":"date"}',
    ],
  ],
  [
    CREATE,
    post({ thing_title: 'a\nb', thing_short: '\u0000' }),
    422,
    'VALIDATION_FAILED',
    ['pointer:/thing_title one_line', 'pointer:/thing_short characters'],
  ],
  [
    CREATE,
    post({ ...ok, thing_parts: [{ street: 'x' }, { size: 0 }] }),
    422,
    'VALIDATION_FAILED',
    ['pointer:/thing_parts/1/street required', 'pointer:/thing_parts/1/size gte {"min":1}'],
  ],
  [
    CREATE,
    post({ ...ok, thing_parts: [{ street: 'x', mark: 'long' }] }),
    422,
    'VALIDATION_FAILED',
    ['pointer:/thing_parts/0/mark char_lte {"max":3}'],
  ],
  // One text of the project for two rules: which of them each value broke is not known any more.
  [
    CREATE,
    post({ ...ok, thing_parts: ['long', 'x'].map((mark) => ({ street: 'x', mark })) }),
    422,
    'VALIDATION_FAILED',
    ['pointer:/thing_parts/0/mark value', 'pointer:/thing_parts/1/mark value'],
  ],
  [
    CREATE,
    post({ ...ok, thing_parts: [{ stret: 'x' }] }),
    400,
    'KEY_UNKNOWN',
    ['pointer:/thing_parts/0/stret unknown'],
  ],
  [CREATE, post({ ...ok, thing_code: 'one' }), 409, 'VALUE_TAKEN', ['pointer:/thing_code taken']],
  [CREATE, post({ ...ok, profile_id: 99 }), 422, 'VALIDATION_FAILED', ['pointer:/profile_id reference {"id":99}']],
  [CREATE, post({ ...ok, profile_id: 'x' }), 422, 'VALIDATION_FAILED', ['pointer:/profile_id type {"type":"id"}']],
  [
    '/rest/public/note/create',
    post({ note_title: 'x', note_text: 'advertisement', profile_id: 1 }),
    422,
    'VALIDATION_FAILED',
    ['pointer:/note_text custom'],
  ],
  // Batches
  [
    '/rest/public/thing/batch',
    post({ operations: [] }),
    400,
    'BATCH_INVALID',
    ['pointer:/operations limit {"min":1,"max":100}'],
  ],
  [
    '/rest/public/thing/batch',
    post({ operations: [{ action: 'creat' }] }),
    400,
    'BATCH_INVALID',
    ['pointer:/operations/0/action value create'],
  ],
  [
    '/rest/public/thing/batch',
    post({ operations: [{ action: 'create', values: {} }] }),
    422,
    'VALIDATION_FAILED',
    ['pointer:/operations/0/values/thing_title required'],
  ],
  [
    '/rest/public/thing/batch',
    post({ operations: [{ action: 'remove', id: 99 }] }),
    404,
    'ROW_MISSING',
    ['pointer:/operations/0 failed'],
  ],
  [ALL, post([]), 400, 'REST_BATCH_INVALID', ['pointer: limit {"min":1,"max":100}']],
  [ALL, post({ operations: [] }), 400, 'REST_BATCH_INVALID', ['pointer:/operations limit {"min":1,"max":100}']],
  [ALL, raw('a,b', { 'content-type': 'text/csv' }), 415, 'BODY_TYPE_REFUSED', ['header:Content-Type header']],
  [
    ALL,
    raw('[{"call":"public-thing-create","body":{"thing_title":"x","thing_price":0.12345678901234567890}}]'),
    422,
    'NUMBER_TOO_LONG',
    ['pointer:/0/body/thing_price digits'],
  ],
  [ALL, raw('[1', { 'content-type': 'text/plain' }), 415, 'BODY_TYPE_REFUSED', ['header:Content-Type header']],
  [
    ALL,
    post([
      1,
      { call: 'public-thing-creat', bdy: 1 },
      { id: '&', path: {} },
      { call: 'public-thing-update', body: { thing_title: { $ref: 'a' }, thing_short: { $ref: 'a.thing_id' } } },
    ]),
    400,
    'REST_BATCH_INVALID',
    [
      'pointer:/0 value',
      'pointer:/1/bdy unknown body',
      'pointer:/1/call unknown public-thing-create',
      'pointer:/2/id value',
      'pointer:/2/call required',
      'pointer:/3/path required',
      'pointer:/3/body/thing_title value',
      'pointer:/3/body/thing_short unknown',
    ],
  ],
  [
    ALL,
    raw(JSON.stringify([{ call: 'public-thing-remove', path: { thing_id: 99 } }]), { 'content-type': 'text/plain' }),
    404,
    'ROW_MISSING',
    ['pointer:/0 failed'],
  ],
  [
    ALL,
    post([{ call: 'public-thing-update', path: { thing_id: 1 }, body: ok, ifMatch: '"x"' }]),
    412,
    'ROW_CHANGED',
    ['pointer:/0/ifMatch header'],
  ],
  // Rows and addresses
  ['/rest/public/thing/detail/99', get(), 404, 'ROW_MISSING'],
  ['/rest/public/thing/update/99', patch(ok), 404, 'ROW_MISSING'],
  ['/rest/public/thing/remove/99', { method: 'DELETE' }, 404, 'ROW_MISSING'],
  ['/rest/public/nothing', get(), 404, 'CALL_UNKNOWN'],
  [SEARCH, { method: 'DELETE' }, 405, 'METHOD_NOT_ALLOWED'],
  // Headers
  [SEARCH, get({ accept: 'text/csv' }), 406, 'ACCEPT_EXCLUDES_JSON', ['header:Accept header']],
  ['/rest/public/thing/update/1', patch(ok, { 'if-match': '"x"' }), 412, 'ROW_CHANGED', ['header:If-Match header']],
  ['/rest/public/held/1', patch({}), 428, 'IF_MATCH_MISSING', ['header:If-Match header']],
  [
    CREATE,
    post(ok, { 'idempotency-key': 'x'.repeat(256) }),
    400,
    'IDEMPOTENCY_KEY_INVALID',
    ['header:Idempotency-Key header'],
  ],
  // Credentials
  ['/rest/user/note/search', get(), 401, 'TOKEN_MISSING'],
  ['/rest/user/note/search', get({ authorization: 'Bearer nobody' }), 401, 'TOKEN_REFUSED'],
  [`/rest/user/note/search?access_token=${TOKEN}`, get(bearer), 400, 'CREDENTIALS_TWICE'],
  [`/rest/user/note/create?access_token=${TOKEN}`, post({}), 403, 'TOKEN_READS_ONLY'],
  ['/rest/public/app/note/search', get(), 401, 'APP_NOT_NAMED'],
  ['/rest/public/app/note/search', get(basic('reader', 'wrong')), 401, 'APP_REFUSED'],
  ['/rest/public/app/note/create?client_id=reader', post({}), 401, 'SECRET_MISSING'],
  [`/rest/public/app/note/search?client_id=reader&client_secret=${SECRET}`, get(), 400, 'SECRET_IN_QUERY'],
  // The project's own
  ['/rest/public/own/coded', get(), 409, 'SHOP_SOLD_OUT'],
  ['/rest/public/own/plain', get(), 402, 'REQUEST_REFUSED'],
  ['/rest/public/own/parameter', get(), 400, 'BAD_REQUEST', ['parameter:colour custom']],
  ['/rest/public/own/field', get(), 422, 'VALIDATION_FAILED', ['parameter:colour custom']],
  ['/rest/public/own/throws', get(), 500, 'SERVER_FAILED'],
  [
    '/rest/public/shaped',
    post({ seats: 5 }),
    422,
    'VALIDATION_FAILED',
    ['pointer:/seats lte {"max":4}', 'pointer:/name required'],
  ],
  [
    '/rest/public/shaped',
    post({ name: 'Anna', list: [1, 2] }),
    422,
    'VALIDATION_FAILED',
    ['pointer:/name char_lte {"max":3}', 'pointer:/list limit {"max":1}'],
  ],
];

interface Placed {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
  readonly rule: string;
  readonly detail: string;
  readonly params?: object;
  readonly suggestion?: string;
}

function print({ pointer, parameter, header, rule, params, suggestion }: Placed): string {
  const places = Object.entries({ pointer, parameter, header }).filter(([, value]) => value !== undefined);
  assert.is(places.length, 1, 'an error has one place');
  const parts = [places.map((place) => place.join(':')).join(), rule, params && JSON.stringify(params), suggestion];
  return parts.filter((part) => part !== undefined).join(' ');
}

const rules = new Set(listRuleFacts().map(({ name }) => name));

for (const [path, sent, status, code, errors = []] of TABLE) {
  const what = `${sent.method ?? 'GET'} ${path.slice(0, 60)} ${JSON.stringify(sent.json ?? sent.body ?? sent.headers ?? {}).slice(0, 60)}`;
  test(`${what}: ${status} ${code}`, async () => {
    const answer = await world().ask(path, sent);
    assert.is(answer.status, status, answer.text);
    const problem = answer.json();
    assert.is(problem.code, code, answer.text);
    const entry = readErrorCatalog().get(code);
    if (entry) assert.is(entry.status, code === 'REQUEST_REFUSED' ? 400 : status);
    assert.equal((problem.errors ?? []).map(print), errors, answer.text);
    for (const { rule, detail } of problem.errors ?? []) {
      assert.ok(rules.has(rule), `the docs do not list the rule ${rule}`);
      assert.ok(detail.length > 1);
    }
    const explained = entry ? code : 'STATE_CONFLICT';
    assert.is(problem.type, `${world().url}/developer/docs/errors/${explained}`);
    assert.is(problem.docs, problem.type);
    assert.is((await world().ask(new URL(problem.type).pathname)).status, 200);
  });
}

test('a missing row and a hidden one are told apart by nobody; the detail names schema and id', async () => {
  const own = await world().send('POST', '/rest/public/note/create', { note_title: 'Hers', profile_id: 1 });
  const id = own.json().results.note_id;
  const other = { headers: { authorization: `Bearer ${OTHER_TOKEN}` } };
  const hidden = (await world().ask(`/rest/user/note/detail/${id}`, other)).json();
  const missing = (await world().ask('/rest/user/note/detail/998', other)).json();
  assert.is(missing.detail, 'Note 998 does not exist.');
  assert.is(missing.code, 'ROW_MISSING');
  const { detail, message, instance, ...same } = hidden;
  assert.equal([detail, message, instance], [`Note ${id} does not exist.`, detail, `/rest/user/note/detail/${id}`]);
  assert.equal({ ...missing, ...same }, missing);
});

test('the limit of a minute has a code, and keeps its registered type', async () => {
  const ask = () => world().ask('/rest/user/note/search', { headers: bearer });
  for (let count = 0; count < 8; count += 1) await ask();
  const answer = await ask();
  assert.is(answer.status, 429);
  const problem = answer.json();
  assert.is(problem.code, 'RATE_REACHED');
  assert.match(problem.type, 'quota-exceeded');
  assert.match(problem.docs, /\/developer\/docs\/errors\/RATE_REACHED$/);
});

test('the OAuth endpoints keep their exact bodies, unless problem details are asked for', async () => {
  const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=b' };
  const asked = { ...form, headers: { ...form.headers, accept: 'application/problem+json' } };
  assert.equal(Object.keys((await world().ask('/rest/access', form)).json()), ['error', 'message', 'validation']);
  assert.equal((await world().ask('/oauth/token', form)).json(), {
    error: 'invalid_request',
    error_description: 'grant_type is missing.',
  });
  for (const path of ['/rest/access', '/oauth/token', '/oauth/revoke']) {
    const answer = await world().ask(path, asked);
    assert.is(answer.headers['content-type'], 'application/problem+json', path);
    assert.is(answer.headers['cache-control'], 'no-store');
    assert.is(answer.headers['oauth-error'], undefined);
    const problem = answer.json();
    assert.match(problem.code, /^OAUTH_[A-Z_]+$/, answer.text);
    assert.is(problem.errors?.every(({ rule }: Placed) => rule !== 'custom') ?? true, true, answer.text);
  }
  const other = { method: 'PUT', headers: { accept: 'application/problem+json' } };
  assert.is((await world().ask('/oauth/token', other)).json().code, 'METHOD_NOT_ALLOWED');
  assert.is((await world().ask('/rest/access', other)).json().code, 'METHOD_NOT_ALLOWED');
});

test('too many wrong secrets have the code of their status', async () => {
  const headers = { ...basic('reader', 'wrong'), accept: 'application/problem+json' };
  const sent: Sent = {
    method: 'POST',
    headers: { ...headers, 'content-type': FORM },
    body: 'grant_type=client_credentials',
  };
  const answers = [];
  for (let count = 0; count < 22; count += 1) answers.push(await world().ask('/oauth/token', sent));
  const codes = new Set(answers.map(({ status, json: read }) => `${status} ${read().code}`));
  assert.equal([...codes], ['401 OAUTH_CLIENT_INVALID', '429 ATTEMPTS_TOO_MANY']);
});

test('the docs list the codes and the rules, and know no other code', async () => {
  const list = (await world().ask('/developer/docs/errors')).text;
  for (const { code, status } of readErrorCatalog().values())
    assert.is(list.includes(`/errors/${code}"`), status !== undefined, code);
  for (const rule of rules) assert.match(list, `>${rule}</code>`);
  assert.is((await world().ask('/developer/docs/errors/DATABASE_DRIFT')).status, 404);
  assert.is((await world().ask('/developer/docs/errors/SHOP_SOLD_OUT')).status, 404);
  const page = (await world().ask('/developer/docs/errors/ROW_MISSING')).text;
  assert.match(page, 'What to do');
  assert.match(page, 'Article 12 does not exist.');
});

test.run();
