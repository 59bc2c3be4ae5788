#!/usr/bin/env node
export { listFlags } from '../src/cli/heap.ts';

// SQLite and password hashes share these threads. libuv reads this at the first use of its pool: see `launch.ts`.
process.env.UV_THREADPOOL_SIZE ||= '8';

/** The reader ended, such as `| head`, or the terminal was closed: a server continues, a command finishes its work. */
const GONE = ['EPIPE', 'EIO'];
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (!GONE.includes(error.code ?? '')) throw error;
});
process.stderr.on('error', () => {});

void import('../src/cli/run-process.ts').then(({ runProcess }) => runProcess(process.argv.slice(2)));
