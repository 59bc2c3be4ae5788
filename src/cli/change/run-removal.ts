import { applyRemoval, type Removal } from '../../edit/removal.ts';
import { findReferences, printReference, type Reference } from '../../model/removal/reference.ts';
import { createRefusal } from '../failure.ts';
import { agree } from '../question/agree.ts';
import { type Invocation, isOn, type OptionSpec, type Outcome } from '../spec.ts';
import { toOutcome } from './definition.ts';

export const CASCADE: OptionSpec = {
  name: 'cascade',
  description: 'also removes references to it: calls, entries of scopes, relations, rules',
};

interface RemovalCommand extends Omit<Removal, 'isCascade'> {
  /** What remains in the database, in words. */
  readonly stays?: string;
  /** Additional effects outside of files, as lines. */
  readonly notes?: readonly string[];
  readonly next: readonly string[];
  /** Another schema with a list of the same name: the lines of templates may mean that. */
  readonly twin?: string | undefined;
}

/**
 * Asks for confirmation at a terminal, removes, and lists what was removed.
 *
 * @throws ProblemsError as {@link applyRemoval}. @throws CLI_DECLINED if the user declines.
 */
export async function runRemoval(invocation: Invocation, removal: RemovalCommand): Promise<Outcome> {
  const { definitions, target, words, stays, notes = [], next, twin } = removal;
  const references = findReferences(definitions, target);
  const isCascade = references.length > 0 && (await mayCascade(invocation, references, words));
  if (references.length === 0) await agree(invocation, `Remove ${words}?`, false);
  const { files, left } = await applyRemoval(invocation, { definitions, target, words, isCascade });
  return toOutcome(invocation, files, {
    data: { left, ...(notes.length === 0 ? {} : { notes }) },
    lines: [
      ...(left.length === 0 ? [] : [twin === undefined ? 'Still named here:' : toDoubt(words, twin)]),
      ...left.map(({ file, line, text }) => `  ${file}:${line}  ${text}`),
      ...(stays === undefined ? [] : [`${stays} in the database. To drop it: treadle migrate --allow-loss`]),
      ...notes,
    ],
    next,
  });
}

const toDoubt = (words: string, twin: string): string =>
  `These lines may mean ${words}, or the list of the same name that ${twin} has:`;

/** True if references are removed too: by flag, or confirmed by the user who was shown them. */
async function mayCascade(invocation: Invocation, references: readonly Reference[], words: string): Promise<boolean> {
  const { values, prompt, terminal } = invocation;
  if (isOn(values, 'cascade')) return true;
  if (!prompt) return false;
  for (const reference of references) terminal.say(printReference(reference));
  if (await prompt.confirm(`These name ${words}. Remove them too?`, false)) {
    values.cascade = true;
    return true;
  }
  throw createRefusal();
}
