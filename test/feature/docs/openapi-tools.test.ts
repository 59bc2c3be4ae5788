import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createChecker, listExampleFaults } from './_answers.ts';
import { type Api, startApi } from './_api.ts';

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Words whose value is a schema, a list of them, or a map of them by name. */
const PARTS = ['items', 'additionalProperties', 'not', 'propertyNames', 'schema', 'if', 'then', 'else'];
const LISTS = ['anyOf', 'oneOf', 'allOf'];
const MAPS = ['properties', 'schemas', '$defs'];

/** Every schema of the document, with its place. What stands in an example is none. */
function* listSchemas(node: unknown, place = '', isSchema = false): Generator<[place: string, schema: Node]> {
  if (!isNode(node)) return;
  if (isSchema) yield [place, node];
  for (const [word, value] of Object.entries(node)) {
    const at = `${place}/${word}`;
    if (word === 'example' || word === 'examples' || (isSchema && (word === 'const' || word === 'enum'))) continue;
    if (PARTS.includes(word)) yield* listSchemas(value, at, isNode(value));
    else if (LISTS.includes(word) && Array.isArray(value))
      for (const [index, part] of value.entries()) yield* listSchemas(part, `${at}/${index}`, true);
    else if (MAPS.includes(word) && isNode(value))
      for (const [name, part] of Object.entries(value)) yield* listSchemas(part, `${at}/${name}`, true);
    else if (!isSchema) yield* listSchemas(value, at);
  }
}

/** Why a tool would stumble over a schema; empty if none does. */
function listFaults(schema: Node): string[] {
  const types = [schema.type].flat().filter((type) => type !== undefined && type !== 'null');
  const hasValues = 'const' in schema || 'enum' in schema;
  return [
    ...(types.length > 1 ? ['several types'] : []),
    ...(schema.items === false || 'prefixItems' in schema ? ['a list of places'] : []),
    ...(types[0] === 'array' && !isNode(schema.items) ? ['a list without items'] : []),
    ...(hasValues && types.length === 0 ? ['values without a type'] : []),
    ...(types[0] === 'number' && !hasValues && schema.format === undefined ? ['a number without a format'] : []),
    ...(schema.contentMediaType !== undefined && schema.format !== 'binary' ? ['bytes without a format'] : []),
  ];
}

const test = suite('openapi: what tools need');
const world: { api?: Api } = {};
const document = (): Node => (world.api as Api).document;
test.before(async () => {
  world.api = await startApi();
});
test.after(() => world.api?.close());

const at = (...path: string[]): unknown => path.reduce<unknown>((node, key) => (node as Node)[key], document());

const follow = (node: unknown): Node => {
  const { $ref } = node as { $ref?: string };
  if ($ref === undefined) return node as Node;
  return $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Node)[key], document()) as Node;
};

const listOperations = (): { name: string; operation: Node }[] =>
  ['paths', 'webhooks'].flatMap((kind) =>
    Object.entries(document()[kind] as Record<string, Record<string, Node>>).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
    ),
  );

const listParameters = (operation: Node): Node[] => ((operation.parameters ?? []) as unknown[]).map(follow);

test('each schema is in words that generators of all languages know', () => {
  const schemas = [...listSchemas(document())];
  assert.ok(schemas.length > 1000, String(schemas.length));
  const faults = schemas.flatMap(([place, schema]) => listFaults(schema).map((fault) => `${place}: ${fault}`));
  assert.equal(faults, []);
  // The faults are found where they are.
  const bad = { schema: { type: ['string', 'number'], items: false, enum: [1] } };
  assert.is([...listSchemas(bad)].flatMap(([, schema]) => listFaults(schema)).length, 2);
});

test('each parameter is sent as it is named, and no status is a range that hides others', () => {
  for (const { name, operation } of listOperations()) {
    for (const parameter of listParameters(operation)) {
      assert.is.not(parameter.style, 'deepObject', `${name} ${String(parameter.name)}`);
      const { type } = parameter.schema as Node;
      assert.is.not(type, 'object', `${name} ${String(parameter.name)}`);
      if (type === 'array') assert.equal([parameter.style, parameter.explode], ['form', false], name);
    }
    for (const status of Object.keys(operation.responses as Node)) assert.not.match(status, /^[45]XX$/, name);
  }
});

test('each operation and parameter has a description; each parameter an example', () => {
  for (const { name, operation } of listOperations()) {
    assert.match(String(operation.description ?? ''), /\S/, name);
    for (const parameter of listParameters(operation)) {
      assert.match(String(parameter.description ?? ''), /\S/, `${name} ${String(parameter.name)}`);
      assert.ok('example' in parameter, `${name} ${String(parameter.name)} has no example`);
    }
  }
});

test('each example is one that its schema takes', () => {
  assert.equal(listExampleFaults(document()), []);
  const bad = { components: { parameters: { x: { schema: { type: 'integer' }, example: 'x' } } } };
  assert.is(listExampleFaults(bad).length, 1);
});

test('each body is a component, of one type', () => {
  for (const { name, operation } of listOperations()) {
    const { requestBody } = operation as { requestBody?: { content: Record<string, { schema: Node }> } };
    if (requestBody === undefined) continue;
    const contents = Object.values(requestBody.content);
    assert.is(contents.length, 1, name);
    assert.match(String(contents[0]?.schema.$ref), /^#\/components\/schemas\//, name);
  }
});

test('no security scheme has a name that a client class has', () => {
  const { securitySchemes } = document().components as Record<string, Node>;
  assert.not.ok(Object.keys(securitySchemes ?? {}).includes('client'));
});

test('links of a created row lead to operations with their parameters', () => {
  const byId = new Map(listOperations().map(({ operation }) => [operation.operationId, operation]));
  const links = listOperations().flatMap(({ operation }) =>
    Object.values(operation.responses as Record<string, { links?: Record<string, Node> }>).flatMap(({ links = {} }) =>
      Object.values(links),
    ),
  );
  assert.ok(links.length >= 10, String(links.length));
  for (const { operationId, parameters } of links as { operationId: string; parameters: Record<string, string> }[]) {
    const operation = byId.get(operationId);
    assert.ok(operation, operationId);
    const names = listParameters(operation as Node).map(({ name }) => name);
    for (const [name, expression] of Object.entries(parameters)) {
      assert.ok(names.includes(name), `${operationId} ${name}`);
      assert.match(expression, /^\$response\.body#\/results\/\w+$/);
    }
  }
});

test('an example of each search parameter is one that the server takes', async () => {
  const { site } = world.api as Api;
  const searches = listOperations().filter(({ name }) =>
    /^get \/rest\/public\/(?:thing|article|profile)\/(?:search|count)/.test(name),
  );
  assert.ok(searches.length > 1);
  for (const { name, operation } of searches) {
    for (const parameter of listParameters(operation)) {
      if (parameter.in !== 'query') continue;
      const value = [parameter.example].flat().map(String).join(',');
      const query = `${encodeURIComponent(String(parameter.name))}=${encodeURIComponent(value)}`;
      const answer = await site.get(`${name.slice('get '.length)}?${query}`);
      assert.is(answer.status, 200, `${query}: ${answer.text.slice(0, 300)}`);
    }
  }
});

test('what the document refuses of a body the server refuses, and what it takes the server takes', async () => {
  const { site } = world.api as Api;
  const checker = createChecker(document());
  const place = ['components', 'schemas', 'public-thing-create-body'];
  const base = { thing_name: 'x', profile_id: 1 };
  for (const [isTaken, more] of [
    [true, {}],
    [false, { thing_name: '' }],
    [false, { thing_stars: 0.3 }],
    [true, { thing_stars: 0.5 }],
    [false, { thing_countrylist: 'AA' }],
    [true, { thing_countrylist: 'FR' }],
    [false, { profile_id: 2 ** 53 }],
    [false, { thing_latlng: [1] }],
    [false, { thing_latlng: [1, 181] }],
    [true, { thing_latlng: [52.52, 13.405] }],
    [false, { thing_nme: 'x' }],
    [false, { thing_select: 'c' }],
    [true, { thing_decimal: 1.5 }],
    [true, { thing_decimal: '1.50' }],
    [true, { thing_tag: ['a'], thing_meta: { a: 1 } }],
  ] as const) {
    const json = { ...base, ...more };
    const { status } = await site.send('POST', '/rest/public/thing/create', { json });
    assert.equal([checker.checkAt(place, json).length === 0, status < 300], [isTaken, isTaken], JSON.stringify(more));
  }
});

test('expand and fields have the names that the server takes', async () => {
  const api = world.api as Api;
  const listOf = (name: string): readonly string[] | undefined =>
    ((at('components', 'parameters', name, 'schema', 'items') as Node).enum as string[] | undefined) ?? undefined;
  for (const [schema, call, parameter, names] of [
    ['thing', 'search', 'expand', ['part', 'profile', 'part.profile', 'twin.label', 'none', 'none.part', 'part.none']],
    ['thing', 'detail', 'expand', ['part.profile', 'twin.twin.twin.twin']],
    [
      'article',
      'search',
      'fields',
      ['article_title', 'comment.comment_detail', 'comment.profile.profile_name', 'none'],
    ],
    ['article', 'detail', 'fields', ['comment', 'comment.comment_detail', 'comment.none']],
  ] as const) {
    const listed = listOf(`${schema}-${call}-${parameter}`);
    for (const name of names) {
      const expand = parameter === 'fields' && name.includes('.') ? '&expand=comment,comment.profile' : '';
      const path = `/rest/public/${schema}/${call === 'detail' ? 'detail/1' : 'search'}?limit=1&${parameter}=${name}${expand}`;
      const { status } = await api.site.get(call === 'detail' ? path.replace('limit=1&', '') : path);
      assert.is(listed?.includes(name), status !== 400, `${path}: ${status}`);
    }
  }
  // So many names are not listed.
  assert.is(listOf('thing-search-fields'), undefined);
});

test.run();
