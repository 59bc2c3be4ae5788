import type { Invocation } from '../spec.ts';
/** Asks for confirmation at a terminal, unless `--yes` or `--dry-run` is given. @throws CLI_INTERRUPTED if the user declines. */
export declare function agree({ prompt, isForced, isDryRun }: Pick<Invocation, 'prompt' | 'isForced' | 'isDryRun'>, message: string, preset: boolean): Promise<void>;
