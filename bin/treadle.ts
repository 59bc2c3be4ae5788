#!/usr/bin/env node
// libuv reads this once, before the first use of its pool: SQLite and password hashes share these threads.
process.env.UV_THREADPOOL_SIZE ||= '8';

// A reader that goes away, such as `| head`, is no fault of ours.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

void import('../src/cli/main.ts').then(async ({ main }) => {
  process.exitCode = await main(process.argv.slice(2));
});
