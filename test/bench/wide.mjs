// A project of many schemas beside one of three: `check`, `migrate` from nothing, start, reads, writes, and a save in
// `treadle dev`. Processor time is printed beside the time, because another program on the machine changes only the latter.
// Usage: node test/bench/wide.mjs [--schemas 1000] [--rounds 5] [--saves 6] [--requests 6000] [--only check,migrate,start,load,save] [--program dist/bin/treadle.js]
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { toSchema, writeWideProject } from './wide-project.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    schemas: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    saves: { type: 'string', default: '6' },
    requests: { type: 'string', default: '6000' },
    only: { type: 'string', default: 'check,migrate,start,load,save' },
    program: { type: 'string', default: join(root, 'dist/bin/treadle.js') },
  },
});
const program = resolve(values.program);
const does = new Set(values.only.split(','));
const rounds = Number(values.rounds);
const environment = { ...process.env, CI: 'true' };
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const show = (number) => Math.round(number).toString();

/** Seconds of processor time that a running process used. */
function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

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

async function serve(command, folder) {
  const begun = performance.now();
  const child = spawn(process.execPath, [program, command, '--port', '0', '--cwd', folder], {
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const url = await new Promise((done, fail) => {
    child.on('exit', (code) => fail(new Error(`${command} ended with ${code}`)));
    child.stdout.on('data', (chunk) => {
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(String(chunk));
      if (found) done(found[0]);
    });
  });
  const stop = () =>
    new Promise((done) => {
      child.removeAllListeners('exit');
      child.on('exit', done);
      child.kill('SIGTERM');
    });
  return { url, pid: child.pid, begun, stop };
}

async function measureStart(folder) {
  const server = await serve('start', folder);
  const answer = await fetch(`${server.url}/rest/public/item0000/search`);
  await answer.text();
  const figures = { wall: performance.now() - server.begun, cpu: cpuSeconds(server.pid) * 1000 };
  await server.stop();
  if (answer.status !== 200) throw new Error(`search: ${answer.status}`);
  return figures;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

function send(url, method, body) {
  return new Promise((done, fail) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const outgoing = request(url, { method, agent, headers }, (answer) => {
      answer.resume();
      answer.on('end', () => done(answer.statusCode));
    });
    outgoing.on('error', fail);
    outgoing.end(body);
  });
}

/** Sends requests on 16 connections and gives rate and processor time of the server for each. */
async function load(server, count, make, status) {
  const before = cpuSeconds(server.pid);
  const begun = performance.now();
  const left = { count };
  const work = async () => {
    while (left.count > 0) {
      left.count -= 1;
      const given = await send(...make(left.count));
      if (given !== status) throw new Error(`${given} instead of ${status}`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
  return {
    rate: count / ((performance.now() - begun) / 1000),
    cpu: ((cpuSeconds(server.pid) - before) / count) * 1e6,
  };
}

const ROWS = 20;
const toRow = (schema) => JSON.stringify({ [`${schema}_title`]: 'A title of some words', [`${schema}_count`]: 7 });

/** Paths over every schema, so that no list of recent paths holds them all. */
const toMakers = (server, count, nameOf) => ({
  detail: (index) => {
    const schema = nameOf((index * 7919) % count);
    return [`${server.url}/rest/public/${schema}/detail/${1 + (index % ROWS)}`, 'GET', undefined];
  },
  create: (index) => {
    const schema = nameOf((index * 7919) % count);
    return [`${server.url}/rest/public/${schema}/create`, 'POST', toRow(schema)];
  },
});

async function measureLoad(projects) {
  const servers = [];
  for (const project of projects) {
    const server = await serve('start', project.folder);
    const make = toMakers(server, project.count, project.nameOf);
    await load(server, project.count * ROWS, make.create, 201);
    servers.push({ server, make });
  }
  for (const kind of ['detail', 'create']) {
    const found = servers.map(() => ({ rate: [], cpu: [] }));
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, { server, make }] of servers.entries()) {
        const { rate, cpu } = await load(server, Number(values.requests), make[kind], kind === 'detail' ? 200 : 201);
        found[index].rate.push(rate);
        found[index].cpu.push(cpu);
      }
    }
    const text = projects.map(
      ({ count }, index) => `${count}: ${show(median(found[index].rate))}/s, ${show(median(found[index].cpu))} us`,
    );
    const ratio = (what, turn) => median(found[0][what].map((value, at) => turn(found[1][what][at], value)));
    process.stdout.write(
      `${kind.padEnd(10)} ${text.join('   ')}   rate ${ratio('rate', (a, b) => a / b).toFixed(2)}, by processor time ${ratio('cpu', (a, b) => b / a).toFixed(2)}\n`,
    );
  }
  for (const { server } of servers) await server.stop();
}

/** Changes the label of a field, and then the length of a text, and waits until the developer docs tell it. */
async function measureSaves({ folder, count, schemaFile }) {
  const server = await serve('dev', folder);
  const wall = [];
  const cpu = [];
  await (await fetch(`${server.url}/rest/public/item0000/search`)).text();
  for (let save = 0; save < Number(values.saves); save += 1) {
    const index = (save * 37) % count;
    const mark = `Mark ${save} ${process.pid}`;
    const schema = toSchema(index);
    schema.fields[0].validation[0].message = mark;
    const before = cpuSeconds(server.pid);
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
    cpu.push((cpuSeconds(server.pid) - before) * 1000);
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
  if (does.has('load')) await measureLoad(projects);
  for (const project of projects) if (does.has('save')) tell('save', project, await measureSaves(project));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
