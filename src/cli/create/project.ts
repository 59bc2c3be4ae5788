import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Random } from '../../core/clock.ts';
import { TreadleError } from '../../core/errors.ts';
import { packageVersion } from '../../core/file/package-root.ts';
import { toLabelText } from '../../model/names.ts';
import { AGENTS_FILE } from './agents.ts';
import { readTemplate, type Template, toPackageName } from './template.ts';

export interface ProjectOptions {
  /** Absolute path; created if missing. */
  readonly folder: string;
  readonly template: Template;
  /** The `treadle` dependency in package.json. Default: `^` and this version. */
  readonly treadle?: string;
  readonly random: Random;
  /** Text of `AGENTS.md`; without it there is no such file. */
  readonly agents?: string;
}

const README_FILE = 'README.md';

/** The README without its line on the file that the project does not get. */
const leaveOutAgents = (readme: Buffer | undefined): Buffer =>
  Buffer.from((readme?.toString() ?? '').replace(/^.*`AGENTS\.md`.*\n/m, ''));

/** The files of a new project, including `.env` with a new secret. */
export function toProjectFiles(options: ProjectOptions): Map<string, Buffer> {
  const name = toPackageName(basename(options.folder));
  const treadle = options.treadle ?? `^${packageVersion}`;
  const files = readTemplate(options.template, { name, title: toLabelText(name), treadle });
  const secret = options.random(32).toString('base64url');
  const env = `# The project's root secret: keep it secret, and keep a copy. Git ignores this file.\nTREADLE_SECRET=${secret}\n`;
  if (options.agents === undefined) files.set(README_FILE, leaveOutAgents(files.get(README_FILE)));
  else files.set(AGENTS_FILE, Buffer.from(options.agents));
  return files.set('.env', Buffer.from(env));
}

/** @throws CREATE_FOLDER_FULL if the folder is not empty. */
export function refuseFullFolder(folder: string): void {
  if (!existsSync(folder)) return;
  const found = readdirSync(folder).filter((name) => name !== '.git' && name !== '.DS_Store');
  if (found.length === 0) return;
  throw new TreadleError('CREATE_FOLDER_FULL', `${folder} is not empty: ${found[0]} is in it.`, {
    status: 409,
    hint: 'Name a folder that is empty or does not exist.',
  });
}

/**
 * Writes a new project. The files are written to a temporary folder next to it and moved into place, so that an
 * interruption leaves no half-written project.
 *
 * @throws CREATE_FOLDER_FULL
 */
export function writeProject(options: ProjectOptions): string[] {
  const { folder } = options;
  refuseFullFolder(folder);
  const files = toProjectFiles(options);
  mkdirSync(dirname(folder), { recursive: true });
  const draft = mkdtempSync(join(dirname(folder), `.${basename(folder)}-`));
  try {
    for (const [path, bytes] of files) {
      const target = join(draft, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, bytes, { mode: path === '.env' ? 0o600 : 0o644 });
    }
    moveInto(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
  return [...files.keys()].sort();
}

function moveInto(draft: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(draft)) renameSync(join(draft, name), join(folder, name));
  rmdirSync(draft);
}

/** The value of `--use` for package.json: an absolute path for a tarball or folder, anything else unchanged. */
export function toDependency(spec: string, cwd: string): string {
  const path = resolve(cwd, spec.replace(/^file:/, ''));
  if (existsSync(path)) return `file:${path}`;
  if (/\.tgz$|^\.{0,2}\//.test(spec) && !/^[a-z+]+:\/\//i.test(spec)) {
    throw new TreadleError('CREATE_USE_MISSING', `${path} does not exist.`, { status: 404, hint: 'See --use.' });
  }
  return spec.replace(/^treadle@/, '');
}
