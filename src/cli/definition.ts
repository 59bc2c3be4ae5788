import { type Problem, ProblemsError, TreadleError } from '../core/errors.ts';
import { toDidYouMean } from '../core/suggest.ts';
import type { Definitions } from '../model/definitions.ts';
import { printChanged } from '../model/json-schema.ts';
import { linkModel, type UnknownCall } from '../model/link.ts';
import { parseDefinition } from '../model/parse.ts';
import { type DefinitionKind, type DefinitionOf, type FileKind, toFile } from '../model/shape.ts';
import { readProject } from '../project/read.ts';
import { getFile } from '../project/write.ts';
import { writeTogether } from '../project/write-together.ts';
import { createUsageError } from './failure.ts';
import type { Invocation, Outcome } from './spec.ts';

/** A definition as it shall be; without a value its file is removed. */
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
  /** Text until now; undefined for a new file. */
  readonly before?: string | undefined;
}

/**
 * Writes changes to definitions, all or none: first into a copy in memory, which is parsed and linked. What was wrong
 * before does not stop it; what it would make wrong does.
 *
 * @throws ProblemsError where the change breaks a definition; nothing is written then.
 */
export async function applyChanges(
  invocation: Invocation,
  changes: readonly Change[],
): Promise<readonly ChangedFile[]> {
  const { files } = await previewChanges(invocation, changes);
  // Nothing that a link let through leaves its folder.
  for (const { kind, name } of changes) getFile(kind, name);
  const changed = files.filter(({ change }) => change !== 'unchanged');
  if (!invocation.isDryRun) await writeTogether(invocation.root(), changed);
  return files;
}

export interface Preview {
  readonly before: Definitions;
  readonly after: Definitions;
  readonly files: readonly ChangedFile[];
}

/** As {@link applyChanges}, without writing. @throws ProblemsError where the change breaks a definition. */
export async function previewChanges(invocation: Invocation, changes: readonly Change[]): Promise<Preview> {
  const { definitions } = await readProject(invocation.root());
  const files = changes.map((change) => toChangedFile(definitions, change));
  const next = files.reduce((all, file, index) => toNext(all, changes[index] as Change, file), definitions);
  const before = new Set(linkModel(definitions).problems.map(toKey));
  const linked = linkModel(next, { leavesCalls: true });
  const isNew = (problem: Problem): boolean => problem.severity !== 'advice' && !before.has(toKey(problem));
  const unknown = {
    calls: linked.unknownCalls.filter(({ problem }) => isNew(problem)),
    hooks: linked.unknownHooks.filter(({ problem }) => isNew(problem)),
  };
  const added = [...linked.problems.filter(isNew), ...(await findUnwritten(invocation, unknown))];
  if (added.length > 0) throw new ProblemsError(added);
  return { before: definitions, after: next, files };
}

interface Unwritten {
  readonly calls: readonly UnknownCall[];
  readonly hooks: readonly UnknownCall[];
}

/** What to tell of calls and hooks that neither a file nor the project's code has; the code is loaded only where it is asked. */
async function findUnwritten({ root, env }: Invocation, { calls, hooks }: Unwritten): Promise<readonly Problem[]> {
  if (calls.length === 0 && hooks.length === 0) return [];
  const { compileProject } = await import('../boot.ts');
  const { findUnknown } = await import('../plan/own-call.ts');
  const { plan } = await compileProject(root(), env);
  if (plan === undefined) return [...calls, ...hooks].map(({ problem }) => problem);
  // A hook that this change removes is in the plan of the files as they are: only the code's count.
  const known = new Set(plan.hooks.filter((hook) => plan.model.hooks.get(hook.name) !== hook).map(({ name }) => name));
  const left = hooks.filter(({ name }) => !known.has(name)).map(({ problem }) => problem);
  return [...findUnknown(calls, plan.calls), ...left];
}

const toKey = ({ code, file, path, message }: Problem): string => [code, file, path, message].join('\u0000');

function findText(definitions: Definitions, kind: FileKind, name: string): string | undefined {
  return kind === 'settings' ? definitions.settings.text : definitions[kind].get(name)?.text;
}

function toChangedFile(definitions: Definitions, { kind, name, value }: Change): ChangedFile {
  const file = toFile(kind, name);
  const before = findText(definitions, kind, name);
  if (value === undefined) return { file, change: 'removed', text: undefined };
  const text = printChanged(kind, value, before);
  return { file, text, before, change: before === undefined ? 'created' : before === text ? 'unchanged' : 'changed' };
}

function toNext(definitions: Definitions, { kind, name }: Change, { file, text }: ChangedFile): Definitions {
  if (text === undefined) {
    if (kind === 'settings') return definitions;
    const map = new Map<string, unknown>(definitions[kind]);
    map.delete(name);
    return { ...definitions, [kind]: map } as Definitions;
  }
  const { source, problems } = parseDefinition(kind, file, text);
  if (source === undefined) throw new ProblemsError(problems);
  if (kind === 'settings') return { ...definitions, settings: source as Definitions['settings'] };
  return { ...definitions, [kind]: new Map<string, unknown>(definitions[kind]).set(name, source) } as Definitions;
}

/** Reads the project's definitions as they are; those that are broken are left out. */
export async function readDefinitions(invocation: Invocation): Promise<Definitions> {
  return (await readProject(invocation.root())).definitions;
}

/** What a person calls a kind of definition. */
const KIND_WORDS: Readonly<Partial<Record<DefinitionKind, string>>> = { rest: 'REST call', webhook: 'web hook' };

/** A definition by name. @throws CLI_USAGE with a "did you mean" where there is none. */
export function getDefinition<K extends DefinitionKind>(
  definitions: Definitions,
  kind: K,
  name: string,
): DefinitionOf[K] {
  const found = definitions[kind].get(name);
  if (found) return found.value as DefinitionOf[K];
  if (definitions.broken.has(`${kind}/${name}`)) {
    throw createUsageError(`${toFile(kind, name)} is broken.`, 'See: treadle check');
  }
  throw createUsageError(
    `There is no ${KIND_WORDS[kind] ?? kind} "${name}".`,
    toDidYouMean(name, definitions[kind].keys()),
  );
}

/** @throws CLI_DEFINITION_EXISTS where a file of that name is there. */
export function refuseExisting(definitions: Definitions, kind: DefinitionKind, name: string): void {
  if (!definitions[kind].has(name) && !definitions.broken.has(`${kind}/${name}`)) return;
  throw new TreadleError('CLI_DEFINITION_EXISTS', `${toFile(kind, name)} is there already.`, {
    status: 409,
    hint: `See: treadle ${kind} show ${name}. Change it: treadle ${kind} update ${name} --help. Or remove it first: treadle ${kind} remove ${name}`,
  });
}

/** What a command that changed definitions leaves. */
export function toOutcome(
  invocation: Invocation,
  files: readonly ChangedFile[],
  more: { readonly data?: object; readonly lines?: readonly string[]; readonly next?: readonly string[] } = {},
): Outcome {
  const { isDryRun } = invocation;
  const lines = files.flatMap(({ file, change, text }) => {
    const line = `${isDryRun && change !== 'unchanged' ? `would be ${change}` : change} ${file}`;
    return isDryRun && text !== undefined && change !== 'unchanged' ? [line, ...text.trimEnd().split('\n')] : [line];
  });
  const shown = files.map(({ file, change, text }) => (isDryRun ? { file, change, text } : { file, change }));
  return {
    data: { files: shown, isDryRun, ...more.data },
    lines: [...lines, ...(more.lines ?? [])],
    ...(isDryRun ? {} : { next: more.next ?? [] }),
  };
}

/** A map of `key=value` texts. @throws CLI_USAGE where one has no key. */
export function parsePairs(pairs: readonly string[], flag: string): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 1) throw createUsageError(`${flag} "${pair}" is not key=value.`, `Such as ${flag} schema=article`);
    found[pair.slice(0, at)] = pair.slice(at + 1);
  }
  return found;
}
