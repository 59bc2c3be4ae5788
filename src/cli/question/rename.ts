import { createInterruption } from '../failure.ts';
import type { Invocation, OptionSpec } from '../spec.ts';

export const RENAME_OPTIONS: readonly OptionSpec[] = [
  { name: 'code', description: "changes what is certain in the project's own code too; else it is only listed" },
];

/** Asks for confirmation before files are written, at a terminal and without --yes. */
export async function confirmRename(invocation: Invocation, message: string): Promise<void> {
  const { prompt, isForced, isDryRun } = invocation;
  if (!prompt || isForced || isDryRun) return;
  if (!(await prompt.confirm(message, true))) throw createInterruption();
}
