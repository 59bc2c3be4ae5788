#!/usr/bin/env node
// Runs the built program with V8's code cache of an earlier run, because half of a start is compiling. V8 rejects a
// cache of another version or source. The file is next to the program, and only its owner can write it.
// The server has a second part, `late.cjs`, with what its first answer does not need. It is read at the first use.
import { isAscii } from 'node:buffer';
import { closeSync, fstatSync, openSync, read, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';

/** A server runs nearly all of its modules at once, a command few. */
const NAME = process.argv[2] === 'start' ? 'server.cjs' : 'program.cjs';
/** What the server's first answer does not need. */
const LATE_NAME = 'late.cjs';
const toPath = (name: string): string => fileURLToPath(new URL(`./${name}`, import.meta.url));
/** These run most often, and nearly all of the program. */
const OWN = ['check', 'migrate'];
/** A process of these that succeeds writes the cache also if it took less than others must. */
const KEPT_AT_ONCE = [...OWN, 'list'];
/** Commands such as `schema list` read definitions only: a cache of other commands' functions would slow them down. */
const LIGHT = /^(?:schema|fieldset|rest|scope|webhook|role) (?:list|show)$/;

/** Commands and servers run different functions, and the first process decides what a cache has. */
function toUser([word = '', verb = '']: readonly string[]): string {
  if (word === 'start' || word === 'dev') return 'server';
  if (OWN.includes(word)) return word;
  return LIGHT.test(`${word} ${verb}`) ? 'list' : 'command';
}
const USER = toUser(process.argv.slice(2));
const toCacheFile = (file: string): string => `${file}.${process.version}-${process.arch}-${USER}.cache`;
/**
 * After the first time a server has started, and after the second one it has answered, so the cache includes those functions. A
 * process that ends before the second writes the cache at exit.
 */
const KEEP_MS = [1000, 10_000];
/** A process that ends before this ran little of the program: its cache would be small, and stay. */
const LEAST_SECONDS = 0.3;
/** The same for a command that succeeds and has a cache of its own, such as a check: it runs nearly all that the next one needs. */
const LEAST_OWN_SECONDS = 0.1;

/** Files that were read while Node loaded its own modules. */
const early = new Map<string, Buffer>();
function readCache(file: string): Buffer | undefined {
  try {
    return early.get(toCacheFile(file)) ?? readFileSync(toCacheFile(file));
  } catch {
    return undefined;
  }
}

/** Modules of Node that each server needs. */
const NODE_MODULES = ['node:http', 'node:crypto', 'node:zlib'];

/** Reads a file in a thread, as one piece. A file that cannot be read is left to who needs it. */
function readEarly(file: string): Promise<void> {
  return new Promise((done) => {
    try {
      const source = openSync(file, 'r');
      const bytes = Buffer.allocUnsafeSlow(fstatSync(source).size);
      read(source, bytes, 0, bytes.length, 0, (_, count) => {
        closeSync(source);
        if (count === bytes.length) early.set(file, bytes);
        done();
      });
    } catch {
      done();
    }
  });
}

/** Reads a server's code while this thread loads modules of Node. */
async function prepareServer(): Promise<void> {
  const file = toPath(NAME);
  const reading = [file, toCacheFile(file)].map(readEarly);
  const require = createRequire(file);
  for (const name of NODE_MODULES) require(name);
  await Promise.all(reading);
}

/** V8 rejects a cache that was made with other flags than those of its reader, which has not set its own yet. */
function setDefaultFlags({ listFlags }: Program): void {
  for (const flag of listFlags('byDefault')) setFlagsFromString(flag);
}

type Program = typeof import('./treadle.ts');
/** What the build adds to the server. */
interface Server extends Program {
  /** The exports that the late part imports, by file. */
  toShared(): Record<string, unknown>;
}

interface Part {
  readonly script: Script;
  readonly file: string;
}

function keepCache({ script, file }: Part, program: Program): void {
  setFlagsFromString('--flush-bytecode');
  setDefaultFlags(program);
  try {
    const temporary = `${toCacheFile(file)}.${process.pid}`;
    writeFileSync(temporary, script.createCachedData(), { mode: 0o600 });
    renameSync(temporary, toCacheFile(file));
  } catch {
    // Another user installed it: starts without a cache.
  }
  for (const flag of ['--no-flush-bytecode', ...program.listFlags('own')]) setFlagsFromString(flag);
}

/** Reads the program as a function. The build has made one of the server. Decoding 4 MB of UTF-8 takes 10 ms; a build is ASCII, unless a regular expression is not. */
function readProgram(file: string | number): string {
  const bytes = (typeof file === 'string' ? early.get(file) : undefined) ?? readFileSync(file);
  const text = isAscii(bytes) ? bytes.toString('latin1') : bytes.toString();
  if (NAME === 'server.cjs') return text;
  return `(function (exports, require, module, __filename, __dirname) { ${text}\n})`;
}

/** What needs no project is in a file of its own, since reading the whole program takes longer than the work. */
const SHORT: ReadonlySet<string | undefined> = new Set(['-h', '--help', '-V', '--version', 'completion']);

/** Writes the cache while the process runs, or at its end. */
function keepLater(part: Part, program: Program): void {
  const keepAtEnd = (code: number): void => {
    const least = code === 0 && KEPT_AT_ONCE.includes(USER) ? LEAST_OWN_SECONDS : LEAST_SECONDS;
    if (process.uptime() > least) keepCache(part, program);
  };
  process.once('exit', keepAtEnd);
  for (const [index, milliseconds] of KEEP_MS.entries()) {
    setTimeout(() => {
      keepCache(part, program);
      if (index < KEEP_MS.length - 1) return;
      process.off('exit', keepAtEnd);
      setFlagsFromString('--flush-bytecode');
    }, milliseconds).unref();
  }
}

interface Loaded {
  readonly exports: object;
}

interface Given {
  readonly name: string;
  readonly module: Loaded;
  readonly require: (name: string) => unknown;
  /** The open file, if it is not found by its name. */
  readonly source?: number;
  /** Gives the server the names of its late part. */
  readonly load?: () => object;
}

/** Runs one of the files. Returns what to keep of it; undefined if its cache was used. */
function runPart({ name, module, require, source, load }: Given): Part | undefined {
  const file = toPath(name);
  const cachedData = readCache(file);
  const text = readProgram(source ?? file);
  const script = new Script(text, { filename: file, ...(cachedData === undefined ? {} : { cachedData }) });
  const run = script.runInThisContext() as (...parameters: unknown[]) => void;
  const isKept = cachedData !== undefined && script.cachedDataRejected === false;
  // V8 soon drops the code of functions that ran once, such as those of modules: the cache would lack half of it.
  if (!isKept) setFlagsFromString('--no-flush-bytecode');
  run(module.exports, require, module, file, dirname(file), load);
  return isKept ? undefined : { script, file };
}

/** Runs the late part. While its modules are evaluated, they may call the server, which gets what is there by then. */
function createLoad(server: () => Server, require: (name: string) => unknown): () => object {
  // Open from the start: another version may replace the folder before the first use.
  const source = openSync(toPath(LATE_NAME), 'r');
  const state: { module?: Loaded } = {};
  return () => {
    if (state.module !== undefined) return state.module.exports;
    const module = { exports: {} };
    state.module = module;
    const { toShared, listFlags } = server();
    const shared = toShared();
    setDefaultFlags(server());
    const part = runPart({ name: LATE_NAME, module, source, require: (name) => shared[name] ?? require(name) });
    for (const flag of listFlags('own')) setFlagsFromString(flag);
    closeSync(source);
    if (part !== undefined) keepLater(part, server());
    // Plain properties: those of the module are functions that read a variable.
    return { ...module.exports };
  };
}

function runProgram(): void {
  const module = { exports: {} };
  const require = createRequire(toPath(NAME));
  const given: Given = { name: NAME, module, require };
  const isServer = NAME === 'server.cjs';
  const part = runPart(isServer ? { ...given, load: createLoad(() => module.exports as Server, require) } : given);
  if (part !== undefined) keepLater(part, module.exports as Server);
}

async function launch(): Promise<void> {
  if (NAME === 'server.cjs') await prepareServer();
  runProgram();
  early.clear();
}

// libuv reads this at the first use of its threads, which SQLite, files and password hashes share.
process.env.UV_THREADPOOL_SIZE ||= '8';
if (SHORT.has(process.argv[2])) createRequire(toPath(NAME))('./short.cjs');
else void launch();
