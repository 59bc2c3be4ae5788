import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toOpenApi } from '../../../src/feature/docs/openapi.ts';
import { createDocs } from './_world.ts';

type Node = Record<string, unknown>;
const { plan } = createDocs();
const document = JSON.parse(JSON.stringify(toOpenApi(plan, 'https://example.org'))) as Node;
const at = (...path: string[]): unknown =>
  path.reduce<unknown>((node, key) => (node as Node | undefined)?.[key], document);

function* walk(node: unknown): Generator<Node> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield node as Node;
  for (const child of Object.values(node)) yield* walk(child);
}

const operations = [
  ...Object.entries(document.paths as Record<string, Record<string, Node>>),
  ...Object.entries(document.webhooks as Record<string, Record<string, Node>>),
].flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({ path, method, operation })));

const openapi = suite('openapi');

openapi('has the parts that 3.1 asks for', () => {
  assert.is(document.openapi, '3.1.0');
  const { title, version } = document.info as Node;
  assert.type(title, 'string');
  assert.type(version, 'string');
  assert.equal(document.servers, [{ url: 'https://example.org' }]);
});

openapi('every reference leads somewhere; every component name is allowed', () => {
  for (const node of walk(document)) {
    if (typeof node.$ref !== 'string') continue;
    assert.ok(at(...node.$ref.slice(2).split('/')), node.$ref);
  }
  for (const group of Object.values(document.components as Record<string, Node>)) {
    for (const name of Object.keys(group)) assert.match(name, /^[A-Za-z0-9._-]+$/);
  }
});

openapi('every call is there under each of its methods', () => {
  for (const call of plan.calls) {
    const path = call.path.replace(/:([A-Za-z_]+)/g, '{$1}');
    const methods =
      call.definition.method === 'all' ? ['get', 'post', 'put', 'patch', 'delete'] : [call.definition.method];
    for (const method of methods) assert.ok(at('paths', path, method), `${method} ${path}`);
  }
});

openapi('operations have unique ids, responses with descriptions, and parameters that match the path', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  assert.is(new Set(ids).size, ids.length);
  for (const { path, operation } of operations) {
    const parameters = (operation.parameters ?? []) as { name: string; in: string; required: boolean }[];
    const keys = parameters.map(({ name, in: place }) => `${place} ${name}`);
    assert.is(new Set(keys).size, keys.length, path);
    const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name).sort();
    const declared = parameters.filter(({ in: place }) => place === 'path');
    assert.equal(declared.map(({ name }) => name).sort(), inPath);
    assert.ok(declared.every(({ required }) => required));
    for (const [status, response] of Object.entries(operation.responses as Record<string, Node>)) {
      assert.match(status, /^(?:[1-5]\d\d|[1-5]XX|default)$/);
      assert.ok(response.$ref ?? response.description);
    }
  }
});

openapi('security names declared schemes, and scopes that exist', () => {
  const schemes = at('components', 'securitySchemes') as Node;
  for (const { operation } of operations) {
    for (const need of operation.security as Record<string, string[]>[]) {
      for (const [name, scopes] of Object.entries(need)) {
        assert.ok(schemes[name], name);
        for (const scope of scopes) assert.ok(plan.model.scopes.has(scope));
      }
    }
  }
  assert.is(
    at('components', 'securitySchemes', 'oauth2', 'flows', 'authorizationCode', 'tokenUrl'),
    'https://example.org/rest/access',
  );
  assert.is(
    at('components', 'securitySchemes', 'oauth2', 'flows', 'authorizationCode', 'authorizationUrl'),
    'https://example.org/dialog/request',
  );
});

openapi('a user call names its scopes; a public call needs nothing', () => {
  const user = at('paths', '/rest/user/profile/detail', 'get', 'security');
  assert.equal(user, [{ oauth2: ['profile_read'] }, { bearer: [] }, { accessToken: [] }]);
  assert.equal(at('paths', '/rest/public/article/search', 'get', 'security'), []);
  assert.equal(at('paths', '/rest/app/article/create', 'post', 'security'), [{ client: [] }]);
});

openapi('secrets are written and never shown; what Treadle sets cannot be sent', () => {
  const row = at('components', 'schemas', 'article', 'properties') as Node;
  assert.is(row.article_secret, undefined);
  assert.ok(row.article_active);
  const body = at(
    'paths',
    '/rest/app/article/create',
    'post',
    'requestBody',
    'content',
    'application/json',
    'schema',
  ) as Node;
  assert.ok((body.properties as Node).article_secret);
  assert.is((body.properties as Node).article_active, undefined);
  assert.equal(body.required, ['article_title']);
  assert.is(body.additionalProperties, false);
});

openapi('a detail has its lists, and hooks their payload', () => {
  const detail = at('components', 'schemas', 'article-detail', 'allOf') as Node[];
  assert.equal((detail[1] as { properties: Node }).properties.comment, {
    type: 'array',
    items: { $ref: '#/components/schemas/comment' },
  });
  const payload = at(
    'webhooks',
    'profile.created',
    'post',
    'requestBody',
    'content',
    'application/json',
    'schema',
    'properties',
  ) as Node;
  assert.equal(payload.data, { $ref: '#/components/schemas/profile' });
});

openapi.run();
