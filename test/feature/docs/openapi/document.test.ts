import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../../../src/core/file/package-root.ts';
import { buildOpenApi } from '../../../../src/feature/docs/openapi/document.ts';
import { createChecker, listExampleFaults } from '../_answers.ts';
import { createDocs } from '../_world.ts';

type Node = Record<string, unknown>;
const { plan } = createDocs();
const document = JSON.parse(JSON.stringify(buildOpenApi(plan, 'https://example.org'))) as Node;
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

openapi('lists every call under each of its methods', () => {
  const listed = Object.entries(document.paths as Record<string, Node>).map(
    ([path, item]) => `${Object.keys(item).join(' ')} ${path}`,
  );
  assert.equal(listed, [
    'get /rest/public/comment/search',
    'get /rest/public/comment/detail/{comment_id}',
    'post /rest/public/comment/create',
    'get /rest/public/unheard',
    'get /rest/app/comment/search',
    'post /rest/app/comment/create',
    'get /rest/app/scoped',
    'get /rest/user/profile/detail',
    'post /rest/user/comment/create',
    'get post put patch delete /rest/user/comment/update/{comment_id}',
    'get /rest/user/open',
    'get /rest/user/lost',
    'get /rest/public/article/search',
    'get /rest/public/article/detail/{article_id}',
    'post /rest/app/article/create',
    'delete /rest/app/article/remove',
    'post /rest/public/batch',
    'post /rest/app/batch',
    'post /rest/user/batch',
  ]);
});

openapi('operations have unique ids, responses with descriptions, and parameters that match the path', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  assert.is(new Set(ids).size, ids.length);
  for (const { path, operation } of operations) {
    const given = (operation.parameters ?? []) as { name: string; in: string; required: boolean; $ref?: string }[];
    const parameters = given.filter(({ $ref }) => $ref === undefined);
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
  const flows = at('components', 'securitySchemes', 'oauth2', 'flows') as Record<string, Node>;
  assert.is(flows.authorizationCode?.authorizationUrl, 'https://example.org/oauth/authorize');
  assert.is(flows.authorizationCode?.tokenUrl, 'https://example.org/oauth/token');
  assert.is(flows.authorizationCode?.refreshUrl, 'https://example.org/oauth/token');
  assert.equal(Object.keys(flows.authorizationCode?.scopes as Node), ['profile_read', 'comment_write', 'nasty']);
  assert.equal(flows.clientCredentials?.scopes, { app_read: 'Read as an app' });
});

openapi('a user call names its scopes; a public call needs nothing', () => {
  const user = at('paths', '/rest/user/profile/detail', 'get', 'security');
  assert.equal(user, [{ oauth2: ['profile_read'] }, { bearer: [] }, { accessToken: [] }]);
  const write = [{ oauth2: ['comment_write'] }, { bearer: [] }, { accessToken: [], accessSecret: [] }];
  assert.equal(at('paths', '/rest/user/comment/create', 'post', 'security'), write);
  assert.equal(at('paths', '/rest/public/article/search', 'get', 'security'), []);
  assert.equal(at('paths', '/rest/app/scoped', 'get', 'security'), [
    { clientId: [] },
    { appBasic: [] },
    { oauth2: ['app_read'] },
    { bearer: [] },
  ]);
  assert.equal((at('paths', '/rest/app/article/create', 'post', 'security') as Node[])[0], { appBasic: [] });
});

openapi('the doors of the query close with the mode', () => {
  for (const [mode, names] of [
    ['classic', ['accessToken', 'clientSecret', 'accessSecret']],
    ['standard', ['accessToken']],
    ['strict', []],
  ] as const) {
    const made = buildOpenApi(createDocs({ oauth: { mode } }).plan, 'https://example.org') as {
      components: { securitySchemes: Node };
      paths: Record<string, Record<string, { security: Record<string, unknown>[] }>>;
    };
    const schemes = made.components.securitySchemes;
    assert.equal(
      Object.keys(schemes).filter((name) => /^(?:access|clientS)/.test(name)),
      names,
    );
    const used = Object.values(made.paths).flatMap((item) => Object.values(item).flatMap(({ security }) => security));
    for (const need of used) for (const name of Object.keys(need)) assert.ok(schemes[name], `${mode} ${name}`);
  }
});

/** The parameters of an operation, with references followed. */
const listParameters = (path: string, method: string): Node[] =>
  (at('paths', path, method, 'parameters') as Node[]).map((parameter) =>
    typeof parameter.$ref === 'string' ? (at(...parameter.$ref.slice(2).split('/')) as Node) : parameter,
  );

openapi('each column and operator is a parameter of its own type; headers of requests are parameters', () => {
  const parameters = listParameters('/rest/public/article/search', 'get');
  assert.ok(parameters.every(({ style }) => style === undefined || style === 'form'));
  const typed = parameters.filter(({ name }) => String(name).startsWith('filter[article_kind]'));
  assert.equal(
    typed.map(({ name, schema, explode }) => [name, (schema as Node).type, explode]),
    [
      ['filter[article_kind]', 'string', undefined],
      ['filter[article_kind][ne]', 'string', undefined],
      ['filter[article_kind][in]', 'array', false],
      ['filter[article_kind][nin]', 'array', false],
      ['filter[article_kind][null]', 'integer', undefined],
    ],
  );
  const ofUpdate = at('paths', '/rest/user/comment/update/{comment_id}', 'patch', 'parameters') as Node[];
  const refs = ofUpdate.map(({ $ref }) => $ref).filter((ref) => ref !== undefined);
  assert.equal(
    refs,
    ['IfMatch', 'IdempotencyKey', 'Prefer'].map((name) => `#/components/parameters/${name}`),
  );
});

openapi('a change by PATCH is a merge patch, in which null clears', () => {
  const body = at('paths', '/rest/user/comment/update/{comment_id}', 'patch', 'requestBody', 'content') as Node;
  assert.equal(Object.keys(body), ['application/json']);
  const content = at('paths', '/rest/app/article/create', 'post', 'requestBody', 'content') as Node;
  assert.equal(content['application/json'], {
    schema: { $ref: '#/components/schemas/app-article-create-body' },
    example: { article_title: 'Title' },
  });
  const { properties } = at('components', 'schemas', 'app-article-create-body') as { properties: Record<string, Node> };
  assert.is(properties.article_title?.type, 'string');
  assert.equal(properties.article_detail?.type, ['string', 'null']);
});

openapi('every example is one that its schema takes', () => {
  assert.equal(listExampleFaults(document), []);
});

openapi('secrets are written and never shown; what Treadle sets cannot be sent', () => {
  const row = at('components', 'schemas', 'article-columns', 'properties') as Node;
  assert.is(row.article_secret, undefined);
  assert.ok(row.article_active);
  const body = at('components', 'schemas', 'app-article-create-body') as Node;
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
  const data = ['components', 'schemas', 'webhook-profile-created-body'];
  const whole = at(...data, 'properties', 'data') as { allOf: Node[]; else: Node };
  assert.equal(whole.allOf[0], { $ref: '#/components/schemas/profile-columns' });
  assert.equal(whole.else, { $ref: '#/components/schemas/profile' });
  const checker = createChecker(document);
  const event = (row: object) => ({ type: 'profile.created', timestamp: '2026-01-15T09:30:00Z', data: row });
  const row = { profile_id: 1, profile_name: 'Ann', profile_created: '2026-01-15 09:30:00' };
  assert.equal(checker.checkAt(data, event(row)), []);
  assert.equal(checker.checkAt(data, event({ profile_id: 1, omitted: ['profile_name', 'profile_created'] })), []);
  assert.ok(checker.checkAt(data, event({ profile_id: 1 })).length > 0, 'what it does not send it must name');
});

openapi('the key of a hook follows from the hook alone', () => {
  const hook = { title: 'T', event: 'system-model-create', parameters: { schema: 'profile' }, type: 'profile.created' };
  const list = (hooks: Record<string, unknown>): string[] =>
    Object.keys(buildOpenApi(createDocs({}, hooks).plan, 'https://example.org').webhooks as object).sort();
  assert.equal(list({}), ['profile.created']);
  assert.equal(list({ again: hook, 'a-first': hook }), ['a-first', 'again', 'profile.created']);
  assert.equal(list({ again: { ...hook, type: 'profile.made' } }), ['again', 'profile.created']);
});

openapi('describes nothing that no call refers to', () => {
  const used = new Set([...walk(document)].map(({ $ref }) => $ref));
  for (const [kind, group] of Object.entries(document.components as Record<string, Node>)) {
    if (kind === 'securitySchemes') continue;
    for (const name of Object.keys(group)) {
      // The whole row is described if some of its columns are.
      const isUsed = used.has(`#/components/${kind}/${name}`) || used.has(`#/components/${kind}/${name}-columns`);
      assert.ok(isUsed, `${kind} ${name}`);
    }
  }
});

openapi('@redocly/cli finds no error', () => {
  const folder = mkdtempSync(join(tmpdir(), 'treadle-openapi-'));
  try {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(document));
    const tool = join(packageRoot, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const { status, stdout, stderr } = spawnSync(process.execPath, [tool, 'lint', '--format=json', file], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    const said = JSON.parse(stdout) as {
      totals: { errors: number };
      problems: { severity: string; message: string }[];
    };
    assert.equal(
      said.problems.filter(({ severity }) => severity === 'error'),
      [],
    );
    assert.is(said.totals.errors, 0);
    assert.is(status, 0, stderr);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

openapi.run();
