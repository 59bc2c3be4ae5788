import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listTools } from '../../../src/cli/mcp/server.ts';
import { Project } from '../../project.ts';
import { run } from '../run.ts';
import { Client } from './_client.ts';

const test = suite('cli/mcp/server');
const project = new Project('blog');
const client = new Client(project.root);
test.after(async () => {
  assert.is(await client.end(), 0);
  await project.remove();
});

/** Tokens, by a quarter of the characters. */
const MOST_TOKENS = 1700;

test('all tools together weigh little', () => {
  const tokens = JSON.stringify(listTools()).length / 4;
  assert.ok(tokens <= MOST_TOKENS, `${tokens} tokens`);
});

for (const [wanted, got] of [
  ['2025-06-18', '2025-06-18'],
  ['2024-11-05', '2024-11-05'],
  ['1999-01-01', '2025-06-18'],
] as const) {
  test(`a client of ${wanted} is answered in ${got}`, async () => {
    const { result } = await client.ask('initialize', { protocolVersion: wanted, capabilities: {} });
    assert.is(result?.protocolVersion, got);
    assert.equal(result?.capabilities, { tools: {} });
    assert.type(result?.instructions, 'string');
  });
}

test('a client without a handshake discovers the server, and every answer says that it is whole', async () => {
  const { result } = await client.ask('server/discover');
  assert.equal(result?.supportedVersions, ['2026-07-28']);
  assert.is(result?.resultType, 'complete');
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const list = await client.ask('tools/list', { _meta });
  assert.is(list.result?.resultType, 'complete');
  assert.is(list.result?.cacheScope, 'public');
  const check = await client.ask('tools/call', { name: 'check', arguments: {}, _meta });
  assert.is(check.result?.resultType, 'complete');
});

test('ping is answered with nothing, and the tools say what they take', async () => {
  assert.equal((await client.ask('ping')).result, {});
  const { result = {} } = await client.ask('tools/list');
  const names = (result.tools as { name: string }[]).map(({ name }) => name);
  assert.equal(names, 'docs_search describe change check migrate routes explain rows last_errors'.split(' '));
});

for (const [what, line, code] of [
  ['no JSON', '{', -32700],
  ['an empty list', '[]', -32600],
  ['another protocol', '{"jsonrpc":"1.0","id":"a","method":"ping"}', -32600],
  ['no method', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
  ['an unknown method', '{"jsonrpc":"2.0","id":"a","method":"resources/list"}', -32601],
  ['inputs as a list', '{"jsonrpc":"2.0","id":"a","method":"ping","params":[]}', -32602],
  ['an unknown tool', '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"x"}}', -32602],
] as const) {
  test(`${what} is refused with ${code}, and the server goes on`, async () => {
    const before = client.out.length;
    client.send(`${line}\n`);
    await client.ask('ping');
    const [first = ''] = client.out.slice(before).split('\n');
    assert.is(JSON.parse(first).error.code, code);
  });
}

test('a notification and an empty line have no answer, and a line may come in two pieces', async () => {
  const before = client.out.length;
  client.send('{"jsonrpc":"2.0","method":"notifications/initialized"}\n\n{"jsonrpc":"2.0","id":"half",');
  client.send('"method":"ping"}\n');
  await client.ask('ping');
  const lines = client.out.slice(before).trim().split('\n');
  assert.is(lines.length, 2);
  assert.is(JSON.parse(lines[0] ?? '').id, 'half');
});

test('several messages in one line are answered in one, without notifications', async () => {
  const before = client.out.length;
  const ping = (id: string) => ({ jsonrpc: '2.0', id, method: 'ping' });
  const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
  client.send(`${JSON.stringify([ping('one'), note, 7, ping('two')])}\n${JSON.stringify([note])}\n`);
  await client.ask('ping');
  const lines = client.out.slice(before).trim().split('\n');
  assert.is(lines.length, 2);
  const told: { id: unknown; error?: { code: number } }[] = JSON.parse(lines[0] ?? '');
  assert.equal(
    told.map(({ id, error }) => [id, error?.code]),
    [
      ['one', undefined],
      [null, -32600],
      ['two', undefined],
    ],
  );
});

for (const [name, input, says] of [
  ['routes', { search: 1 }, /"search" must be of the type string/],
  ['routes', { serach: 'x' }, /"serach" is unknown/],
  ['rows', {}, /"schema" is missing/],
  ['rows', { schema: 'article', limit: 101 }, /"limit" must be 1 to 100/],
  ['describe', { kind: 'schemas' }, /"kind" must be one of/],
  ['change', { command: [1] }, /"command" must be a list of the type string/],
  ['explain', {}, /Give either/],
] as const) {
  test(`${name} ${JSON.stringify(input)} is refused with a code`, async () => {
    const { isError, data } = await client.call(name, input);
    assert.ok(isError);
    assert.is(data.code, 'MCP_INPUT_INVALID');
    assert.match(String(data.message), says);
  });
}

test('what the code of the project prints never gets to standard output', async () => {
  const loud = new Project('blog');
  const prints = "console.log('loud'); console.dir({ loud: 1 }); process.stdout.write('loud\\n');";
  loud.addController('loud', `export default function loud() { ${prints} }\n`);
  const printed: string[] = [];
  const { write } = process.stdout;
  process.stdout.write = (text: string | Uint8Array) => printed.push(String(text)) > 0;
  try {
    const own = new Client(loud.root);
    assert.is((await own.tool('check')).error, false);
    assert.is(await own.end(), 0);
    process.stdout.write('after');
  } finally {
    process.stdout.write = write;
    await loud.remove();
  }
  assert.equal(printed, ['after']);
});

test('settings that name a database of production later are refused by every tool that uses it', async () => {
  const env = project.read('.env');
  project.write('.env', `${env}NODE_ENV=production\n`);
  for (const [tool, input] of [
    ['migrate', {}],
    ['migrate', { apply: true }],
    ['rows', { schema: 'article' }],
    ['explain', { method: 'GET', path: '/admin', as: 'ann@example.org' }],
  ] as const) {
    const { data } = await client.call(tool, input);
    assert.is(data.code, 'MCP_PRODUCTION', tool);
  }
  project.write('.env', env);
});

test('it runs in development only, and in a project', async () => {
  const { code, err } = await run(['mcp'], { cwd: project.root, env: { NODE_ENV: 'production' } });
  assert.is(code, 1);
  assert.match(err, /runs in development only/);
  assert.is((await run(['mcp'], { cwd: '/' })).code, 64);
});

test.run();
