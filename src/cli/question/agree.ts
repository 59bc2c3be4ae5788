import { createRefusal } from '../failure.ts';
import type { Invocation } from '../spec.ts';

/** Asks for confirmation at a terminal, unless `--yes` or `--dry-run` is given. @throws CLI_DECLINED if the user declines. */
export async function agree(
  { prompt, isForced, isDryRun }: Pick<Invocation, 'prompt' | 'isForced' | 'isDryRun'>,
  message: string,
  preset: boolean,
): Promise<void> {
  if (!prompt || isForced || isDryRun) return;
  if (!(await prompt.confirm(message, preset))) throw createRefusal();
}
