import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { TreadleError } from '../../core/errors.ts';
import type { Change } from '../../edit/api-change/change.ts';
import { compareApis, describeChanges } from '../../edit/api-change/compare.ts';
import type { Json } from '../../model/json/value-schema.ts';
import { writeFileAtomically } from '../../project/write.ts';
import { compilePlan } from '../application.ts';
import { createUsageError, EXIT } from '../failure.ts';
import { type CommandSpec, findText, getText, type Invocation, isOn, type Values } from '../spec.ts';

/** Lists the written files, so that obsolete pages are removed, but never other files. */
const LIST = '.treadle-docs.json';
/** The document that is compared to list the changes. */
const API = 'openapi.json';

export const command: CommandSpec = {
  options: [
    { name: 'out', value: 'dir', description: 'folder to write to' },
    {
      name: 'check',
      description:
        'writes nothing; exits with 2 if the pages are out of date, and lists the changes that break clients',
    },
    {
      name: 'against',
      value: 'file',
      description:
        "openapi.json to compare with, instead of the folder's; with --check, a breaking change exits with 2",
    },
    {
      name: 'changes',
      value: 'revision',
      description:
        'writes nothing; lists what changed in the API since the definitions of a git revision, and the version that it asks for; exits with 2 if something breaks clients and package.json has a lower version',
    },
  ],
  isWriting: true,
  examples: [
    'treadle docs --out docs',
    'treadle docs --out docs --check',
    'treadle docs --out docs --check --against main-openapi.json',
    'treadle docs --changes v1.2.0',
  ],
  async ask({ values }, prompt) {
    if (findText(values, 'changes') !== undefined || findText(values, 'out') !== undefined) return;
    values.out = await prompt.text('folder to write to');
  },
  async run(invocation) {
    const { values, isDryRun } = invocation;
    const revision = findText(values, 'changes');
    if (revision !== undefined) {
      refuseOthers(values);
      const { tellChanges } = await import('../docs/changes.ts');
      return tellChanges(invocation, revision);
    }
    if (findText(values, 'out') === undefined) {
      throw createUsageError('The option --out is missing: folder to write to.', 'Or list changes with --changes.');
    }
    const plan = await compilePlan(invocation);
    const { renderDocs } = await import('../../boot.ts');
    const folder = resolve(invocation.cwd, getText(values, 'out'));
    await refuseFile(folder);
    const theme = await readFile(join(invocation.root(), 'public/styles/theme.css'), 'utf8').catch(() => undefined);
    const pages = renderDocs(plan, theme);
    const wanted = new Map([...pages, [LIST, `${JSON.stringify([...pages.keys()].sort(), null, 2)}\n`]]);
    const { changed, removed } = await compare(folder, wanted);
    const changes = await findChanges(invocation, folder, pages.get(API) ?? '{}');
    const isChecking = isOn(values, 'check');
    if (!isChecking && !isDryRun) {
      for (const file of changed) await writeFileAtomically(join(folder, file), wanted.get(file) ?? '');
      for (const file of removed) await rm(join(folder, file), { force: true });
    }
    const isUpToDate = changed.length + removed.length === 0;
    const isBreaking = changes.some(({ level }) => level === 'breaking');
    const isHeld = !isUpToDate || (isBreaking && findText(values, 'against') !== undefined);
    return {
      data: { folder, pages: [...pages.keys()].sort(), changed, removed, isUpToDate, isBreaking, changes },
      lines: [...toLines({ changed, removed }, isChecking, isDryRun), ...describeChanges(changes)],
      next: toNext(getText(values, 'out'), { isChecking, isDryRun, isUpToDate }),
      exitCode: isChecking && isHeld ? EXIT.differs : EXIT.done,
    };
  },
};

/** @throws CLI_USAGE if an option stands beside --changes, which has no folder. */
function refuseOthers(values: Values): void {
  const other = ['out', 'check', 'against'].find((name) => values[name] !== undefined && values[name] !== false);
  if (other !== undefined)
    throw createUsageError(`--${other} does not go with --changes.`, 'Run both, one after the other.');
}

/** @throws CLI_USAGE if the path, or a part of it, is a file, a device or a pipe. */
async function refuseFile(folder: string): Promise<void> {
  for (let path = folder; ; path = dirname(path)) {
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory() || path === dirname(path)) return;
    if (found !== undefined) throw createUsageError(`--out: ${path} is not a folder.`, 'Name a folder.');
  }
}

function toLines({ changed, removed }: Difference, isChecking: boolean, isDryRun: boolean): string[] {
  if (changed.length + removed.length === 0) return ['The docs are up to date.'];
  const verb = isChecking ? 'out of date: ' : isDryRun ? 'would write ' : 'wrote ';
  return [
    ...changed.map((file) => `${verb}${file}`),
    ...removed.map((file) => `${isChecking ? verb : isDryRun ? 'would remove ' : 'removed '}${file}`),
  ];
}

function toNext(out: string, state: { isChecking: boolean; isDryRun: boolean; isUpToDate: boolean }): string[] {
  if (state.isChecking) return state.isUpToDate ? [] : [`treadle docs --out ${out}`];
  return state.isDryRun ? [] : [`treadle docs --out ${out} --check`];
}

/**
 * The changes of the API since the document in the folder, or the named one.
 *
 * @throws CLI_API_UNREADABLE if the named file is not an OpenAPI document.
 */
async function findChanges({ values, cwd }: Invocation, folder: string, text: string): Promise<Change[]> {
  const named = findText(values, 'against');
  const file = named === undefined ? join(folder, API) : resolve(cwd, named);
  const before = await readDocument(file);
  if (before === undefined && named !== undefined) {
    throw new TreadleError('CLI_API_UNREADABLE', `${named} is not a readable OpenAPI document.`, {
      hint: 'Name an openapi.json that "treadle docs --out" wrote.',
    });
  }
  return before === undefined ? [] : compareApis(before, JSON.parse(text));
}

async function readDocument(file: string): Promise<Json | undefined> {
  try {
    const document: Json | null = JSON.parse(await readFile(file, 'utf8'));
    return typeof document?.openapi === 'string' ? document : undefined;
  } catch {
    // A missing or invalid file lists no changes: the pages are compared as bytes anyway.
    return undefined;
  }
}

interface Difference {
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

async function compare(folder: string, wanted: ReadonlyMap<string, string>): Promise<Difference> {
  const there = await listFiles(folder);
  const changed: string[] = [];
  for (const [file, text] of wanted) {
    if (!there.has(file) || (await readFile(join(folder, file), 'utf8')) !== text) changed.push(file);
  }
  const before: unknown[] = there.has(LIST) ? JSON.parse(await readFile(join(folder, LIST), 'utf8')) : [];
  const removed = before.map(String).filter((file) => !wanted.has(file) && there.has(file));
  return { changed: changed.sort(), removed: removed.sort() };
}

async function listFiles(folder: string): Promise<Set<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  return new Set(files.map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')));
}
