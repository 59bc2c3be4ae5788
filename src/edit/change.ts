import { isError, type Problem, ProblemsError } from '../core/errors.ts';
import { type Definitions, withSource } from '../model/definitions.ts';
import { printChanged } from '../model/json/json-schema.ts';
import { findUnknown } from '../model/link/unknown.ts';
import { linkModel, type UnknownCall } from '../model/link.ts';
import { parseDefinition, type Source } from '../model/parse.ts';
import { type DefinitionOf, type FileKind, toFile } from '../model/shape.ts';
import { readProject } from '../project/read.ts';
import { getFile } from '../project/write.ts';
import type { EditedProject } from './project.ts';
import { writeEdited } from './write.ts';

/** The new value of a definition; without a value its file is removed. */
export interface Change {
  readonly kind: FileKind;
  readonly name: string;
  readonly value: unknown;
}

export type ChangeKind = 'created' | 'changed' | 'unchanged' | 'removed';

export interface ChangedFile {
  readonly file: string;
  readonly change: ChangeKind;
  readonly text: string | undefined;
  /** Current text; undefined for a new file. */
  readonly before?: string | undefined;
}

/**
 * Writes changes to definitions, all or none. They are first parsed and linked in memory. Existing problems do not
 * stop it; new problems do.
 *
 * @throws ProblemsError if the change breaks a definition; then nothing is written.
 */
export async function applyChanges(
  project: EditedProject,
  changes: readonly Change[],
): Promise<readonly ChangedFile[]> {
  const { files } = await previewChanges(project, changes);
  // Refuses names that would leave the folder.
  for (const { kind, name } of changes) getFile(kind, name);
  const changed = files.filter(({ change }) => change !== 'unchanged');
  await writeEdited(project, changed);
  return files;
}

export interface Preview {
  readonly before: Definitions;
  readonly after: Definitions;
  readonly files: readonly ChangedFile[];
}

/** As {@link applyChanges}, without writing. @throws ProblemsError if the change breaks a definition. */
export async function previewChanges(project: EditedProject, changes: readonly Change[]): Promise<Preview> {
  const { definitions } = await readProject(project.root());
  const files = changes.map((change) => toChangedFile(definitions, change));
  const next = changes.reduce((all, change) => toNext(all, change, toChangedFile(definitions, change)), definitions);
  const before = new Set(linkModel(definitions).problems.map(identify));
  const linked = linkModel(next, { leavesCalls: true });
  const isNew = (problem: Problem): boolean => isError(problem) && !before.has(identify(problem));
  const unknown = {
    calls: linked.unknownCalls.filter(({ problem }) => isNew(problem)),
    hooks: linked.unknownHooks.filter(({ problem }) => isNew(problem)),
  };
  const added = [...linked.problems.filter(isNew), ...(await findUnwritten(project, unknown))];
  if (added.length > 0) throw new ProblemsError(added);
  return { before: definitions, after: next, files };
}

interface UnknownNames {
  readonly calls: readonly UnknownCall[];
  readonly hooks: readonly UnknownCall[];
}

/** Problems with calls and hooks that neither a file nor the project's code defines; loads the code only if needed. */
async function findUnwritten(project: EditedProject, { calls, hooks }: UnknownNames): Promise<readonly Problem[]> {
  if (calls.length === 0 && hooks.length === 0) return [];
  const { plan } = await project.compile(project.root());
  if (plan === undefined) return [...calls, ...hooks].map(({ problem }) => problem);
  // The plan still has hooks that this change removes: only hooks of the code count.
  const known = new Set(plan.hooks.filter((hook) => plan.model.hooks.get(hook.name) !== hook).map(({ name }) => name));
  const left = hooks.filter(({ name }) => !known.has(name)).map(({ problem }) => problem);
  return [...findUnknown(calls, plan.calls), ...left];
}

/** The same problem before and after a change. */
export const identify = ({ code, file, path, message }: Problem): string => [code, file, path, message].join('\u0000');

/** The text of a definition file; undefined if it does not exist. */
export function findText(definitions: Definitions, kind: FileKind, name: string): string | undefined {
  return kind === 'settings' ? definitions.settings.text : definitions[kind].get(name)?.text;
}

function toChangedFile(definitions: Definitions, { kind, name, value }: Change): ChangedFile {
  const file = toFile(kind, name);
  const before = findText(definitions, kind, name);
  if (value === undefined) return { file, change: 'removed', text: undefined };
  const text = printChanged(kind, value, before);
  return { file, text, before, change: before === undefined ? 'created' : before === text ? 'unchanged' : 'changed' };
}

function parse<K extends FileKind>(kind: K, file: string, text: string): Source<DefinitionOf[K]> {
  const { source, problems } = parseDefinition(kind, file, text);
  if (source === undefined) throw new ProblemsError(problems);
  return source;
}

function toNext(definitions: Definitions, { kind, name }: Change, { file, text }: ChangedFile): Definitions {
  if (text === undefined) {
    if (kind === 'settings') return definitions;
    return withSource(definitions, kind, name, undefined);
  }
  if (kind === 'settings') return { ...definitions, settings: parse(kind, file, text) };
  return withSource(definitions, kind, name, parse(kind, file, text));
}
