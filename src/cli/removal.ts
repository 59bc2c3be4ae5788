import { type Problem, ProblemsError } from '../core/errors.ts';
import type { Definitions } from '../model/definitions.ts';
import { printPath } from '../model/json-text.ts';
import { removeWithReferences } from '../model/removal/cascade.ts';
import { toGone } from '../model/removal/left.ts';
import { findReferences, printReference, type Reference } from '../model/removal/reference.ts';
import { type Target, takeAway } from '../model/removal/target.ts';
import { listChanges } from '../model/rename/apply.ts';
import { planTextRenames } from '../project/rename/rename-texts.ts';
import { applyChanges, toOutcome } from './definition.ts';
import { createInterruption } from './failure.ts';
import { type Invocation, isOn, type OptionSpec, type Outcome } from './spec.ts';

export const CASCADE: OptionSpec = {
  name: 'cascade',
  description: 'removes what names it too: calls, entries of scopes, relations, rules',
};

export interface Removal {
  readonly definitions: Definitions;
  readonly target: Target;
  /** As a sentence has it: `the schema "article"`. */
  readonly words: string;
  /** What stays in the database. */
  readonly stays?: string;
  /** Lines for a person: what else goes with it, that is in no file. */
  readonly notes?: readonly string[];
  readonly next: readonly string[];
}

/**
 * Takes something away, or says what would break.
 *
 * @throws ProblemsError with every place that names it, where these are not to go too; nothing is written then.
 */
export async function applyRemoval(invocation: Invocation, removal: Removal): Promise<Outcome> {
  const { definitions, target, words } = removal;
  const references = findReferences(definitions, target);
  const isCascade = references.length > 0 && (await mayCascade(invocation, references, words));
  await confirm(invocation, removal, isCascade);
  const cascade = isCascade ? removeWithReferences(definitions, target) : undefined;
  const after = cascade?.definitions ?? takeAway(definitions, target);
  const files = await applyChanges(invocation, cascade?.changes ?? listChanges(definitions, after, []));
  const moved = 'of' in target ? undefined : { kind: target.kind, from: target.name, to: target.name };
  const { left } = await planTextRenames(invocation.root(), {
    renames: toGone(definitions, after),
    ...(moved === undefined ? {} : { moved }),
  });
  const { stays, notes = [] } = removal;
  return toOutcome(invocation, files, {
    data: { left, ...(notes.length === 0 ? {} : { notes }) },
    lines: [
      ...(left.length === 0 ? [] : ['These name it still:']),
      ...left.map(({ file, line, text }) => `  ${file}:${line}  ${text}`),
      ...(stays === undefined ? [] : [`${stays} in the database. To let go of it: treadle migrate --allow-loss`]),
      ...notes,
    ],
    next: removal.next,
  });
}

/** Whether what names it goes too: by flag, or because a person who was shown it says so. */
async function mayCascade(invocation: Invocation, references: readonly Reference[], words: string): Promise<boolean> {
  const { values, prompt, terminal } = invocation;
  if (isOn(values, 'cascade')) return true;
  if (!prompt) throw new ProblemsError(references.map((reference) => toProblem(reference, words)));
  for (const reference of references) terminal.say(printReference(reference));
  if (await prompt.confirm(`These name ${words}. Remove them too?`, false)) {
    values.cascade = true;
    return true;
  }
  throw createInterruption();
}

function toProblem({ file, line, path, mention }: Reference, words: string): Problem {
  const message = `This names "${mention.name}", which goes with ${words}.`;
  const hint = 'Change it first, or remove it too with --cascade.';
  return { code: 'CLI_REFERENCE_LEFT', file, path: printPath(path), line, message, hint };
}

async function confirm(
  { prompt, isForced, isDryRun }: Invocation,
  { words }: Removal,
  isCascade: boolean,
): Promise<void> {
  if (!prompt || isForced || isDryRun || isCascade) return;
  if (!(await prompt.confirm(`Remove ${words}?`, false))) throw createInterruption();
}
