#!/usr/bin/env node
// Runs the built program with V8's code cache of an earlier run, because half of a start is compiling. V8 rejects a
// cache of another version or source. The file is next to the program, and only its owner can write it.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

const file = fileURLToPath(new URL('./program.cjs', import.meta.url));
const cacheFile = `${file}.${process.version}-${process.arch}.cache`;
/**
 * After this time a server has answered, so the cache includes those functions. A process that ends sooner writes the
 * cache at exit.
 */
const KEEP_MS = 1000;
/** A process that ends before this was not a server; its cache would replace a larger one. */
const LEAST_SECONDS = 0.3;

function readCache(): Buffer | undefined {
  try {
    return readFileSync(cacheFile);
  } catch {
    return undefined;
  }
}

function keepCache(script: Script): void {
  try {
    const temporary = `${cacheFile}.${process.pid}`;
    writeFileSync(temporary, script.createCachedData(), { mode: 0o600 });
    renameSync(temporary, cacheFile);
  } catch {
    // Another user installed it: starts without a cache.
  }
}

/** What needs no project is in a file of its own, since reading the whole program takes longer than the work. */
const SHORT: ReadonlySet<string | undefined> = new Set(['-h', '--help', '-V', '--version', 'completion']);

function runProgram(): void {
  const cachedData = readCache();
  const source = `(function (exports, require, module, __filename, __dirname) { ${readFileSync(file, 'utf8')}\n})`;
  const script = new Script(source, { filename: file, ...(cachedData === undefined ? {} : { cachedData }) });
  const program = script.runInThisContext() as (...parameters: unknown[]) => void;
  const module = { exports: {} };
  program(module.exports, createRequire(file), module, file, dirname(file));
  if (cachedData === undefined || script.cachedDataRejected) {
    const keepAtEnd = (): void => {
      if (process.uptime() > LEAST_SECONDS) keepCache(script);
    };
    process.once('exit', keepAtEnd);
    setTimeout(() => {
      process.off('exit', keepAtEnd);
      keepCache(script);
    }, KEEP_MS).unref();
  }
}

if (SHORT.has(process.argv[2])) createRequire(file)('./short.cjs');
else runProgram();
