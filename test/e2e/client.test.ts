import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { printClientFile } from '../../src/cli/client-file/file.ts';
import { printClientPackage } from '../../src/cli/client-file/package.ts';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { type Api, startApi } from '../feature/docs/_api.ts';
import { UPLOAD } from './_upload-call.ts';

/** The client of `treadle client`: TypeScript compiles it in strict mode, and a real server answers it. */
const test = suite('typed client');

// biome-ignore lint/suspicious/noExplicitAny: the file is made while the test runs; its types are judged by tsc below.
type Loaded = any;

let api: Api;
let folder: string;
let file: Loaded;

/** Valid and invalid uses: each line that must not compile is marked. */
const USE = `import { ApiError, Client, isApiError, type Thing } from './index.ts';
import { thingQueries } from './query.ts';

export async function use(client: Client): Promise<string[]> {
  const page = await client.thing.publicSearch({ limit: 5, filter: { thing_number: { gte: 5 }, thing_select: 'a' }, sort: '-thing_name' });
  const first: Thing | undefined = page.rows[0];
  const few = await client.thing.publicSearch({ fields: ['thing_name'] });
  const name: string | undefined = few.rows[0]?.thing_name;
  // @ts-expect-error: a number has no part that is contained.
  await client.thing.publicSearch({ filter: { thing_number: { contains: 'x' } } });
  // @ts-expect-error: a choice has no order.
  await client.thing.publicSearch({ filter: { thing_select: { gte: 'a' } } });
  // @ts-expect-error: not one of the options.
  await client.thing.publicSearch({ filter: { thing_select: { in: ['c'] } } });
  // @ts-expect-error: a number is compared with numbers.
  await client.thing.publicSearch({ filter: { thing_number: { gte: 'five' } } });
  await client.thing.publicSearch({ filter: { thing_number: { between: [1, 5] }, thing_name: { contains: 'x' } } });
  await client.thing.publicSearch({ filter: { or: [{ thing_number: 5 }, { thing_name: { starts: 'a' } }], thing_number: 5 } });
  // @ts-expect-error: an alternative takes what the filter takes.
  await client.thing.publicSearch({ filter: { or: [{ thing_number: { contains: 'x' } }] } });
  await client.thing.publicSearch({ expand: ['part', 'part.profile'] });
  // @ts-expect-error: not a relation.
  await client.thing.publicSearch({ expand: ['none.profile'] });
  const options = thingQueries(client).publicSearch({ fields: ['thing_name'] });
  const loaded = await options.queryFn({ signal: AbortSignal.timeout(1000) });
  const read: string | undefined = loaded.rows[0]?.thing_name;
  // @ts-expect-error: this column was not asked for, in a query either.
  loaded.rows[0]?.thing_number;
  const whole: string[] = (await thingQueries(client).publicDetail({ thing_id: 1 }).queryFn({ signal: AbortSignal.timeout(1000) })).label.map(({ label_title }) => label_title);
  const infinite = thingQueries(client).publicSearchInfinite({ limit: 2 });
  const cursor: string | undefined = infinite.getNextPageParam(await infinite.queryFn({ signal: AbortSignal.timeout(1000), pageParam: undefined }));
  const sent: { url: string } = await client.user.upload(new Blob(['x']), { name: 'x.txt' });
  // @ts-expect-error: this column was not asked for.
  few.rows[0]?.thing_number;
  // @ts-expect-error: there is no such column.
  await client.thing.publicSearch({ fields: ['thing_nam'] });
  // @ts-expect-error: there is no such parameter.
  await client.thing.publicSearch({ limt: 5 });
  const detail = await client.thing.publicDetail({ thing_id: 1 });
  const labels: string[] = detail.label.map(({ label_title }) => label_title);
  const cover: string | undefined = detail.cover?.cover_title;
  // @ts-expect-error: the name is required.
  await client.thing.userCreate({ thing_number: 5 });
  // @ts-expect-error: not one of the options.
  await client.thing.userCreate({ thing_name: 'x', thing_select: 'c' });
  const made = await client.thing.userCreate({ thing_name: 'x', thing_select: 'a', thing_email: null });
  const choice: 'a' | 'b' | null = made.thing_select;
  // @ts-expect-error: this call changes one version of a row.
  await client.thing.userRevise({ thing_id: made.thing_id }, { thing_number: 1 });
  await client.thing.userBatch({ operations: [{ action: 'create', values: { thing_name: 'x' } }, { action: 'remove', id: 1 }] });
  for await (const row of client.thing.userSearchAll({ fields: ['thing_name'] }, { signal: AbortSignal.timeout(1000) })) row.thing_name.trim();
  // @ts-expect-error: there is no such scope.
  await client.oauth.authorize('https://app.example/cb', ['nothing']);
  try {
    await client.thing.publicDetail({ thing_id: 0 });
  } catch (error) {
    if (isApiError(error, 'ROW_MISSING', 'VALIDATION_FAILED')) {
      const code: 'ROW_MISSING' | 'VALIDATION_FAILED' = error.code;
      return [code, ...error.errors.map(({ pointer, rule, detail }) => [pointer, rule, detail].join())];
    }
    if (error instanceof ApiError) return [error.message, error.messageOf('thing_name') ?? '', String(error.status)];
  }
  return [read ?? '', ...whole, cursor ?? '', sent.url, first?.thing_name ?? '', name ?? '', ...labels, cover ?? '', choice ?? ''];
}
`;

let document: Record<string, unknown>;

test.before(async () => {
  api = await startApi();
  folder = mkdtempSync(join(tmpdir(), 'treadle-client-'));
  document = { ...api.document, paths: { ...(api.document.paths as object), ...UPLOAD } };
  const files = printClientPackage(document, undefined);
  const text = files.get('index.ts') ?? '';
  for (const [path, content] of files) writeFileSync(join(folder, path), content);
  writeFileSync(join(folder, 'use.ts'), USE);
  const script = join(folder, 'client.mjs');
  writeFileSync(script, transformSync(text, { loader: 'ts' }).code);
  file = await import(pathToFileURL(script).href);
});
test.after(async () => {
  await api?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

test('tsc --strict takes it, and refuses what the API would', () => {
  const tsc = join(packageRoot, 'node_modules', 'typescript', 'bin', 'tsc');
  const flags = [
    '--strict',
    '--noEmit',
    '--noUnusedLocals',
    '--noUncheckedIndexedAccess',
    '--exactOptionalPropertyTypes',
  ];
  const target = ['--target', 'es2022', '--lib', 'es2022,dom,dom.iterable', '--module', 'nodenext', '--types', ''];
  const more = ['--allowImportingTsExtensions', '--erasableSyntaxOnly', '--isolatedModules'];
  const { stdout, status } = spawnSync(process.execPath, [tsc, ...flags, ...target, ...more, 'use.ts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.is(stdout, '');
  assert.is(status, 0);
});

test('the same document gives the same bytes', () => {
  const copy = JSON.parse(JSON.stringify(document));
  assert.is(printClientFile(copy, undefined), printClientFile(document, undefined));
  assert.equal([...printClientPackage(copy, undefined)], [...printClientPackage(document, undefined)]);
});

const create = (more: object = {}): Loaded => new file.Client({ baseUrl: api.url, ...more });

test('creates, reads, changes one version, and says what is wrong', async () => {
  const client = create({ token: api.token });
  const made = await client.thing.userCreate({ thing_name: 'One', thing_number: 5, thing_tag: ['a'] });
  assert.is(made.thing_name, 'One');
  const { etag, status } = client.factsOf(made);
  assert.is(status, 201);
  const changed = await client.thing.userUpdate({ thing_id: made.thing_id }, { thing_number: 6 }, { ifMatch: etag });
  assert.is(changed.thing_number, 6);
  try {
    await client.thing.userUpdate({ thing_id: made.thing_id }, { thing_number: 7 }, { ifMatch: etag });
    assert.unreachable();
  } catch (error) {
    const { status: refused, etag: now, requestId } = error as { status: number; etag: string; requestId: string };
    assert.is(refused, 412);
    assert.ok(requestId);
    await client.thing.userUpdate({ thing_id: made.thing_id }, { thing_number: 7 }, { ifMatch: now });
  }
  try {
    await client.thing.userCreate({ thing_name: '', thing_fieldset: [{ from: 'x' }] });
    assert.unreachable();
  } catch (error) {
    const failure = error as { status: number; messageOf(place: string): string | undefined; call: string };
    assert.instance(error, file.ApiError);
    assert.is(failure.status, 422);
    assert.is(failure.call, 'user-thing-create');
    assert.ok(failure.messageOf('thing_name'));
    assert.is(failure.messageOf('thing_number'), undefined);
    assert.is(failure.messageOf('thing_name.0'), undefined, 'a character is no message');
  }
  const detail = await client.thing.userDetail({ thing_id: made.thing_id });
  assert.equal(detail.thing_tag, ['a']);
  assert.equal(detail.label, []);
});

test('goes through all pages, filters, and takes the columns that it asks for', async () => {
  const client = create({ token: api.token });
  for (let number = 1; number <= 7; number += 1)
    await client.thing.userCreate({ thing_name: `Page ${number}`, thing_number: 100 + number });
  const parameters = {
    limit: 3,
    fields: ['thing_number'],
    filter: { thing_number: { gt: 100 } },
    sort: '-thing_number',
  };
  const rows: Record<string, unknown>[] = [];
  for await (const row of client.thing.userSearchAll(parameters)) rows.push(row);
  assert.equal(
    rows.map((row) => row.thing_number),
    [107, 106, 105, 104, 103, 102, 101],
  );
  assert.equal(Object.keys(rows[0] as object).sort(), ['thing_id', 'thing_number']);
  const page = await client.thing.publicSearch({ limit: 2, filter: { thing_number: { in: [101, 103] } } });
  assert.is(page.total, 2);
  const count = async (filter: object): Promise<number> => (await client.thing.publicSearch({ filter })).total;
  assert.is(await count({ thing_name: { in: ['Page 1', 'Page, 2'] } }), 1, 'a comma in an item parts no list');
  const or = [{ thing_number: 101 }, { thing_number: { gte: 106 }, thing_name: { starts: 'Page' } }];
  assert.is(await count({ or, thing_number: { gt: 100 } }), 3);
  // The second page of what lies before a row is the one after its first.
  const before = (await client.thing.userSearch({ ...parameters, limit: 4, after: page.next })).previous;
  const all: unknown[] = [];
  for await (const row of client.thing.userSearchAll({ ...parameters, before })) all.push(row);
  assert.is(all.length, 7);
});

test('a write that is sent again happens once', async () => {
  const client = create({ token: api.token });
  const options = { idempotencyKey: 'client-once' };
  const first = await client.thing.userCreate({ thing_name: 'Once' }, options);
  const second = await client.thing.userCreate({ thing_name: 'Once' }, options);
  assert.is(second.thing_id, first.thing_id);
  assert.is(client.factsOf(first).isReplayed, false);
  assert.is(client.factsOf(second).isReplayed, true);
});

/** A fetch that answers the first requests itself and passes on the rest; it records what was sent. */
function createFetch(answers: readonly (() => Response)[]) {
  const left = [...answers];
  const sent: Headers[] = [];
  const go = (url: string, init: RequestInit): Promise<Response> => {
    sent.push(new Headers(init.headers));
    const answer = left.shift();
    return answer ? Promise.resolve().then(answer) : fetch(url, init);
  };
  return { sent, go };
}

const busy = (status: number, seconds: string) => () =>
  new Response('{}', { status, headers: { 'retry-after': seconds } });

test('waits as long as Retry-After says, with the same key; not longer than it may, and not where it was told to stop', async () => {
  const broken = (): Response => {
    throw new TypeError('fetch failed');
  };
  const { go, sent } = createFetch([busy(429, '0'), busy(503, '0'), broken]);
  const client = create({ token: api.token, fetch: go, retries: 3 });
  const made = await client.thing.userCreate({ thing_name: 'Waits' });
  assert.is(made.thing_name, 'Waits');
  assert.is(sent.length, 4);
  assert.is(new Set(sent.map((headers) => headers.get('idempotency-key'))).size, 1);

  const long = create({ fetch: createFetch([busy(429, '3600')]).go });
  const failure = await long.public.helloGet().catch((error: unknown) => error);
  assert.is((failure as { status: number }).status, 429);
  assert.is((failure as { retryAfter: number }).retryAfter, 3600);

  const controller = new AbortController();
  const held = createFetch([busy(503, '30')]);
  const stopped = create({ fetch: held.go }).public.helloGet({ signal: controller.signal });
  setImmediate(() => controller.abort(new Error('enough')));
  assert.match(String(await stopped.catch((error: unknown) => error)), 'enough');
  assert.is(held.sent.length, 1);
});

test('waits are spread by chance, and clock, chance, timer and key are the caller’s', async () => {
  const waits: number[] = [];
  const broken = (): Response => {
    throw new TypeError('fetch failed');
  };
  const { go, sent } = createFetch([broken, broken, busy(503, 'Thu, 01 Jan 1970 00:00:07 GMT')]);
  const client = create({
    token: api.token,
    fetch: go,
    retries: 3,
    now: () => 5000,
    random: () => 0.5,
    makeKey: () => 'a-key-of-ours',
    wait: async (milliseconds: number) => void waits.push(milliseconds),
  });
  await client.thing.userCreate({ thing_name: 'Spread' });
  assert.equal(waits, [150, 300, 2000]);
  assert.is(sent.at(-1)?.get('idempotency-key'), 'a-key-of-ours');
});

test('an error has its code and its places; a guard asks for codes', async () => {
  const problem = { code: 'VALUE_TAKEN', errors: [{ pointer: '/thing_sku', rule: 'taken', detail: 'Taken' }] };
  const { go } = createFetch([() => new Response(JSON.stringify(problem), { status: 409 })]);
  const client = create({ token: api.token, fetch: go });
  const failure = await client.thing.userCreate({ thing_name: 'x' }).catch((error: unknown) => error);
  assert.is(failure.code, 'VALUE_TAKEN');
  assert.equal(failure.errors, problem.errors);
  assert.ok(file.isApiError(failure));
  assert.ok(file.isApiError(failure, 'ROW_MISSING', 'VALUE_TAKEN'));
  assert.not(file.isApiError(failure, 'ROW_MISSING'));
  assert.not(file.isApiError(new Error('other')));
});

test('an upload sends a file as a form, with its name, and a form as it is', async () => {
  const bodies: FormData[] = [];
  const go = (_url: string, init: RequestInit): Promise<Response> => {
    assert.is(new Headers(init.headers).get('content-type'), null, 'fetch writes the boundary');
    bodies.push(init.body as FormData);
    return Promise.resolve(
      Response.json({ results: { url: '/uploads/1', name: 'a', type: 'b', size: 1 } }, { status: 201 }),
    );
  };
  const client = create({ token: api.token, fetch: go });
  const { url } = await client.user.upload(new Blob(['one']), { name: 'one.txt' });
  assert.is(url, '/uploads/1');
  await client.user.upload(new File(['two'], 'two.txt'));
  const form = new FormData();
  await client.user.upload(form);
  assert.equal(
    bodies.map((body) => (body.get('file') as File | null)?.name),
    ['one.txt', 'two.txt', undefined],
  );
  assert.is(bodies[2], form);
});

test('a call that the project wrote by hand takes any body', async () => {
  const client = create({ token: api.token });
  assert.equal(await client.user.helloPost(), { hello: 1 });
  const failure = await client.user.helloPost({ fail: 1 }).catch((error: unknown) => error);
  assert.is((failure as { status: number }).status, 422);
});

test('an app proves itself by its secret, or reads by its id', async () => {
  const whole = create({ clientId: api.app.id, clientSecret: api.app.secret });
  const made = await whole.thing.appCreate({ thing_name: 'App', profile_id: 1 });
  const reader = create({ clientId: api.app.id });
  assert.is((await reader.thing.appDetail({ thing_id: made.thing_id })).thing_name, 'App');
  const failure = await reader.thing.appCreate({ thing_name: 'App', profile_id: 1 }).catch((error: unknown) => error);
  assert.is((failure as { status: number }).status, 401);
  assert.match(
    String(
      await create()
        .thing.appSearch()
        .catch((error: unknown) => error),
    ),
    'give the client a clientId',
  );
});

test('a user lets it in, its tokens are refreshed when they end, and revoked', async () => {
  const heard: { accessToken: string; refreshToken?: string }[] = [];
  const client = create({
    clientId: api.app.id,
    clientSecret: api.app.secret,
    onTokens: (tokens: { accessToken: string }) => void heard.push(tokens),
  });
  const callback = 'https://app.example/cb';
  const { url, state, verifier } = await client.oauth.authorize(callback, ['profile_read', 'thing']);
  const { pathname, search } = new URL(url);
  const back = await api.user.post(pathname + search, { action: 'allow', 'permissions[]': ['profile_read', 'thing'] });
  const given = new URL(back.location).searchParams;
  assert.is(given.get('state'), state);
  await client.oauth.exchange(given.get('code') ?? '', callback, verifier);
  assert.is((await client.profile.userDetail()).profile_name, 'Ann');
  assert.is(heard.length, 1);

  // If the access token is no longer valid, concurrent calls share one refresh.
  const stale = create({
    clientId: api.app.id,
    clientSecret: api.app.secret,
    tokens: { ...heard[0], accessToken: 'ended' },
    onTokens: (tokens: { accessToken: string }) => void heard.push(tokens),
  });
  const names = await Promise.all([1, 2, 3].map(async () => (await stale.profile.userDetail()).profile_name));
  assert.equal(names, ['Ann', 'Ann', 'Ann']);
  assert.is(heard.length, 2);
  assert.is.not(heard[1]?.accessToken, heard[0]?.accessToken);
  await stale.oauth.revoke();
  assert.is(stale.tokens, undefined);
  const dead = create({ token: heard[1]?.accessToken });
  assert.is(((await dead.profile.userDetail().catch((error: unknown) => error)) as { status: number }).status, 401);
});

test.run();
