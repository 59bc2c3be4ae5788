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

/** Writes `program.cjs`, `short.cjs` (help, version and completion, a thirtieth of the size) and its threads into `out` and gives what went into it. CommonJS, since V8's compiled code can be kept for a script and, in Node 20, not for a module. */
export async function buildProgram({ root, out }) {
  const make = async (name, plugins) => {
    const file = join(out, name);
    const { metafile } = await build({
      ...toBuildOptions(root),
      entryPoints: ['bin/treadle.ts'],
      outfile: file,
      format: 'cjs',
      supported: { 'dynamic-import': false },
      define: { 'import.meta.url': 'treadleUrl' },
      banner: { js: "const treadleUrl=require('node:url').pathToFileURL(__filename).href;" },
      plugins,
    });
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^#!.*\n/, ''));
    chmodSync(file, 0o644);
    return Object.keys(metafile.inputs);
  };
  const inputs = await make('program.cjs', []);
  await make('short.cjs', [leaveOthers]);
  await buildThreads({ root, out });
  return inputs;
}
