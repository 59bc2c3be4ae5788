// A project of many schemas beside one of three: `check`, `migrate` from nothing, start, reads, writes, and a save in
// `treadle dev`. Processor time is printed beside the time, because another program on the machine changes only the latter.
// Usage: node test/bench/wide.mjs [--schemas 1000] [--rounds 5] [--saves 6] [--rows 20000] [--only check,migrate,start,same,spread,save] [--program dist/bin/treadle.js]
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureLoad } from './wide-load.mjs';
import { toSchema, writeWideProject } from './wide-project.mjs';
import { serveTreadle, toProcessorMilliseconds } from './wide-server.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    schemas: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    saves: { type: 'string', default: '6' },
    rows: { type: 'string', default: '20000' },
    only: { type: 'string', default: 'check,migrate,start,same,spread,save' },
    program: { type: 'string', default: join(root, 'dist/bin/treadle.js') },
  },
});
const program = resolve(values.program);
const does = new Set(values.only.split(','));
const rounds = Number(values.rounds);
const environment = { ...process.env, CI: 'true' };
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const show = (number) => Math.round(number).toString();

/** Runs a command to its end and gives wall clock and processor time in ms. */
async function runCommand(...args) {
  const begun = performance.now();
  // A shell counts the time of its children.
  const child = spawn('bash', ['-c', 'TIMEFORMAT="cpu %U %S"; time "$0" "$@"', process.execPath, program, ...args], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  child.stderr.on('data', (chunk) => {
    text += chunk;
  });
  const code = await new Promise((done) => child.on('close', done));
  const found = /cpu ([\d.]+) ([\d.]+)\s*$/.exec(text);
  if (code !== 0 || !found) throw new Error(`${args.join(' ')} ended with ${code}: ${text.slice(-2000)}`);
  return { wall: performance.now() - begun, cpu: (Number(found[1]) + Number(found[2])) * 1000 };
}

async function measureStart(folder) {
  const server = await serveTreadle(program, 'start', folder);
  const answer = await fetch(`${server.url}/rest/public/item0000/search`);
  await answer.text();
  const figures = { wall: performance.now() - server.begun, cpu: toProcessorMilliseconds(server.pid) };
  await server.stop();
  if (answer.status !== 200) throw new Error(`search: ${answer.status}`);
  return figures;
}

/** Changes the message of a rule, and waits until a refused row tells it. */
async function measureSaves({ folder, count, schemaFile }) {
  const server = await serveTreadle(program, 'dev', folder);
  const wall = [];
  const cpu = [];
  await (await fetch(`${server.url}/rest/public/item0000/search`)).text();
  for (let save = 0; save < Number(values.saves); save += 1) {
    const index = (save * 37) % count;
    const mark = `Mark ${save} ${process.pid}`;
    const schema = toSchema(index);
    schema.fields[0].validation[0].message = mark;
    const before = toProcessorMilliseconds(server.pid);
    const begun = performance.now();
    writeFileSync(schemaFile(index), `${JSON.stringify(schema, null, 2)}\n`);
    for (;;) {
      const answer = await fetch(`${server.url}/rest/public/${schema.name}/create`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      if ((await answer.text()).includes(mark)) break;
      if (performance.now() - begun > 60_000) throw new Error(`${mark} was not served`);
      await new Promise((done) => setTimeout(done, 10));
    }
    wall.push(performance.now() - begun);
    cpu.push(toProcessorMilliseconds(server.pid) - before);
  }
  await server.stop();
  return { wall: median(wall), cpu: median(cpu) };
}

const folder = mkdtempSync(join(tmpdir(), 'treadle-wide-'));
try {
  const projects = [];
  for (const count of [3, Number(values.schemas)]) {
    const place = join(folder, `project-${count}`);
    projects.push({
      count,
      folder: place,
      ...(await writeWideProject({ treadle: program, folder: place, schemas: count })),
    });
  }
  const tell = (name, project, { wall, cpu }) =>
    process.stdout.write(
      `${name.padEnd(10)} ${project.count} schemas: ${show(wall)} ms, ${show(cpu)} ms of processor time\n`,
    );
  for (const project of projects) {
    const here = ['--cwd', project.folder];
    if (does.has('check')) tell('check', project, await runCommand('check', ...here));
    const migrated = await runCommand('migrate', ...here);
    if (does.has('migrate')) tell('migrate', project, migrated);
    const starts = [];
    for (let round = 0; round < (does.has('start') ? rounds : 0); round += 1)
      starts.push(await measureStart(project.folder));
    const middle = (what) => median(starts.map((start) => start[what]));
    if (does.has('start')) tell('start', project, { wall: middle('wall'), cpu: middle('cpu') });
  }
  const load = { program, rounds, rows: Number(values.rows) };
  if (does.has('same')) await measureLoad(projects, { ...load, shares: true });
  if (does.has('spread')) await measureLoad(projects, { ...load, shares: false });
  for (const project of projects) if (does.has('save')) tell('save', project, await measureSaves(project));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
