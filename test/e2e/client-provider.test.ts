import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type FrontEnd, printProvider } from '../../src/cli/client-file/provider.ts';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { type Api, startApi } from '../feature/docs/_api.ts';

/** The data providers of `treadle client`: TypeScript compiles them in strict mode, and a real server answers them. */
const test = suite('data providers');

// biome-ignore lint/suspicious/noExplicitAny: the files are made while the test runs; their types are judged by tsc below.
type Loaded = any;

let api: Api;
let folder: string;

test.before(async () => {
  api = await startApi();
  folder = mkdtempSync(join(tmpdir(), 'treadle-provider-'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
});
test.after(async () => {
  await api?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

async function load(frontEnd: FrontEnd, access: 'user' | 'app'): Promise<Loaded> {
  const text = printProvider(api.document, frontEnd, access, api.url);
  assert.is(printProvider(JSON.parse(JSON.stringify(api.document)), frontEnd, access, api.url), text);
  writeFileSync(join(folder, `${frontEnd}-${access}.ts`), text);
  const script = join(folder, `${frontEnd}-${access}.mjs`);
  writeFileSync(script, transformSync(text, { loader: 'ts' }).code);
  return import(pathToFileURL(script).href);
}

const sort = { field: 'id', order: 'DESC' };
const pagination = { page: 1, perPage: 2 };

test('react-admin reads, pages, filters, writes and removes', async () => {
  const { createDataProvider, ProviderError } = await load('react-admin', 'user');
  const provider = createDataProvider({ token: async () => api.token });
  const ids: number[] = [];
  for (const number of [71, 72, 73]) {
    const { data } = await provider.create('thing', {
      data: { thing_name: `RA ${number}`, thing_number: number, other: 1 },
    });
    assert.is(data.id, data.thing_id);
    ids.push(data.id);
  }
  const { data, total } = await provider.getList('thing', { pagination, sort, filter: { thing_number: { gte: 71 } } });
  assert.equal([data.map(({ id }: { id: number }) => id), total], [[ids[2], ids[1]], 3]);
  const count = async (filter: object): Promise<number> =>
    (await provider.getList('thing', { pagination: { page: 1, perPage: 1000 }, sort, filter })).total;
  assert.is(await count({ q: 'RA', thing_number: 72 }), 1);
  assert.is(await count({ thing_number: [71, 73] }), 2);
  assert.is(await count({ part: { part_title: 'none' } }), 0, 'a relation’s column is nested, too');
  assert.is(await count({ id: ids[0] }), 1, 'the key is called id');
  assert.is(await count({ thing_name: ['RA 71', 'RA, 72'] }), 1, 'a comma in an item parts no list');
  const or = [{ thing_number: 71 }, { thing_number: { gte: 73 }, thing_name: 'RA 73' }, { thing_name: '' }];
  assert.is(await count({ or, thing_name: { starts: 'RA' } }), 2);
  assert.match(String(await count({ or: [{ or }] }).catch(String)), 'stand beside "or"');
  assert.match(String(await count({ or: [{ q: 'RA' }] }).catch(String)), 'stand beside "or"');
  const many = await provider.getMany('thing', { ids: [ids[1], 999_999, ids[0]] });
  assert.equal(
    many.data.map(({ id }: { id: number }) => id),
    [ids[1], ids[0]],
  );
  const { data: before } = await provider.getOne('thing', { id: ids[0] });
  const changed = await provider.update('thing', {
    id: ids[0],
    data: { ...before, thing_name: 'New' },
    previousData: before,
  });
  assert.is(changed.data.thing_name, 'New');
  const refused = await provider.create('thing', { data: {} }).catch((error: unknown) => error);
  assert.instance(refused, ProviderError);
  assert.is(refused.status, 422);
  assert.ok(refused.body.errors.thing_name);
  assert.equal((await provider.updateMany('thing', { ids, data: { thing_number: 5 } })).data, ids);
  assert.is((await provider.delete('thing', { id: ids[0] })).data.id, ids[0]);
  assert.equal((await provider.deleteMany('thing', { ids: ids.slice(1) })).data, ids.slice(1));
  assert.is((await provider.getOne('thing', { id: ids[0] }).catch((error: unknown) => error)).status, 404);
  assert.match(String(await provider.getList('none', {}).catch(String)), 'There is no resource none');
  assert.match(String(await provider.delete('profile', { id: 1 }).catch(String)), 'no user call for remove');
});

test('refine reads with every operator that the API has, writes and removes as an app', async () => {
  const { createDataProvider } = await load('refine', 'app');
  const provider = createDataProvider({ clientId: api.app.id, clientSecret: api.app.secret });
  const resource = 'thing';
  const ids: number[] = [];
  for (const number of [81, 82])
    ids.push(
      (
        await provider.create({
          resource,
          variables: { thing_name: `RF ${number}`, thing_number: number, profile_id: 1 },
        })
      ).data.id,
    );
  const own = { field: 'thing_number', operator: 'gte', value: 81 };
  for (const [filter, wanted] of [
    [{ field: 'thing_number', operator: 'eq', value: 81 }, 1],
    [{ field: 'thing_number', operator: 'ne', value: 81 }, 1],
    [{ field: 'thing_number', operator: 'in', value: [81, 82] }, 2],
    [{ field: 'thing_number', operator: 'nin', value: [81] }, 1],
    [{ field: 'thing_number', operator: 'between', value: [82, 90] }, 1],
    [{ field: 'thing_name', operator: 'contains', value: 'F 8' }, 2],
    [{ field: 'thing_name', operator: 'startswith', value: 'RF' }, 2],
    [{ field: 'thing_name', operator: 'endswith', value: '82' }, 1],
    [{ field: 'thing_number', operator: 'nnull', value: true }, 2],
    [{ field: 'q', operator: 'eq', value: 'RF' }, 2],
    [{ operator: 'and', value: [own, { field: 'thing_number', operator: 'lt', value: 82 }] }, 1],
    [{ field: 'id', operator: 'in', value: [ids[0]] }, 1],
    [{ field: 'thing_name', operator: 'in', value: ['RF 81', 'RF, 82'] }, 1],
    [
      {
        operator: 'or',
        value: [
          { field: 'thing_number', operator: 'eq', value: 82 },
          { operator: 'and', value: [own, { field: 'thing_name', operator: 'endswith', value: '81' }] },
        ],
      },
      2,
    ],
  ] as const) {
    const { total } = await provider.getList({ resource, filters: [own, filter] });
    assert.is(total, wanted, JSON.stringify(filter));
  }
  const sorters = [{ field: 'id', order: 'desc' }];
  const second = await provider.getList({ resource, filters: [own], sorters, pagination: { current: 2, pageSize: 1 } });
  assert.is(second.data[0].id, ids[0]);
  const all = await provider.getList({ resource, filters: [own], pagination: { mode: 'off' } });
  assert.is(all.data.length, 2);
  const refuse = async (filters: readonly object[]): Promise<string> =>
    String(await provider.getList({ resource, filters }).catch(String));
  assert.match(await refuse([{ field: 'thing_name', operator: 'ncontains', value: 'x' }]), 'no operator ncontains');
  const alternatives = { operator: 'or', value: [own] };
  assert.match(await refuse([alternatives, alternatives]), 'one list of alternatives');
  const contains = (value: string): object => ({ field: 'thing_name', operator: 'contains', value });
  assert.match(await refuse([contains('R'), contains('F')]), 'two conditions filter[thing_name][contains]');
  assert.is((await provider.getMany({ resource, ids })).data.length, 2);
  assert.is((await provider.update({ resource, id: ids[0], variables: { thing_name: 'New' } })).data.thing_name, 'New');
  assert.is((await provider.getOne({ resource, id: ids[0] })).data.thing_name, 'New');
  assert.is((await provider.deleteOne({ resource, id: ids[0] })).data.id, ids[0]);
  assert.is(provider.getApiUrl(), api.url);
});

test('each new file of a list is sent first', async () => {
  const { createDataProvider } = await load('react-admin', 'user');
  const provider = createDataProvider({ token: api.token });
  const rawFile = (name: string): object => ({
    rawFile: new File(['text'], name, { type: 'text/plain' }),
    src: 'blob:1',
  });
  const { data } = await provider.create('thing', {
    data: {
      thing_name: 'RA files',
      thing_file: rawFile('a.txt'),
      thing_filelist: [rawFile('b.txt'), rawFile('c.txt')],
    },
  });
  assert.match(data.thing_file, /^\/\S+\.txt$/);
  assert.is(new Set([data.thing_file, ...data.thing_filelist]).size, 3);
});

test('tsc --strict takes both', async () => {
  await load('react-admin', 'user');
  await load('refine', 'app');
  const tsc = join(packageRoot, 'node_modules', 'typescript', 'bin', 'tsc');
  const flags = [
    '--strict',
    '--noEmit',
    '--noUncheckedIndexedAccess',
    '--exactOptionalPropertyTypes',
    '--noUnusedLocals',
  ];
  const target = ['--target', 'es2022', '--lib', 'es2022,dom,dom.iterable', '--module', 'nodenext', '--types', ''];
  const files = ['react-admin-user.ts', 'refine-app.ts'];
  const { stdout } = spawnSync(process.execPath, [tsc, ...flags, ...target, ...files], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.is(stdout, '');
});

test.run();
