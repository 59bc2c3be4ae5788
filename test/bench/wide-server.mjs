// Starts a server of `wide.mjs`, and tells what it uses.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';

/** Milliseconds of processor time of all threads of a process. Its threads must not end in between. */
export function toProcessorMilliseconds(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const toNanoseconds = (thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
  return threads.reduce((sum, thread) => sum + toNanoseconds(thread), 0) / 1e6;
}

/** Runs a program until `stop`, and waits for the address that it prints. */
async function serve(args) {
  const begun = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, CI: 'true' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const url = await new Promise((done, fail) => {
    child.on('exit', (code) => fail(new Error(`${args.join(' ')} ended with ${code}`)));
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

export const serveTreadle = (program, command, folder) => serve([program, command, '--port', '0', '--cwd', folder]);
export const serveBare = (script, file, schemas) => serve([script, file, String(schemas)]);
