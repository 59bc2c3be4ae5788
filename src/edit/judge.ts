import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isError, type Problem, ProblemsError } from '../core/errors.ts';
import { type FileChange, writeTogether } from '../project/write-together.ts';
import type { EditedProject } from './project.ts';

/** Entries of a project that its compiling does not need. */
const UNUSED: ReadonlySet<string> = new Set(['var', 'node_modules', '.git']);

/** The packages that code of the project finds: those of the folder or of one above it. */
function findPackages(root: string): string | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules');
    if (existsSync(found)) return found;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Makes the project again in a folder: what changes is copied, the rest are links. */
async function copyProject(root: string, copy: string, changes: readonly FileChange[]): Promise<void> {
  const changed = new Set(['config', ...changes.map(({ file }) => file.split('/')[0])]);
  for (const entry of await readdir(root)) {
    if (UNUSED.has(entry)) continue;
    const [from, to] = [join(root, entry), join(copy, entry)];
    await (changed.has(entry) ? cp(from, to, { recursive: true }) : symlink(from, to));
  }
  const packages = findPackages(root);
  if (packages !== undefined) await symlink(packages, join(copy, 'node_modules'));
  await writeTogether(copy, changes);
}

/** What `treadle check` would count against the definitions after the changes. */
async function findCounted(project: EditedProject, changes: readonly FileChange[]): Promise<Problem[]> {
  const copy = await mkdtemp(join(tmpdir(), 'treadle-judge-'));
  try {
    await copyProject(project.root(), copy, changes);
    const { problems } = await project.compile(copy);
    // Code that does not load may listen to any event.
    const isCodeBroken = problems.some((problem) => isError(problem) && !isDefinition(problem));
    return problems.filter(
      (problem) => isDefinition(problem) && (isError(problem) || (isCounted(problem) && !isCodeBroken)),
    );
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

const isDefinition = ({ file }: Problem): boolean => file.startsWith('config/');
const isCounted = ({ severity }: Problem): boolean => severity !== 'advice';

/** Texts of problems and how often each occurs; a moved file keeps its problems, under another name. */
function count(problems: readonly Problem[], toKey: (problem: Problem) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const problem of problems) counts.set(toKey(problem), (counts.get(toKey(problem)) ?? 0) + 1);
  return counts;
}

/**
 * Refuses changes after which `treadle check` counts a problem of a definition that it does not count now. What is wrong with
 * the project's code stops nothing: a command that renames or removes names those lines.
 *
 * @throws ProblemsError with the added problems.
 */
export async function refuseCounted(project: EditedProject, changes: readonly FileChange[]): Promise<void> {
  if (changes.length === 0) return;
  const after = await findCounted(project, changes);
  if (after.length === 0) return;
  const before = await findCounted(project, []);
  const isMoving = changes.some(({ text }) => text === undefined) && changes.some(({ text }) => text !== undefined);
  const toKey = ({ code, file, path, message }: Problem): string =>
    isMoving ? code : [code, file, path, message].join('\u0000');
  const known = count(before, toKey);
  const added = after.filter((problem) => {
    const left = known.get(toKey(problem)) ?? 0;
    known.set(toKey(problem), left - 1);
    return left <= 0;
  });
  if (added.length > 0) throw new ProblemsError(added);
}
