import { type Change, previewChanges } from '../../edit/change.ts';
import { toDiff } from '../../edit/diff.ts';
import type { Invocation } from '../spec.ts';
import { agree } from './agree.ts';

/**
 * Shows the changes and the resulting migration, and asks for confirmation.
 *
 * @throws ProblemsError if a definition would be invalid. @throws CLI_DECLINED if the user declines.
 */
export async function confirmPreview(invocation: Invocation, changes: readonly Change[]): Promise<void> {
  const { prompt, terminal, isDryRun } = invocation;
  if (!prompt || isDryRun) return;
  const { before, after, files } = await previewChanges(invocation, changes);
  for (const { file, text = '', change, before: old } of files) {
    terminal.say(`\n${terminal.bold(file)} (${change === 'created' ? 'new' : change})`);
    const lines =
      old === undefined
        ? text
            .trimEnd()
            .split('\n')
            .map((line) => `  ${line}`)
        : toDiff(old, text);
    for (const line of lines) terminal.say(line);
  }
  const { previewMigration } = await import('../../edit/preview-migration.ts');
  const steps = await previewMigration(invocation, before, after);
  if (steps !== undefined) {
    terminal.say(steps.length === 0 ? '\nThe database needs no migration.' : '\nThe next migration will do:');
    for (const step of steps) terminal.say(`  ${step}`);
  }
  await agree(invocation, files.length === 1 ? 'Write this file?' : 'Write these files?', true);
}
