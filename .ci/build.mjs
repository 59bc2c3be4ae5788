// Builds dist/: declarations by tsc, and the program as few files by esbuild, since Node takes longer to find and link
// hundreds of modules than to run them. What opens a native binding or is seldom needed stays outside.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = join(root, process.argv[2] ?? 'dist');
/** Swapped in at the end, so that nobody meets half a build. */
const fresh = `${out}.${process.pid}`;
const external = ['sqlite3', 'pg', 'handlebars', 'sanitize-html', 'sucrase', 'chokidar', 'inquirer'];

execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, '.ci/tsconfig.build.json'), '--outDir', fresh], { stdio: 'inherit' });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['bin/treadle.ts', 'bin/start-demo.ts', 'src/index.ts'],
  outdir: fresh,
  outbase: '.',
  bundle: true,
  splitting: false,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  minifyWhitespace: true,
  keepNames: false,
  legalComments: 'none',
  metafile: true,
  external,
  logLevel: 'warning',
  // Packages in CommonJS ask for Node's own modules by require.
  banner: { js: "import{createRequire as treadleRequire}from'node:module';const require=treadleRequire(import.meta.url);" },
});

const bundled = new Set(
  Object.keys(metafile.inputs).flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []),
);
const notices = [...bundled].sort().map((name) => {
  const folder = join(root, 'node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8').trim() : ''}\n`;
});
writeFileSync(join(fresh, 'THIRD-PARTY-NOTICES.txt'), `Packages that are part of these files.\n\n${notices.join(`\n${'-'.repeat(72)}\n\n`)}`);
for (const name of ['treadle.js', 'start-demo.js']) chmodSync(join(fresh, 'bin', name), 0o755);
if (existsSync(out)) rmSync(out, { recursive: true });
renameSync(fresh, out);
