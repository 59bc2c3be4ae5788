// The program in one file, which storms start: through a loader a start takes six times as long.
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { toBuildOptions } from '../../.ci/program.mjs';

const main = fileURLToPath(new URL('../..', import.meta.url));
/** What `run.mjs` built for all storms of a run. */
const built = process.env.TREADLE_TORTURE_PROGRAM;

/** Builds the program into a file. */
export async function buildProgramInto(file) {
  await build({
    ...toBuildOptions(main),
    // A storm changes settings in the text of the program.
    minifySyntax: false,
    minifyWhitespace: false,
    entryPoints: ['bin/treadle.ts'],
    outfile: file,
    format: 'cjs',
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'treadleUrl' },
    banner: { js: "const treadleUrl=require('node:url').pathToFileURL(__filename).href;" },
    logLevel: 'error',
  });
}

/** A copy of the program that the caller may change and must remove. */
export async function copyProgram() {
  const file = join(main, `node_modules/.cache/treadle-start-${process.pid}.cjs`);
  if (built === undefined) await buildProgramInto(file);
  else copyFileSync(built, file);
  return file;
}

/** The program; one that this process built is removed as the process ends. */
export async function getProgram() {
  if (built !== undefined) return built;
  const file = await copyProgram();
  process.once('exit', () => rmSync(file, { force: true }));
  return file;
}
