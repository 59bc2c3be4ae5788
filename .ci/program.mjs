// The program as few files by esbuild, since Node takes longer to find and link hundreds of modules than to run them.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

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

/** Writes the threads' files into `out`. */
export async function buildThreads({ root, out }) {
  // An older checkout has none.
  const entryPoints = THREADS.filter((file) => existsSync(join(root, file)));
  if (entryPoints.length > 0) await build({ ...toBuildOptions(root), entryPoints, outdir: out, format: 'esm' });
}

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

const translateOwn = (isHoisted) => ({
  name: 'translate-own',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (/[\\/]node_modules[\\/]/.test(path)) return undefined;
      const text = readFileSync(path, 'utf8').replace(LATE, "require('$1')");
      return { contents: isHoisted ? toHoisted(path.replaceAll('\\', '/'), text) : text, loader: 'ts' };
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
const WRAPPER = '(function (exports, require, module, __filename, __dirname) {';

/**
 * Writes `program.cjs`, `server.cjs` (the command `start`), `short.cjs` (help, version and completion, a thirtieth of the size) and
 * their threads into `out` and gives what went into them. `server.cjs` is run only by `bin/launch.ts`, as the function that it is. CommonJS, since V8's compiled code can be kept for a script and, in Node 20,
 * not for a module.
 */
export async function buildProgram({ root, out }) {
  const make = async (name, plugins, isWrapped = false) => {
    const file = join(out, name);
    const { metafile } = await build({
      ...toBuildOptions(root),
      external: external.filter((name) => name !== 'handlebars'),
      // Its own entry for Node registers a file extension.
      alias: { ...toBuildOptions(root).alias, handlebars: 'handlebars/dist/cjs/handlebars.js' },
      entryPoints: ['bin/treadle.ts'],
      outfile: file,
      format: 'cjs',
      supported: { 'dynamic-import': false },
      define: { 'import.meta.url': 'treadleUrl' },
      banner: { js: "const treadleUrl=require('node:url').pathToFileURL(__filename).href;" },
      plugins,
    });
    const text = readFileSync(file, 'utf8').replace(/^#!.*\n/, '');
    writeFileSync(file, isWrapped ? `${WRAPPER} ${text}\n})` : text);
    chmodSync(file, 0o644);
    return Object.keys(metafile.inputs);
  };
  const inputs = await make('program.cjs', [translateOwn(false)]);
  await make('server.cjs', [leaveCommands, translateOwn(true)], true);
  await make('short.cjs', [leaveOthers]);
  await buildThreads({ root, out });
  return inputs;
}
