import { TreadleError } from '../../core/errors.ts';
import { toDidYouMean } from '../../core/text/suggest.ts';
import type { ChangedFile } from '../../edit/change.ts';
import { type Definitions, getSources } from '../../model/definitions.ts';
import { KIND_WORDS } from '../../model/kind-words.ts';
import { type DefinitionKind, type DefinitionOf, toFile } from '../../model/shape.ts';
import { readProject } from '../../project/read.ts';
import { createUsageError } from '../failure.ts';
import type { Invocation, Outcome } from '../spec.ts';

/** Reads the project's definitions; invalid ones are left out. */
export async function readDefinitions(invocation: Invocation): Promise<Definitions> {
  return (await readProject(invocation.root())).definitions;
}

/** A definition by name. @throws CLI_USAGE with a "did you mean" for an unknown name. */
export function getDefinition<K extends DefinitionKind>(
  definitions: Definitions,
  kind: K,
  name: string,
): DefinitionOf[K] {
  const found = getSources(definitions, kind).get(name);
  if (found) return found.value;
  if (definitions.broken.has(`${kind}/${name}`)) {
    throw createUsageError(`${toFile(kind, name)} is broken.`, 'See: treadle check');
  }
  throw createUsageError(
    `There is no ${KIND_WORDS[kind].one} "${name}".`,
    toDidYouMean(name, definitions[kind].keys()),
  );
}

/** @throws CLI_DEFINITION_EXISTS if a file with that name exists. */
export function refuseExisting(definitions: Definitions, kind: DefinitionKind, name: string): void {
  if (!definitions[kind].has(name) && !definitions.broken.has(`${kind}/${name}`)) return;
  throw new TreadleError('CLI_DEFINITION_EXISTS', `${toFile(kind, name)} already exists.`, {
    status: 409,
    hint: `See: treadle ${kind} show ${name}. Change it: treadle ${kind} update ${name} --help. Or remove it first: treadle ${kind} remove ${name}`,
  });
}

/** The result of a command that changed definitions. */
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
