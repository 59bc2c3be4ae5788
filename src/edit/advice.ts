import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isError, type Problem, ProblemsError } from '../core/errors.ts';
import { type FileKind, toFile } from '../model/shape.ts';
import { writeTogether } from '../project/write-together.ts';
import { applyChanges, type Change, type ChangedFile, identify, previewChanges } from './change.ts';
import type { EditedProject } from './project.ts';

/** Left out for a new call, because the next command gives it a scope. */
const LEFT_OUT: ReadonlySet<string> = new Set(['REST_CALL_UNREACHABLE']);

/**
 * Advice about a definition that was just written, one line each: an event without a listener, a URL that is never
 * called. None for a dry run, because there is nothing to compile.
 */
export async function findAdvice(project: EditedProject, kind: FileKind, name: string): Promise<string[]> {
  if (project.isDryRun) return [];
  const file = toFile(kind, name);
  const { problems } = await project.compile(project.root());
  return problems
    .filter((problem) => problem.file === file && !isError(problem) && !LEFT_OUT.has(problem.code))
    .map(({ message, hint }) => `${message} ${hint ?? ''}`.trimEnd());
}

/** The errors that the features find in these files, compiled in a copy of `config/` without the project's code. */
async function findProblems(project: EditedProject, files: readonly ChangedFile[]): Promise<Problem[]> {
  const copy = await mkdtemp(join(tmpdir(), 'treadle-judge-'));
  try {
    await cp(join(project.root(), 'config'), join(copy, 'config'), { recursive: true });
    await writeTogether(copy, files);
    const names = new Set(files.map(({ file }) => file));
    const { problems } = await project.compile(copy);
    return problems.filter((problem) => names.has(problem.file) && isError(problem));
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** Finds errors that linking does not. Errors that existed before do not count. @throws ProblemsError */
export async function judgeFiles(project: EditedProject, files: readonly ChangedFile[]): Promise<void> {
  const changed = files.filter(({ change }) => change !== 'unchanged');
  const problems = changed.length === 0 ? [] : await findProblems(project, changed);
  if (problems.length === 0) return;
  const before = new Set((await project.compile(project.root())).problems.map(identify));
  const added = problems.filter((problem) => !before.has(identify(problem)));
  if (added.length > 0) throw new ProblemsError(added);
}

/**
 * As `applyChanges`, but also finds errors that linking does not, such as a hook's filter with a value that
 * its column cannot have. Errors that existed before do not stop it.
 *
 * @throws ProblemsError if the change breaks a definition; then nothing is written.
 */
export async function applyJudged(project: EditedProject, changes: readonly Change[]): Promise<readonly ChangedFile[]> {
  const { files } = await previewChanges(project, changes);
  await judgeFiles(project, files);
  return applyChanges(project, changes);
}
