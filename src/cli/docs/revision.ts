import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isError, ProblemsError, TreadleError } from '../../core/errors.ts';
import { linkModel } from '../../model/link.ts';
import type { Model } from '../../model/model.ts';
import { overrideSettings, readEnvironment } from '../../project/environment.ts';
import { readProject } from '../../project/read.ts';
import type { Invocation } from '../spec.ts';

/** What of a project counts: its definitions and its version, never its code. */
const PATHS = ['config', 'package.json'];

interface GitFile {
  readonly path: string;
  readonly bytes: Buffer;
}

interface GitCommand {
  readonly words: readonly string[];
  /** For the message of a failure. */
  readonly revision: string;
  readonly input?: string;
}

/** @throws CLI_REVISION_UNREADABLE if git is missing or says no. */
function runGit({ env, root }: Invocation, { words, revision, input }: GitCommand): Buffer {
  const { status, stdout, stderr, error } = spawnSync('git', [...words], {
    cwd: root(),
    env: { ...env },
    maxBuffer: 2 ** 30,
    ...(input === undefined ? {} : { input }),
  });
  if (error === undefined && status === 0) return stdout;
  const said = error?.message ?? stderr.toString().trim();
  throw new TreadleError('CLI_REVISION_UNREADABLE', `git does not read ${revision}: ${said || `exit code ${status}`}`, {
    hint: 'Name a commit, a branch or a tag of the repository that holds this project, such as v1.2.0 or origin/main.',
  });
}

/** The files of a revision below the project's folder. Links are left out, because they could lead anywhere. */
function readFiles(invocation: Invocation, revision: string): GitFile[] {
  const git = (words: readonly string[], more: { readonly input?: string } = {}): Buffer =>
    runGit(invocation, { words, revision, ...more });
  const commit = git(['rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`])
    .toString()
    .trim();
  const listed = git(['ls-tree', '-r', '-z', commit, '--', ...PATHS]).toString();
  const entries = listed.split('\0').flatMap((line) => {
    const [, id = '', path = ''] = /^100\d+ blob (\w+)\t(.+)$/s.exec(line) ?? [];
    return path === '' ? [] : [{ id, path }];
  });
  const bytes = git(['cat-file', '--batch'], { input: entries.map(({ id }) => `${id}\n`).join('') });
  const files: GitFile[] = [];
  let at = 0;
  for (const { path } of entries) {
    // Each is a line `<id> blob <size>`, the bytes, and a line feed.
    const start = bytes.indexOf('\n', at) + 1;
    const size = Number(bytes.subarray(at, start).toString().trim().split(' ')[2]);
    files.push({ path, bytes: bytes.subarray(start, start + size) });
    at = start + size + 1;
  }
  return files;
}

/**
 * The model of the definitions at a revision. It runs no code, and nothing of the working tree changes.
 *
 * @throws CLI_REVISION_UNREADABLE if git does not know the revision, or it has no definitions.
 * @throws ProblemsError if its definitions are not valid for this version of Treadle.
 */
export async function readRevision(invocation: Invocation, revision: string): Promise<Model> {
  const files = readFiles(invocation, revision);
  if (!files.some(({ path }) => path === 'config/settings.json')) {
    throw new TreadleError('CLI_REVISION_UNREADABLE', `${revision} has no config/settings.json of this project.`, {
      hint: 'Name a revision in which this folder was a project already.',
    });
  }
  const folder = await mkdtemp(join(tmpdir(), 'treadle-revision-'));
  try {
    for (const { path, bytes } of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), bytes);
    }
    const { definitions, problems } = await readProject(folder);
    const linked = linkModel(definitions, { leavesCalls: true });
    if (!linked.model) {
      const found = [...problems, ...linked.problems].filter(isError);
      throw new ProblemsError(found.map((problem) => ({ ...problem, file: `${revision}:${problem.file}` })));
    }
    const { settings } = linked.model;
    return {
      ...linked.model,
      settings: overrideSettings(settings, readEnvironment(invocation.root(), invocation.env)),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
