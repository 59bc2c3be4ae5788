#!/usr/bin/env node
process.env.UV_THREADPOOL_SIZE ||= '8';

const { startDemo } = await import('../src/cli/create/demo.ts');
process.exitCode = await startDemo();
