import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Api, startApi } from './_api.ts';

/** The Postman collection and the `.http` file of the docs run as served, in their order, against a real server. */
const test = suite('collections of the docs');

interface Item {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly auth: { readonly type: 'noauth' | 'basic' | 'bearer' };
    readonly header: readonly { readonly key: string; readonly value: string }[];
    readonly body?: { readonly raw?: string };
    readonly url: {
      readonly raw: string;
      readonly path: readonly string[];
      readonly query?: readonly { readonly key: string; readonly value: string; readonly disabled?: true }[];
    };
  };
  readonly event: readonly { readonly script: { readonly exec: readonly string[] } }[];
}

interface Collection {
  readonly info: { readonly schema: string };
  readonly variable: readonly { readonly key: string; readonly value: string; readonly type?: string }[];
  readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[];
}

let api: Api;
let collection: Collection;
let file: string;

test.before(async () => {
  api = await startApi();
  collection = (await api.site.get('/developer/docs/postman.json')).json();
  file = (await api.site.get('/developer/docs/api.http')).text;
});
test.after(() => api?.close());

const listItems = (): Item[] => collection.item.flatMap(({ item }) => [...item]);

/** Replaces `{{name}}` as Postman does; one without a value stays, and so fails. */
const fill = (text: string, variables: ReadonlyMap<string, string>): string =>
  text.replace(/\{\{(\$?\w+)\}\}/g, (whole, name: string) =>
    name === '$guid' ? randomUUID() : (variables.get(name) ?? whole),
  );

async function send({ request }: Item, variables: ReadonlyMap<string, string>): Promise<Response> {
  const { auth, header, body, method, url } = request;
  const pair = `${variables.get('clientId')}:${variables.get('clientSecret')}`;
  const authorization = { noauth: '', basic: `Basic ${btoa(pair)}`, bearer: `Bearer ${variables.get('accessToken')}` };
  const headers: Record<string, string> = Object.fromEntries(
    header.map(({ key, value }) => [key, fill(value, variables)]),
  );
  if (auth.type !== 'noauth') headers.authorization = authorization[auth.type];
  return fetch(fill(url.raw, variables), {
    method,
    headers,
    ...(body ? { body: body.raw === undefined ? new FormData() : fill(body.raw, variables) } : {}),
  });
}

/** Runs a request's script with what it uses of Postman; returns the names of tests that failed. */
async function judge({ event }: Item, answer: Response, variables: Map<string, string>): Promise<string[]> {
  const text = await answer.text();
  const failed: string[] = [];
  const pm = {
    response: { code: answer.status, text: () => text, json: () => JSON.parse(text), headers: answer.headers },
    collectionVariables: {
      get: (name: string) => variables.get(name),
      set: (name: string, value: unknown) => variables.set(name, String(value)),
    },
    expect: (value: unknown, message: string) => ({
      to: { equal: (wanted: unknown) => assert.is(value, wanted, message) },
    }),
    test: (name: string, check: () => void) => {
      try {
        check();
      } catch {
        failed.push(`${name}: ${answer.status} ${text}`);
      }
    },
  };
  for (const { script } of event) new Function('pm', script.exec.join('\n'))(pm);
  return failed;
}

test('each request of the collection gets a success, or the refusal that its test names', async () => {
  const variables = new Map(collection.variable.map(({ key, value }) => [key, value]));
  variables.set('clientId', api.app.id).set('clientSecret', api.app.secret).set('accessToken', api.token);
  assert.is(variables.get('baseUrl'), api.url);
  const failed: string[] = [];
  let successes = 0;
  for (const item of listItems()) {
    const answer = await send(item, variables);
    successes += Number(answer.ok);
    failed.push(...(await judge(item, answer, variables)).map((text) => `${item.name}: ${text}`));
  }
  assert.equal(failed, []);
  assert.ok(successes > listItems().length * 0.8, `${successes} of ${listItems().length} are successes`);
});

test('the collection has a request for each call, in folders by schema, and says which version it has', () => {
  assert.match(collection.info.schema, 'v2.1.0');
  const names = listItems().map(({ name }) => /\(([^)]+)\)$/.exec(name)?.[1]);
  const { paths } = api.document as { paths: Record<string, Record<string, { operationId: string }>> };
  const calls = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  assert.equal([...names].sort(), [...calls].sort());
  const folders = collection.item.map(({ name }) => name);
  assert.is(folders.at(-1), 'Removals');
  assert.ok(folders.indexOf('thing') >= 0);
});

test('secrets are variables of their kind without a value, and every variable is declared', () => {
  for (const key of ['clientSecret', 'accessToken']) {
    const variable = collection.variable.find((each) => each.key === key);
    assert.equal(variable, { key, value: '', type: 'secret' });
  }
  const known = new Set(collection.variable.map(({ key }) => key));
  const used = [...JSON.stringify(collection.item).matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name);
  assert.equal(
    used.filter((name) => !known.has(name)),
    [],
  );
});

test('the address in one text and its parts agree', () => {
  for (const { request, name } of listItems()) {
    const sent = (request.url.query ?? []).filter(({ disabled }) => disabled !== true);
    const tail = sent.map(({ key, value }) => `${key}=${value}`).join('&');
    assert.is(request.url.raw, `{{baseUrl}}/${request.url.path.join('/')}${tail === '' ? '' : `?${tail}`}`, name);
  }
});

test('the file of editors has the same requests, and declares its variables before them', () => {
  const [head = '', ...blocks] = file.split(/^### /m);
  const declared = new Set([...head.matchAll(/^@(\w+) =/gm)].map(([, name]) => name));
  const lines = blocks.map((block) => block.split('\n').find((line) => /^[A-Z]+ \{\{baseUrl\}\}/.test(line)));
  // Folders gather what stands apart in the file.
  const requests = listItems().map(({ request }) => `${request.method} ${request.url.raw}`);
  assert.equal(lines.sort(), requests.sort());
  for (const [, name = ''] of file.matchAll(/\{\{(\$?\w+)\}\}/g)) assert.ok(declared.has(name), name);
  for (const block of blocks) {
    const [, body] = block.split('\n\n', 2);
    const text = (body ?? '').replace(/\{\{\w+\}\}/g, '1').trim();
    if (text !== '' && !text.startsWith('--part')) JSON.parse(text);
  }
});

test('both have an ETag, and the collection is open to other origins', async () => {
  for (const path of ['/developer/docs/postman.json', '/developer/docs/api.http']) {
    const { headers } = await api.site.get(path);
    const again = await api.site.send('GET', path, { headers: { 'if-none-match': String(headers.etag) } });
    assert.is(again.status, 304, path);
  }
  const { headers } = await api.site.get('/developer/docs/postman.json');
  assert.is(headers['access-control-allow-origin'], '*');
});

test.run();
