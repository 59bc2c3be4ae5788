import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Application, compileProject, createApp } from '../../src/boot.ts';
import { isError, type Problem } from '../../src/core/errors.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { planMigration } from '../../src/database/migration.ts';
import { createTables, listCounted } from '../../src/database/table.ts';
import type { CompiledPlan } from '../../src/plan/compile.ts';
import type { Plan } from '../../src/plan/feature.ts';
import { type ParsedFiles, readProject } from '../../src/project/read.ts';
import { Folders } from '../cli/run.ts';

/** A reload parses only files with another text, and compares only tables that changed; the result is that of a whole compilation. */
const incremental = suite('http/incremental');
const folders = new Folders();
incremental.after(() => folders.remove());

/** mulberry32: the same seed gives the same edits. */
function createRandom(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

type Random = (bound: number) => number;
const toSchema = (name: string, random: Random) => ({
  name,
  singular: name,
  plural: `${name}s`,
  fields: [
    { name: 'title', type: 'text', searchable: random(2) === 0, sortable: random(2) === 0 },
    ...(random(2) === 0 ? [{ name: 'count', type: 'number', filterable: true }] : []),
    ...(random(3) === 0 ? [{ name: 'active', type: 'active' }] : []),
  ],
  ...(random(3) === 0 ? { relations: [{ schema: 'profile', kind: random(2) === 0 ? '1:0' : 'N:N' }] } : {}),
});

const toCall = (name: string, random: Random) => ({
  title: `Search ${random(100)}`,
  access: 'public',
  method: 'get',
  path: random(4) === 0 ? `/public/${name}/find` : `/public/${name}/search`,
  event: 'system-model-search',
  parameters: { schema: name },
});

/** Writes, changes, breaks or removes a file; broken files are common while somebody types. */
function edit(root: string, random: Random): void {
  const name = `thing${random(6)}`;
  const schema = join(root, 'config/schema', `${name}.json`);
  const call = join(root, 'config/rest', `public-${name}-search.json`);
  mkdirSync(join(root, 'config/rest'), { recursive: true });
  const kind = random(10);
  if (kind === 0) rmSync(schema, { force: true });
  else if (kind === 1) rmSync(call, { force: true });
  else if (kind === 2) writeFileSync(schema, '{ "name": ');
  else if (kind < 5) writeFileSync(call, JSON.stringify(toCall(name, random)));
  else writeFileSync(schema, JSON.stringify(toSchema(name, random)));
}

/** A value as text, with maps, sets and functions, to compare two compilations. */
const print = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => {
    if (part instanceof Map) return { map: [...part] };
    if (part instanceof Set) return { set: [...part] };
    if (part instanceof RegExp || typeof part === 'function') return String(part);
    return part;
  });

const printPlan = (plan: Plan): string =>
  print({
    model: { ...plan.model, schemas: [...plan.model.schemas].map(([name, { row: _, ...schema }]) => [name, schema]) },
    rows: [...plan.model.schemas.values()].map(({ row }) => row.stored),
    calls: plan.calls,
    routes: (plan as CompiledPlan).routes.map(({ method, path, description }) => [method, path, description]),
    tables: createTables(plan.model, plan.tables, { dialect: 'sqlite' }),
  });

const toTold = (problems: readonly Problem[]): string[] =>
  problems.map(({ code, file, path, message }) => `${code} ${file} ${path} ${message}`).sort();

incremental('reads the same definitions with what it parsed before as without', async () => {
  const root = folders.makeProject('bare');
  const random = createRandom(3);
  const known: ParsedFiles = new Map();
  for (let round = 0; round < 120; round += 1) {
    for (let count = 0; count <= random(3); count += 1) edit(root, random);
    const [kept, fresh] = [await readProject(root, known), await readProject(root)];
    assert.is(print(kept.definitions), print(fresh.definitions));
    assert.equal(kept.problems, fresh.problems);
  }
  assert.is(
    known.size,
    readdirSync(join(root, 'config'), { recursive: true }).filter((name) => String(name).endsWith('.json')).length,
  );
});

const open = (root: string): Promise<Application> => createApp({ root, mode: 'test', env: {}, log: silentLog });

incremental('serves after random edits what a whole compilation gives, on tables that fit', async () => {
  const root = folders.makeProject('bare');
  const random = createRandom(5);
  const app = await open(root);
  try {
    for (let round = 0; round < 40; round += 1) {
      for (let count = 0; count <= random(2); count += 1) edit(root, random);
      // The rest of the time nothing changed since the last reload.
      if (random(4) > 0) await app.services.reload();
      const reloaded = await app.services.reload();
      const { plan, problems } = await compileProject(root, {});
      if (plan === undefined) {
        assert.ok(reloaded.some(isError));
        continue;
      }
      const told = toTold(reloaded);
      for (const problem of toTold(problems)) assert.ok(told.includes(problem), `${problem} in ${told.join('\n')}`);
      assert.is(printPlan(app.plan), printPlan(plan));
      const { database } = app.services;
      const tables = createTables(app.plan.model, app.plan.tables, { dialect: database.dialect });
      const missing = (await planMigration(database, tables)).steps.filter(({ isNeeded }) => isNeeded);
      assert.equal(missing, []);
      const versions = await database.tableVersions();
      for (const { name } of listCounted(tables)) assert.ok(versions.basisOf([name]).places, name);
    }
  } finally {
    await app.close();
  }
});

incremental('compares the tables again where another program changed them', async () => {
  const root = folders.makeProject('bare');
  writeFileSync(join(root, 'config/schema/thing0.json'), JSON.stringify(toSchema('thing0', () => 0)));
  const app = await open(root);
  try {
    await app.services.reload();
    const { database } = app.services;
    const run = (text: string) => database.run(CompiledQuery.raw(text));
    await run('alter table thing0 rename column thing0_count to other');
    await app.services.reload();
    assert.equal(await run('select thing0_count from thing0'), []);
    const file = join(root, 'config/schema/thing0.json');
    assert.match(readFileSync(file, 'utf8'), 'thing0');
  } finally {
    await app.close();
  }
});

incremental.run();
