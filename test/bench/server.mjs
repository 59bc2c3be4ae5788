// Starts servers for the benches, and reads their processor time and memory.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import process from 'node:process';

const ADDRESS = /(?:127\.0\.0\.1|localhost|0\.0\.0\.0):(\d+)|^(\d+)\n/;

/** Starts a program and waits until it prints its address, or until `url` answers. */
export async function startServer(command, args, { cwd, env = {}, url } = {}) {
  const begun = performance.now();
  const child = spawn(command, args, {
    cwd,
    // With extra certificates Node itself takes three times as long to start, on both sides.
    env: { ...process.env, NODE_EXTRA_CA_CERTS: '', NODE_ENV: 'production', CI: 'true', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const state = { text: '', code: undefined };
  child.on('exit', (code, signal) => {
    state.code = code ?? signal;
  });
  child.stdout.on('data', (chunk) => {
    if (state.text.length < 10_000) state.text += chunk;
  });
  for (;;) {
    if (state.code !== undefined) throw new Error(`${args.join(' ')} ended with ${state.code}: ${state.text}`);
    const found = ADDRESS.exec(state.text);
    if (url === undefined && found) return { child, begun, url: `http://127.0.0.1:${found[1] ?? found[2]}` };
    if (url !== undefined && (await fetch(url).catch(() => undefined)) !== undefined) return { child, begun, url };
    await new Promise((done) => setTimeout(done, 2));
    if (performance.now() - begun > 120_000) throw new Error(`${args.join(' ')} does not answer`);
  }
}

/** A port of this machine that no program listens on. */
export const getFreePort = () =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });

export const stopServer = ({ child }) =>
  new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) return done();
    child.on('exit', done);
    child.kill('SIGTERM');
  });

/** The process and its workers. */
export function listProcesses(pid) {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const children = tasks.flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
  return [pid, ...children.flatMap((child) => listProcesses(Number(child)))];
}

/** Seconds of processor time of a server with its workers: steadier than requests per second on a busy machine. */
export function cpuSeconds({ child }) {
  return listProcesses(child.pid).reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return sum + (Number(fields[11]) + Number(fields[12])) / 100;
  }, 0);
}

/** Resident megabytes of a server with its workers. */
export function memory({ child }) {
  return listProcesses(child.pid).reduce((sum, pid) => {
    const found = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return sum + Number(found?.[1] ?? 0) / 1024;
  }, 0);
}

export async function firstAnswer(start, path) {
  const server = await start();
  const answer = await fetch(server.url + path);
  await answer.arrayBuffer();
  const found = { milliseconds: performance.now() - server.begun, megabytes: memory(server) };
  await stopServer(server);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
  return found;
}
