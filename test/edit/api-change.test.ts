import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compareApis, describeChanges } from '../../src/edit/api-change/compare.ts';

type Node = Record<string, unknown>;
const test = suite('api change');

const row = (properties: Node, required: string[] = []) => ({ type: 'object', properties, required });
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });

/** A document with one call that has a bit of everything; `edit` changes a copy. */
function toDocument(edit: (document: ReturnType<typeof BASE>) => void = () => {}): Node {
  const document = BASE();
  edit(document);
  return document as unknown as Node;
}

// biome-ignore lint/suspicious/noExplicitAny: edits reach anywhere in it.
const BASE = (): any => ({
  openapi: '3.1.0',
  servers: [{ url: 'https://example.org' }],
  paths: {
    '/rest/public/article/search': {
      get: {
        operationId: 'public-article-search',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } },
          { name: 'kind', in: 'query', schema: { type: 'string', enum: ['news', 'essay'] } },
        ],
        responses: {
          200: { headers: { ETag: { required: true } }, ...json({ $ref: '#/components/schemas/article' }) },
          304: {},
          400: json({ type: 'object' }),
        },
        security: [],
      },
    },
    '/rest/user/article/update/{article_id}': {
      patch: {
        operationId: 'user-article-update',
        parameters: [{ name: 'article_id', in: 'path', required: true, schema: { type: 'integer' } }],
        requestBody: json(row({ title: { type: 'string', maxLength: 100 }, kind: { enum: ['news', 'essay'] } })),
        responses: { 200: json({ $ref: '#/components/schemas/article' }) },
        security: [{ oauth2: ['write'] }, { bearer: [] }],
      },
    },
  },
  webhooks: {
    'article.created': {
      post: { operationId: 'webhook-a', requestBody: json(row({ type: { const: 'article.created' } })) },
    },
  },
  components: {
    schemas: {
      article: {
        allOf: [
          row({
            id: { type: 'integer' },
            title: { type: 'string' },
            kind: { enum: ['news', 'essay'] },
            parent: { anyOf: [{ $ref: '#/components/schemas/article' }, { type: 'null' }] },
            tags: { type: 'array', items: { type: 'string' } },
          }),
          { required: ['id', 'title'] },
        ],
      },
    },
    securitySchemes: {
      oauth2: {
        flows: { authorizationCode: { tokenUrl: 'https://example.org/oauth/token', scopes: { write: 'Write' } } },
      },
    },
  },
});

const SEARCH = '/rest/public/article/search';
const UPDATE = '/rest/user/article/update/{article_id}';
type Edit = Parameters<typeof toDocument>[0];
const properties = (d: Parameters<NonNullable<Edit>>[0]) => d.components.schemas.article.allOf[0].properties;
const body = (d: Parameters<NonNullable<Edit>>[0]) =>
  d.paths[UPDATE].patch.requestBody.content['application/json'].schema;
const search = (d: Parameters<NonNullable<Edit>>[0]) => d.paths[SEARCH].get;

/** An edit and the reported change: level, code, and a part of the message. */
const CASES: readonly (readonly [string, NonNullable<Edit>, string])[] = [
  ['a call is removed', (d) => delete d.paths[SEARCH], 'breaking call-removed public-article-search'],
  ['a call is added', (d) => (d.paths['/x'] = { get: { operationId: 'x' } }), 'additive call-added x'],
  ['a call is renamed', (d) => (search(d).operationId = 'other'), 'risky call-renamed other'],
  ['a parameter goes', (d) => search(d).parameters.pop(), 'breaking parameter-removed kind'],
  [
    'a parameter comes',
    (d) => search(d).parameters.push({ name: 'q', in: 'query', schema: {} }),
    'additive parameter-added q',
  ],
  [
    'a required parameter comes',
    (d) => search(d).parameters.push({ name: 'q', in: 'query', required: true, schema: {} }),
    'breaking parameter-added required',
  ],
  [
    'a parameter is needed',
    (d) => (search(d).parameters[0].required = true),
    'breaking parameter-became-required limit',
  ],
  ['a path parameter has another name', (d) => (d.paths[UPDATE].patch.parameters[0].name = 'id'), ''],
  ['a bound tightens', (d) => (search(d).parameters[0].schema.maximum = 10), 'breaking request-bound-tightened limit'],
  ['a bound loosens', (d) => (search(d).parameters[0].schema.maximum = 200), 'additive request-bound-loosened limit'],
  ['a choice goes', (d) => search(d).parameters[1].schema.enum.pop(), 'breaking request-enum-narrowed "essay"'],
  ['a choice comes', (d) => search(d).parameters[1].schema.enum.push('x'), 'additive request-enum-widened "x"'],
  [
    'a parameter’s type changes',
    (d) => (search(d).parameters[0].schema.type = 'string'),
    'breaking request-type-changed integer',
  ],
  ['a body’s key goes', (d) => delete body(d).properties.kind, 'breaking request-field-removed kind'],
  ['a body’s key is needed', (d) => body(d).required.push('title'), 'breaking request-field-became-required title'],
  [
    'a body’s new key is needed',
    (d) => {
      body(d).properties.x = {};
      body(d).required = ['x'];
    },
    'breaking request-field-added x',
  ],
  [
    'a body’s key may be null',
    (d) => (body(d).properties.title.type = ['string', 'null']),
    'additive request-type-changed title',
  ],
  ['a column goes', (d) => delete properties(d).tags, 'breaking answer-field-removed tags'],
  ['a column comes', (d) => (properties(d).x = {}), 'additive answer-field-added x'],
  [
    'a column may be missing',
    (d) => d.components.schemas.article.allOf[1].required.pop(),
    'breaking answer-field-became-optional title',
  ],
  [
    'a column is always there',
    (d) => d.components.schemas.article.allOf[1].required.push('tags'),
    'additive answer-field-became-required tags',
  ],
  ['a column may be null', (d) => (properties(d).title.type = ['string', 'null']), 'breaking answer-type-changed null'],
  ['a column has more choices', (d) => properties(d).kind.enum.push('x'), 'risky answer-enum-widened "x"'],
  ['a column has fewer choices', (d) => properties(d).kind.enum.pop(), 'additive answer-enum-narrowed "essay"'],
  ['items change', (d) => (properties(d).tags.items.type = 'integer'), 'breaking answer-type-changed tags[]'],
  ['a success goes', (d) => delete search(d).responses[304], 'breaking status-removed 304'],
  ['a failure goes', (d) => delete search(d).responses[400], 'additive status-removed 400'],
  ['a failure comes', (d) => (search(d).responses[429] = {}), 'additive status-added 429'],
  ['a header goes', (d) => delete search(d).responses[200].headers.ETag, 'breaking header-removed ETag'],
  [
    'an answer’s type goes',
    (d) => (search(d).responses[200].content = { 'text/csv': {} }),
    'breaking answer-type-removed application/json',
  ],
  ['a public call is closed', (d) => (search(d).security = [{ bearer: [] }]), 'breaking scope-changed bearer'],
  [
    'another scope is asked for',
    (d) => (d.paths[UPDATE].patch.security[0] = { oauth2: ['admin'] }),
    'breaking scope-changed oauth2 (write)',
  ],
  [
    'a scope more opens it',
    (d) => d.paths[UPDATE].patch.security.push({ oauth2: ['admin'] }),
    'additive scope-changed oauth2 (admin)',
  ],
  [
    'a scope is gone',
    (d) => delete d.components.securitySchemes.oauth2.flows.authorizationCode.scopes.write,
    'breaking scope-removed write',
  ],
  [
    'the token’s address changes',
    (d) => (d.components.securitySchemes.oauth2.flows.authorizationCode.tokenUrl = 'https://example.org/t'),
    'breaking oauth-address-changed',
  ],
  ['a hook goes', (d) => delete d.webhooks['article.created'], 'breaking webhook-removed'],
  [
    'a payload’s key goes',
    (d) => delete d.webhooks['article.created'].post.requestBody.content['application/json'].schema.properties.type,
    'breaking answer-field-removed type',
  ],
  ['the site moves', (d) => (d.servers[0].url = 'https://example.com'), 'risky server-changed'],
  ['nothing', () => {}, ''],
];

for (const [name, edit, wanted] of CASES) {
  test(name, () => {
    const changes = compareApis(toDocument(), toDocument(edit));
    const [level = '', code = '', ...words] = wanted.split(' ');
    if (wanted === '') return assert.equal(changes, []);
    const found = changes.find((change) => change.level === level && change.code === code);
    assert.ok(found, JSON.stringify(changes));
    const text = `${found.calls.join(' ')} ${found.message}`;
    for (const word of words) assert.ok(text.includes(word), `${text} has no ${word}`);
    // No change may be reported as more severe than it is.
    if (level !== 'breaking') assert.not(changes.some((change) => change.level === 'breaking'));
  });
}

test('what a component changes is told once, with all its calls, the gravest first', () => {
  const changes = compareApis(
    toDocument(),
    toDocument((d) => {
      delete properties(d).title;
      properties(d).more = {};
    }),
  );
  const [first] = changes;
  assert.equal(first?.calls, ['public-article-search', 'user-article-update']);
  assert.is(first?.message, 'title is gone');
  assert.equal(
    describeChanges(changes)[0],
    'breaks clients: public-article-search, user-article-update: title is gone',
  );
  assert.is(changes.at(-1)?.level, 'additive');
});

test.run();
