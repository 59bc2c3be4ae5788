// Bundles the tests and the code under test into a few JavaScript files, because finding, compiling and linking
// hundreds of modules takes three times as long as most tests run.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, stop } from 'esbuild';
import { buildProgram, toBuildOptions } from '../.ci/program.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Packages that every test loads; the others are resolved where they are installed. */
const BUNDLED = ['kysely', 'zod', 'ipaddr.js', 'polka', 'sirv', 'commander'];

/** Makes a bundled module see its original location. */
const places = {
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /\.(ts|mjs)$/ }, ({ path }) =>
      path.includes('/node_modules/')
        ? undefined
        : {
            contents: `const treadleUrl=${JSON.stringify(pathToFileURL(path).href)};${readFileSync(path, 'utf8')}`,
            loader: path.endsWith('.ts') ? 'ts' : 'js',
          },
    );
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

/** Bundles test files; returns the folder with a `.js` file for each, and a function that removes it. */
export async function bundleTests(files) {
  // In the checkout itself, which the source maps and the program's package.json are of, also if a worktree has the packages by a link.
  const folder = join(root, 'var', `treadle-test-${process.pid}`);
  // Without a type, Node compiles each file as CommonJS first, which fails, and then as a module.
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  await buildInto(folder, files);
  const remove = () => {
    for (const made of [folder, toProgramFolder(folder)]) rmSync(made, { recursive: true, force: true });
  };
  return { folder, remove };
}

/** Ends esbuild's own process, whose memory the suites need; so its processor time also counts as used. */
export const endBundling = stop;

/** Bundles a file of the tests with a file of the sources changed in memory, as if somebody had edited it. */
export function bundleChanged(test, folder, { file, change }) {
  const path = join(root, file);
  const changed = {
    name: 'changed',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, (loaded) => {
        if (loaded.path !== path) return undefined;
        const contents = `const treadleUrl=${JSON.stringify(pathToFileURL(path).href)};${change(readFileSync(path, 'utf8'))}`;
        return { contents, loader: 'ts' };
      });
    },
  };
  return buildInto(folder, [test], [changed, places, others]);
}

/** Bundles test files, or storms of `torture/`, into a folder. */
export async function buildInto(folder, files, plugins = [places, others]) {
  if (files.length === 0) return;
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
    // Without a comment that names them: Node would parse them all at the first stack it prints, which takes a second.
    sourcemap: 'external',
    define: { 'import.meta.url': 'treadleUrl' },
    plugins,
    banner: {
      js: "import{createRequire as treadleRequire}from'node:module';const require=treadleRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
}

/** Suites that start the program as a separate process. */
const STARTS_PROGRAM =
  /^(cli\/(code-cache|definition-save|deploy|import|life|log|out|reload|serve)|e2e\/(admin-walk-\w+|first-api|metrics|ticket-shop))\./;

/** Beside the tests: the program looks for its own package.json above its file. */
const toProgramFolder = (folder) => `${folder}-program`;

/** Builds the program as `npm run build` does, once per run and only if a suite starts it; returns its file. */
export async function bundleProgram(files, folder) {
  if (!files.some((file) => STARTS_PROGRAM.test(file))) return undefined;
  const out = toProgramFolder(folder);
  const file = join(out, 'treadle.js');
  await buildProgram({ root, out });
  await build({ ...toBuildOptions(root), entryPoints: ['bin/launch.ts'], outfile: file, format: 'esm' });
  return file;
}
