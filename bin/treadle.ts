#!/usr/bin/env node
// libuv reads this once, before the first use of its pool: SQLite and password hashes share these threads.
process.env.UV_THREADPOOL_SIZE ||= '8';

const { main } = await import('../src/cli/main.ts');
process.exitCode = await main(process.argv.slice(2));
