#!/usr/bin/env node
// Runs the built program with V8's code cache of an earlier run, because half of a start is compiling. V8 rejects a
// cache of another version or source. The file is next to the program, and only its owner can write it.
import { isAscii } from 'node:buffer';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

/** A server runs nearly all of its modules at once, a command few. */
const NAME = process.argv[2] === 'start' ? 'server.cjs' : 'program.cjs';
const file = fileURLToPath(new URL(`./${NAME}`, import.meta.url));
/** These run most often, and nearly all of the program. */
const OWN = ['check', 'migrate'];
/** Commands such as `schema list` read definitions only: a cache of other commands' functions would slow them down. */
const LIGHT = /^(?:schema|fieldset|rest|scope|webhook|role) (?:list|show)$/;

/** Commands and servers run different functions, and the first process decides what a cache has. */
function toUser([word = '', verb = '']: readonly string[]): string {
  if (word === 'start' || word === 'dev') return 'server';
  if (OWN.includes(word)) return word;
  return LIGHT.test(`${word} ${verb}`) ? 'list' : 'command';
}
const USER = toUser(process.argv.slice(2));
const cacheFile = `${file}.${process.version}-${process.arch}-${USER}.cache`;
/**
 * After the first time a server has started, and after the second one it has answered, so the cache includes those functions. A
 * process that ends before the second writes the cache at exit.
 */
const KEEP_MS = [1000, 10_000];
/** A process that ends before this ran little of the program: its cache would be small, and stay. */
const LEAST_SECONDS = 0.3;
/** The same for a check or migration that succeeds, which runs nearly all of it. */
const LEAST_OWN_SECONDS = 0.1;

function readCache(): Buffer | undefined {
  try {
    return readFileSync(cacheFile);
  } catch {
    return undefined;
  }
}

type Program = typeof import('./treadle.ts');

function keepCache(script: Script, { listFlags }: Program): void {
  // V8 rejects a cache that was made with other flags than those of its reader, which has not set its own yet.
  for (const flag of ['--flush-bytecode', ...listFlags('byDefault')]) setFlagsFromString(flag);
  try {
    const temporary = `${cacheFile}.${process.pid}`;
    writeFileSync(temporary, script.createCachedData(), { mode: 0o600 });
    renameSync(temporary, cacheFile);
  } catch {
    // Another user installed it: starts without a cache.
  }
  for (const flag of ['--no-flush-bytecode', ...listFlags('own')]) setFlagsFromString(flag);
}

/** Reads the program as a function. The build has made one of the server. Decoding 4 MB of UTF-8 takes 10 ms; a build is ASCII, unless a regular expression is not. */
function readProgram(): string {
  const bytes = readFileSync(file);
  const text = isAscii(bytes) ? bytes.toString('latin1') : bytes.toString();
  if (NAME === 'server.cjs') return text;
  return `(function (exports, require, module, __filename, __dirname) { ${text}\n})`;
}

/** What needs no project is in a file of its own, since reading the whole program takes longer than the work. */
const SHORT: ReadonlySet<string | undefined> = new Set(['-h', '--help', '-V', '--version', 'completion']);

/** Writes the cache while the process runs, or at its end. */
function keepLater(script: Script, program: Program): void {
  const keepAtEnd = (code: number): void => {
    const least = code === 0 && OWN.includes(USER) ? LEAST_OWN_SECONDS : LEAST_SECONDS;
    if (process.uptime() > least) keepCache(script, program);
  };
  process.once('exit', keepAtEnd);
  for (const [index, milliseconds] of KEEP_MS.entries()) {
    setTimeout(() => {
      keepCache(script, program);
      if (index < KEEP_MS.length - 1) return;
      process.off('exit', keepAtEnd);
      setFlagsFromString('--flush-bytecode');
    }, milliseconds).unref();
  }
}

function runProgram(): void {
  const cachedData = readCache();
  const script = new Script(readProgram(), { filename: file, ...(cachedData === undefined ? {} : { cachedData }) });
  const program = script.runInThisContext() as (...parameters: unknown[]) => void;
  const isKept = cachedData !== undefined && script.cachedDataRejected === false;
  // V8 soon drops the code of functions that ran once, such as those of modules: the cache would lack half of it.
  if (!isKept) setFlagsFromString('--no-flush-bytecode');
  const module = { exports: {} };
  program(module.exports, createRequire(file), module, file, dirname(file));
  if (!isKept) keepLater(script, module.exports as Program);
}

// Before modules load: libuv reads this once, at the first use of its pool.
process.env.UV_THREADPOOL_SIZE ||= '8';
if (SHORT.has(process.argv[2])) createRequire(file)('./short.cjs');
else runProgram();
