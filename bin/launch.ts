#!/usr/bin/env node
// Runs the built program with what V8 compiled of it in an earlier run: half of a start is compiling. V8 itself refuses code of
// another version or another source; the file lies beside the program, writable by whom the program belongs to.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

const file = fileURLToPath(new URL('./program.cjs', import.meta.url));
const cacheFile = `${file}.${process.version}-${process.arch}.cache`;
/** By then a server has answered, and its functions are among what is kept. One that ends sooner keeps at its end. */
const KEEP_MS = 1000;
/** What ends before this was no server; keeping what little it compiled would take the place of more. */
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
    // Installed by another user: it starts without.
  }
}

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
