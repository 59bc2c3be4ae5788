// The program as few files by esbuild, since Node takes longer to find and link hundreds of modules than to run them.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { buildLate, Late, toServerEntry } from './late.mjs';

/** What opens a native binding or is seldom needed stays outside. */
const external = ['sqlite3', 'pg', 'handlebars', 'sanitize-html', 'sucrase', 'chokidar', 'inquirer', 'markdown-it', 'prom-client', '@simplewebauthn/server'];

/** What the library and the program share. */
export const toBuildOptions = (root) => ({
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  minifyWhitespace: true,
  // Node prints the whole line that threw an error which nothing catches.
  lineLimit: 160,
  legalComments: 'none',
  metafile: true,
  external,
  // Its CommonJS form cannot be bundled.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  logLevel: 'warning',
});

/** Threads are started from files beside what starts them. */
const THREADS = ['bin/html-worker.ts'];

/** Modules that `short.cjs` contains though they are loaded late: the line itself, and the one command without a project. */
const SHORT = /(?:run-process|main|completion)\.ts$/;
const leaveOthers = {
  name: 'leave-others',
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === 'dynamic-import' && !SHORT.test(path) ? { path, external: true } : undefined,
    );
  },
};

/** Packages that the code loads late by `load('…')`, a require of its own. Here they are part of the file, so that V8 keeps their code too. */
const LATE = /\bload\('(handlebars)'\)/g;
/** The same by `import`. */
const LATE_IMPORT = /(?<!typeof )\bimport\('(nodemailer)'\)/g;
/** An import of one of Treadle's own modules at run time. */
const OWN_IMPORT = /(?<!typeof )\bimport\('(\.[^']+)'\)/g;

/**
 * Makes imports at run time those of the start, except for commands other than `start`: so esbuild writes all modules in one scope. In
 * `program.cjs` each is a function of its own, which a short command does not call.
 */
const toHoisted = (path, text) => {
  const names = [];
  const hoisted = text.replace(OWN_IMPORT, (all, file) => {
    if (path.endsWith('/src/cli/catalog.ts') && file !== './command/start.ts') return all;
    names.push(file);
    return `Promise.resolve(hoisted${names.length})`;
  });
  const imports = names.map((file, index) => `import * as hoisted${index + 1} from '${file}';`);
  return [hoisted, ...imports].join('\n');
};

/** The global is the same object, but as an import esbuild copies its properties in each module. */
const PROCESS = /^import process from 'node:process';$/m;

const translateOwn = (isHoisted, late) => ({
  name: 'translate-own',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (/[\\/]node_modules[\\/]/.test(path)) return undefined;
      const toLoader = (name) => late?.toLoader(name) ?? `require('${name}')`;
      const text = readFileSync(path, 'utf8').replace(PROCESS, '').replace(LATE, (_, name) => toLoader(name));
      const contents = isHoisted ? toHoisted(path.replaceAll('\\', '/'), text) : text;
      const own = late ? contents.replace(LATE_IMPORT, (_, name) => `Promise.resolve(${late.toLoader(name)})`) : contents;
      return late ? late.cut(path, own) : { contents, loader: 'ts' };
    });
  },
});

/** The server's file has no other commands: `bin/launch.ts` takes it only for `start`. */
const leaveCommands = {
  name: 'leave-commands',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/command\// }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
  },
};

/** The function that Node makes of a CommonJS module. Put around 4 MB of text at run time, it would copy them. */
const WRAPPER = '(function (exports, require, module, __filename, __dirname, treadleLoad) {';
const URL_LINE = "const treadleUrl=require('node:url').pathToFileURL(__filename).href;";
/** Loads the late part at the first use of one of its names, and from then on is the object of these names. */
const LATE_LINE = 'let treadleLate=new Proxy({},{get(_,name){treadleLate=treadleLoad();return treadleLate[name]}});';
/** Node looks a module up by its name at each of some 200 requires, which takes 2 ms: once for each name is enough. */
const REQUIRE_LINE = 'const treadleRequire=require,treadleFound=new Map();require=name=>{let found=treadleFound.get(name);if(found===undefined){found=treadleRequire(name);treadleFound.set(name,found)}return found};';
const toFunction = (text) => `${WRAPPER} ${text.replace(/^#!.*\n/, '')}\n})`;

/** Options of the program, in which `import.meta.url` is that of the file. */
const toProgramOptions = (root) => ({
  ...toBuildOptions(root),
  external: external.filter((name) => name !== 'handlebars'),
  // Its own entry for Node registers a file extension.
  alias: { ...toBuildOptions(root).alias, handlebars: 'handlebars/dist/cjs/handlebars.js' },
  define: { 'import.meta.url': 'treadleUrl' },
});

/** Options of files in CommonJS. */
export const toScriptOptions = (root) => ({ ...toProgramOptions(root), format: 'cjs', banner: { js: URL_LINE } });

/** Writes the threads' files into `out`, for the program or the library. */
export async function buildThreads({ root, out, isProgram }) {
  // An older checkout has none.
  const entryPoints = THREADS.filter((file) => existsSync(join(root, file)));
  if (entryPoints.length === 0) return;
  await build({ ...(isProgram ? toScriptOptions(root) : { ...toBuildOptions(root), format: 'esm' }), entryPoints, outdir: out });
}

/** Writes `server.cjs` and its late part, both as functions. */
async function buildServer({ root, out }) {
  const file = join(root, '.ci/late.json');
  // An older checkout has none.
  const late = new Late(root, existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []);
  const make = async (contents) =>
    build({
      ...toProgramOptions(root),
      stdin: { contents, resolveDir: root, sourcefile: 'server.js' },
      outfile: join(out, 'server.cjs'),
      write: false,
      format: 'cjs',
      supported: { 'dynamic-import': false },
      banner: { js: `${REQUIRE_LINE}${URL_LINE}${LATE_LINE}` },
      plugins: [leaveCommands, translateOwn(true, late)],
    });
  const { metafile } = await make(toServerEntry(root, new Map()));
  const inputs = new Set(Object.keys(metafile.inputs));
  const options = toProgramOptions(root);
  const part = await buildLate({ root, late, inputs, options, translate: [leaveCommands, translateOwn(true)] });
  const server = await make(toServerEntry(root, part.shared));
  const twice = part.inputs.filter((file) => (Object.values(server.metafile.outputs)[0].inputs[file]?.bytesInOutput ?? 0) > 0);
  if (twice.length > 0) throw new Error(`These modules are in both parts of the server: ${twice.join(', ')}`);
  writeFileSync(join(out, 'server.cjs'), toFunction(server.outputFiles[0].text));
  writeFileSync(join(out, 'late.cjs'), toFunction(`${URL_LINE}${part.code}`));
}

/**
 * Writes `program.cjs`, `server.cjs` (the command `start`) with `late.cjs`, `short.cjs` (help, version and completion, a thirtieth of the
 * size) and their threads into `out` and gives what went into them. `server.cjs` is run only by `bin/launch.ts`, as the function that it
 * is. CommonJS, since V8's compiled code can be kept for a script and, in Node 20, not for a module.
 */
export async function buildProgram({ root, out }) {
  const make = async (name, plugins) => {
    const file = join(out, name);
    const { metafile } = await build({
      ...toScriptOptions(root),
      entryPoints: ['bin/treadle.ts'],
      outfile: file,
      supported: { 'dynamic-import': false },
      plugins,
    });
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^#!.*\n/, ''));
    chmodSync(file, 0o644);
    return Object.keys(metafile.inputs);
  };
  const inputs = await make('program.cjs', [translateOwn(false)]);
  await buildServer({ root, out });
  await make('short.cjs', [leaveOthers]);
  await buildThreads({ root, out, isProgram: true });
  return inputs;
}
