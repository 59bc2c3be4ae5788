// Makes the tests and what they test into few files of JavaScript: to find, translate and link hundreds of modules takes a
// process three times as long as most tests then run.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Packages that every test loads with the program; the others are found where they are. */
const BUNDLED = ['kysely', 'zod', 'ipaddr.js', 'polka', 'sirv', 'commander'];

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
  await build({
    absWorkingDir: root,
    entryPoints: files.map((file) => join('test', file)),
    outbase: 'test',
    outdir: folder,
    bundle: true,
    splitting: true,
    chunkNames: 'chunk/[hash]',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: true,
    define: { 'import.meta.url': 'treadleUrl' },
    plugins: [places, others],
    banner: {
      js: "import{createRequire as treadleRequire}from'node:module';const require=treadleRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
