import { type Problem, ProblemsError } from '../core/errors.ts';
import type { Definitions } from '../model/definitions.ts';
import { printPath } from '../model/json/json-text.ts';
import { removeWithReferences } from '../model/removal/cascade.ts';
import { listGone } from '../model/removal/left.ts';
import { findReferences, type Reference } from '../model/removal/reference.ts';
import { type Target, takeAway } from '../model/removal/target.ts';
import { listChanges } from '../model/rename/apply.ts';
import { type LeftText, planTextRenames } from '../project/rename/rename-texts.ts';
import { applyChanges, type ChangedFile } from './change.ts';
import type { EditedProject } from './project.ts';

export interface Removal {
  readonly definitions: Definitions;
  readonly target: Target;
  /** For use in a sentence: `the schema "article"`. */
  readonly words: string;
  /** If true, everything that names it is removed too. */
  readonly isCascade: boolean;
}

export interface RemovalResult {
  readonly files: readonly ChangedFile[];
  /** Lines of code and templates that still name it. */
  readonly left: readonly LeftText[];
}

/**
 * Removes a definition, or reports what would break.
 *
 * @throws ProblemsError with every place that names it, unless these are removed too; then nothing is written.
 */
export async function applyRemoval(project: EditedProject, removal: Removal): Promise<RemovalResult> {
  const { definitions, target, words, isCascade } = removal;
  const references = findReferences(definitions, target);
  if (references.length > 0 && !isCascade) {
    throw new ProblemsError(references.map((reference) => createProblem(reference, words)));
  }
  const cascade = references.length > 0 ? removeWithReferences(definitions, target) : undefined;
  const after = cascade?.definitions ?? takeAway(definitions, target);
  const files = await applyChanges(project, cascade?.changes ?? listChanges(definitions, after, []));
  const moved = 'of' in target ? undefined : { kind: target.kind, from: target.name, to: target.name };
  const { left } = await planTextRenames(project.root(), {
    renames: listGone(definitions, after),
    ...(moved === undefined ? {} : { moved }),
  });
  return { files, left };
}

function createProblem({ file, line, path, mention }: Reference, words: string): Problem {
  const message = `This names "${mention.name}", which is removed with ${words}.`;
  const hint = 'Change it first, or remove it too with --cascade.';
  return { code: 'CLI_REFERENCE_LEFT', file, path: printPath(path), line, message, hint };
}
