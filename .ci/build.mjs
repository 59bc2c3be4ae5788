// Builds dist/: declarations by tsc, and the program and the library by esbuild.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildProgram, buildThreads, toBuildOptions, toScriptOptions } from './program.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = join(root, process.argv[2] ?? 'dist');
/** Swapped in at the end, so that nobody meets half a build. */
const fresh = `${out}.${process.pid}`;
// A build that fails leaves nothing behind.
process.on('exit', () => rmSync(fresh, { recursive: true, force: true }));

execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, '.ci/tsconfig.build.json'), '--outDir', fresh], { stdio: 'inherit' });
const common = toBuildOptions(root);
// Packages in CommonJS ask for Node's own modules by require.
const requireBanner = "import{createRequire as treadleRequire}from'node:module';const require=treadleRequire(import.meta.url);";
const library = { ...common, outdir: fresh, outbase: '.', format: 'esm', banner: { js: requireBanner } };
const demo = await build({ ...library, entryPoints: ['bin/start-demo.ts'], outExtension: { '.js': '.mjs' } });
// One copy of what both share: a Request of `treadle` must be a Request for `treadle/test`. Chunks lie beside index.js,
// because code finds threads and packages from its own file.
const open = await build({
  ...library,
  entryPoints: ['src/index.ts', 'src/testing/site.ts'],
  splitting: true,
  chunkNames: 'src/[name]-[hash]',
});
await buildThreads({ root, out: join(fresh, 'src') });
const programInputs = await buildProgram({ root, out: join(fresh, 'bin') });
// Node starts 10 ms earlier with CommonJS, because it does not load its loader of modules.
await build({ ...toScriptOptions(root), entryPoints: ['bin/launch.ts'], outfile: join(fresh, 'bin/treadle.js') });
writeFileSync(join(fresh, 'bin/package.json'), '{ "type": "commonjs" }\n');
const inputs = [demo, open].flatMap(({ metafile }) => Object.keys(metafile.inputs)).concat(programInputs);

const bundled = new Set(
  inputs.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []),
);
const notices = [...bundled].sort().map((name) => {
  const folder = join(root, 'node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8').trim() : ''}\n`;
});
writeFileSync(join(fresh, 'THIRD-PARTY-NOTICES.txt'), `Packages that are part of these files.\n\n${notices.join(`\n${'-'.repeat(72)}\n\n`)}`);
for (const name of ['treadle.js', 'start-demo.mjs']) chmodSync(join(fresh, 'bin', name), 0o755);
if (existsSync(out)) rmSync(out, { recursive: true });
renameSync(fresh, out);
