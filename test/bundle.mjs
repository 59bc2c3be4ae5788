// Makes the tests and what they test into few files of JavaScript: to find, translate and link hundreds of modules takes a
// process three times as long as most tests then run.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { buildProgram, toBuildOptions } from '../.ci/program.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Packages that every test loads with the program; the others are found where they are. */
const BUNDLED = ['kysely', 'zod', 'ipaddr.js', 'polka', 'sirv', 'commander'];

/** These check the real cost of a password hash, or the wait for it. Every other suite hashes at next to no cost. */
const REAL_HASH = /^(core|model)\/|^feature\/auth\/device\.|^feature\/schema\/import-feed\./;

/** Replaces the cost of a password hash: this bundle is the only way to a cheap one. */
const cheapHash = {
  name: 'cheap-hash',
  setup({ onLoad }) {
    onLoad({ filter: /src\/core\/password-cost\.ts$/ }, () => ({
      contents: 'export const COST = { ln: 4, r: 8, p: 1 };',
      loader: 'ts',
    }));
  },
};

/** A module tells where it is, and what lies beside it, as if it were still there. */
const places = {
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      contents: `const treadleUrl=${JSON.stringify(pathToFileURL(path).href)};${readFileSync(path, 'utf8')}`,
      loader: 'ts',
    }));
  },
};

const others = {
  name: 'others',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      const name = path
        .split('/')
        .slice(0, path.startsWith('@') ? 2 : 1)
        .join('/');
      return kind === 'entry-point' || BUNDLED.includes(name) ? undefined : { path, external: true };
    });
  },
};

/** Bundles these files of test/; returns the folder that holds each as `.js` under its own name, and what removes it. */
export async function bundleTests(files) {
  const folder = join(root, `node_modules/.cache/treadle-test-${process.pid}`);
  const isReal = (file) => REAL_HASH.test(file);
  await Promise.all([
    buildInto(folder, files.filter(isReal), 'real/[hash]', [places, others]),
    buildInto(
      folder,
      files.filter((file) => !isReal(file)),
      'chunk/[hash]',
      [cheapHash, places, others],
    ),
  ]);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

async function buildInto(folder, files, chunkNames, plugins) {
  if (files.length === 0) return;
  await build({
    absWorkingDir: root,
    entryPoints: files.map((file) => join('test', file)),
    outbase: 'test',
    outdir: folder,
    bundle: true,
    splitting: true,
    chunkNames,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: true,
    define: { 'import.meta.url': 'treadleUrl' },
    plugins,
    banner: {
      js: "import{createRequire as treadleRequire}from'node:module';const require=treadleRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
}

/** Suites that start the program as a process of its own. */
const STARTS_PROGRAM = /^(cli\/(deploy|import|log|reload|serve)|e2e\/(first-api|metrics))\./;

/** Builds the program as `npm run build` does, once for the whole run and only if a suite starts it; gives its file. */
export async function bundleProgram(files, folder) {
  if (!files.some((file) => STARTS_PROGRAM.test(file))) return undefined;
  const out = join(folder, 'program');
  const file = join(out, 'treadle.js');
  await buildProgram({ root, out });
  await build({ ...toBuildOptions(root), entryPoints: ['bin/launch.ts'], outfile: file, format: 'esm' });
  return file;
}
