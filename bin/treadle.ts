#!/usr/bin/env node
import * as nodeModule from 'node:module';

// libuv reads this once, before the first use of its pool: SQLite and password hashes share these threads.
process.env.UV_THREADPOOL_SIZE ||= '8';

// Node 22 and later keep what they compiled; it takes a fifth off a start.
(nodeModule as { enableCompileCache?: () => void }).enableCompileCache?.();

// A reader that goes away, such as `| head`, is no fault of ours.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

const { main } = await import('../src/cli/main.ts');
process.exitCode = await main(process.argv.slice(2));
