import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../core/errors.ts';
import { toObject } from '../core/record.ts';
import type { ModuleLoader } from './module-loader.ts';

type Run = (run: object) => unknown;

interface LoadedStep {
  readonly name: string;
  readonly number: number;
  readonly file: string;
  /** Of the file's text, so that a change of it is noticed. */
  readonly checksum: string;
  readonly up: Run;
  readonly down: Run | undefined;
}

const STEP_FOLDER = 'config/migration';
const FILE = /^((\d+)-[a-z0-9][a-z0-9_-]*)\.(?:ts|mts|js|mjs)$/;
const HINT = 'Write config/migration/001-fill-slugs.ts with: export async function up({ db }) { … }';

function createProblem(file: string, message: string, hint = HINT): Problem {
  return { code: 'MIGRATION_OWN_INVALID', file, path: '', message, hint };
}

const isRun = (value: unknown): value is Run => typeof value === 'function';

function loadStep(root: string, entry: string, loader: ModuleLoader): LoadedStep | Problem {
  const file = `${STEP_FOLDER}/${entry}`;
  const [, name, digits] = FILE.exec(entry) ?? [];
  if (name === undefined) return createProblem(file, `"${entry}" is no <number>-<name>.ts, so it would never run.`);
  const result = loader.load(join(root, file));
  if (!result.isLoaded) return result.problem;
  const { up, down }: { readonly up?: unknown; readonly down?: unknown } = toObject(result.exports);
  if (!isRun(up)) return createProblem(file, 'It exports no function "up".');
  if (down !== undefined && !isRun(down)) return createProblem(file, 'Its "down" is not a function.');
  const checksum = createHash('sha256')
    .update(readFileSync(join(root, file)))
    .digest('hex');
  return { name, number: Number(digits), file, checksum, up, down };
}

/** The migration steps of the project's own, in order, and what is wrong with them. */
export function loadOwnSteps(root: string, loader: ModuleLoader): { steps: LoadedStep[]; problems: Problem[] } {
  const folder = join(root, STEP_FOLDER);
  const entries = existsSync(folder) ? readdirSync(folder).filter((name) => /\.[cm]?[jt]s$/.test(name)) : [];
  const found = entries.sort().map((entry) => loadStep(root, entry, loader));
  const steps = found.filter((one): one is LoadedStep => 'up' in one).sort((a, b) => a.number - b.number);
  const problems = found.filter((one): one is Problem => !('up' in one));
  const twice = steps.filter((step, index) => steps[index - 1]?.number === step.number);
  const told = twice.map(({ file, number }) =>
    createProblem(
      file,
      `Another step has the number ${number}, so their order is not clear.`,
      'Rename one of the two.',
    ),
  );
  return { steps, problems: [...problems, ...told] };
}
