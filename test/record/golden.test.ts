// The rest of the net: what a model compiles to, its API document, its types and client, the help of every command, and what
// commands print with --json. One line each in golden.txt. SQLite only: none of it asks the database but the last.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CATALOG } from '../../src/cli/catalog.ts';
import { printClientFile } from '../../src/cli/client-file/file.ts';
import { main } from '../../src/cli/main.ts';
import { printTypes } from '../../src/cli/types/file.ts';
import { describeResults, describeStage } from '../../src/plan/event/describe.ts';
import type { Plan } from '../../src/plan/feature.ts';
import { DIALECT } from '../database/_where.ts';
import { short } from './_play.ts';
import { type RecordWorld, startRecordWorld } from './_world.ts';

const test = suite<{ world: RecordWorld }>('recorded texts');
const FILE = fileURLToPath(new URL('golden.txt', import.meta.url));
const WRITES = process.env.TREADLE_RECORD_WRITE !== undefined;
/** Of `run.mjs --against`, as in `record.test.ts`. */
const OUT = process.env.TREADLE_RECORD_OUT;
const SHOWN = 20;

/** A name, and the text whose hash is compared. */
type Entry = readonly [name: string, text: string];

const toJson = (value: unknown): string => JSON.stringify(value) ?? '';

function listPlan(plan: Plan): Entry[] {
  const { routes, events, tables, calls, hooks, jobs } = plan;
  return [
    ...routes.map(({ listen: _, ...route }): Entry => {
      const { kind, bodyBytes, uploadBytes, isOAuth } = plan.bus.match(
        route.method === 'ALL' ? 'GET' : route.method,
        route.path.replace(/:\w+/g, '1'),
      );
      return [`route ${route.method} ${route.path}`, toJson([route, { kind, bodyBytes, uploadBytes, isOAuth }])];
    }),
    ...events.map(
      (event): Entry => [
        `event ${event.name}`,
        toJson({ ...event, listen: undefined, stage: describeStage(event), results: describeResults(event) }),
      ],
    ),
    ...tables.map((table): Entry => [`table ${table.name}`, toJson(table)]),
    ...calls.map(
      ({ name, path, parameters, isOwn, status, schema, definition }): Entry => [
        `call ${name}`,
        toJson([path, parameters, isOwn, status, schema, definition]),
      ],
    ),
    ...hooks.map(({ name, ...hook }): Entry => [`hook ${name}`, toJson(hook)]),
    ...jobs.map((job): Entry => [`job ${job.name}`, toJson({ ...job, work: undefined, run: undefined })]),
    ...[...plan.model.schemas.values()].map(
      ({ name, row }): Entry => [
        `schema ${name}`,
        toJson([row.stored, row.shown.map((column) => column.name), row.flat.map((column) => column.name)]),
      ],
    ),
  ];
}

type Tree = Readonly<Record<string, unknown>>;

/** The document by path and method, and by schema. */
function listApi(document: Tree): Entry[] {
  const paths = Object.entries(document.paths as Record<string, Tree>);
  const { components, paths: _, ...rest } = document;
  return [
    ['api', toJson(rest)],
    ...paths.flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]): Entry => [`api ${method} ${path}`, toJson(operation)]),
    ),
    ...Object.entries(components as Record<string, Tree>).flatMap(([kind, named]) =>
      Object.entries(named).map(([name, value]): Entry => [`api ${kind} ${name}`, toJson(value)]),
    ),
  ];
}

/** The blocks of a file, by their first line. */
const listBlocks = (name: string, text: string): Entry[] =>
  text.split(/\n(?=(?:\/\*\*|export|declare)\b)/).map((block): Entry => {
    const head = block.split('\n').find((line) => /^(?:export|declare)/.test(line)) ?? block.slice(0, 60);
    return [`${name} ${head.replace(/\s+/g, ' ').slice(0, 80)}`, block];
  });

/** Commands in the order in which they run: later ones see what earlier ones wrote. */
const COMMANDS = [
  'check',
  'routes',
  'events',
  ...['schema', 'fieldset', 'rest', 'scope', 'webhook', 'app', 'role'].map((noun) => `${noun} list`),
  ...['schema show thing', 'rest show public-thing-search', 'role show editor', 'scope show all'],
  'explain GET /admin',
  'explain GET /rest/user/thing/search --as ann@example.org',
  'user list',
  'job list',
  'migrate --dry-run',
  'field add thing size --type small --filterable',
  'field add thing size --type small',
  'field update thing size --sortable',
  'field rename thing size length --yes',
  'field remove thing length',
  'relation add thing 1:0 article --name cause',
  'relation remove thing 1:0 cause',
  'relation add thing 1:9 article',
  'rest generate label',
  'scope create tiny --name Tiny --access user --call user-thing-search',
  'webhook create told --title Told --event system-model-create --parameter schema=label',
  'role create clerk --name Clerk --permission all:/staff/**',
  'role allow clerk label search detail --open keep',
  'role allow nobody label search',
  'schema create leaf --singular Leaf --plural Leaves',
  'schema rename leaf blade --yes',
  'schema remove blade --yes',
  'emit system-model-search schema=label',
  'export label',
  'export thing --format csv',
  'fake label 2 --date 2026-01-05 --dry-run',
  'check',
  'nonsense',
] as const;

async function runCommand(line: string, { site, masks }: RecordWorld): Promise<Entry> {
  const said = { out: '', err: '' };
  const keep = (name: 'out' | 'err') => (text: string) => {
    said[name] += text;
  };
  const code = await main([...line.split(' '), '--json'], {
    cwd: site.root,
    env: { CI: 'true', PATH: process.env.PATH, TREADLE_SECRET: 'a secret of the net, of enough characters' },
    stdin: (async function* () {})(),
    stdout: { write: keep('out') },
    stderr: { write: keep('err') },
  });
  const text = masks.reduce((masked, [from, to]) => masked.replaceAll(from, to), toJson([code, said]));
  return [`--json ${line}`, text];
}

async function readHelp(words: readonly string[], root: string): Promise<Entry> {
  let out = '';
  const write = (text: string): void => {
    out += text;
  };
  const stdin = (async function* () {})();
  await main([...words, '--help'], { cwd: root, env: { CI: 'true' }, stdin, stdout: { write }, stderr: { write } });
  return [`help ${words.join(' ')}`.trim(), out];
}

async function listTexts(world: RecordWorld): Promise<Entry[]> {
  const { plan, services } = world.site.app;
  const api = services.describeApi(plan);
  const entries = [
    ...listPlan(plan),
    ...listApi(api as Tree),
    ...listBlocks('types', printTypes(plan.model, plan.events)),
    ...listBlocks('client', printClientFile(api, 'https://site.example')),
  ].map(([name, text]): Entry => [name, world.masks.reduce((masked, [from, to]) => masked.replaceAll(from, to), text)]);
  for (const { words } of CATALOG) entries.push(await readHelp(words, world.site.root));
  for (const line of COMMANDS) entries.push(await runCommand(line, world));
  return entries;
}

/** The texts by name; a name that comes again has a number. */
function byName(entries: readonly Entry[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [name, text] of entries) {
    let key = name;
    for (let number = 2; texts.has(key); number += 1) key = `${name} (${number})`;
    texts.set(key, text);
  }
  return texts;
}

test.before(async (at) => {
  at.world = await startRecordWorld();
});
test.after(({ world }) => world.site.close());

if (DIALECT === 'sqlite')
  test('plan, API, types, help and what commands print are as before', async ({ world }) => {
    const texts = byName(await listTexts(world));
    if (OUT !== undefined) {
      const toLine = ([key, body]: Entry): string =>
        `${JSON.stringify({ key: `golden: ${key}`, outcome: { body } })}\n`;
      return appendFileSync(OUT, [...texts].map(toLine).join(''));
    }
    const lines = new Map([...texts].map(([name, text]) => [name, short(text)] as const));
    if (WRITES) return writeFileSync(FILE, [...lines].map(([name, hash]) => `${name}\t${hash}\n`).join(''));
    const golden = new Map(
      (existsSync(FILE) ? readFileSync(FILE, 'utf8') : '')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => line.split('\t') as [string, string]),
    );
    const faults = [...lines].filter(([name, hash]) => golden.get(name) !== hash).map(([name]) => name);
    faults.push(...[...golden.keys()].filter((name) => !lines.has(name)).map((name) => `${name}: is gone`));
    const hint = 'Keep them: node test/record/run.mjs --write';
    assert.is(faults.length, 0, `${faults.slice(0, SHOWN).join('\n')}\n${faults.length} differences. ${hint}`);
  });

test.run();
