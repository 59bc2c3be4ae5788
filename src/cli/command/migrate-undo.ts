import { toStamp } from '../../core/clock.ts';
import { TreadleError } from '../../core/errors.ts';
import { holdLosses } from '../../database/migration/hold-losses.ts';
import type { JournalEntry } from '../../database/migration/journal.ts';
import type { MigrationResult } from '../../database/migration.ts';
import { isApplicable, type MigrationPlan } from '../../database/migration-step.ts';
import { askDatabase } from '../database.ts';
import { EXIT } from '../failure.ts';
import { findPlan, listDesired } from '../migration/database.ts';
import { type MigrationConsent, planAndApply } from '../migration/decide.ts';
import { printCopies, printRefused, printScript, printSteps, toRefusalCode } from '../migration/print.ts';
import { type CommandSpec, type Invocation, isOn, type Outcome } from '../spec.ts';
import { refreshPlanner } from '../statistics.ts';

export const command: CommandSpec = {
  options: [
    { name: 'allow-loss', description: 'drops data written since, and keeps a copy' },
    { name: 'sql', description: 'prints the statements as a script' },
  ],
  isWriting: true,
  examples: ['treadle migrate undo --dry-run', 'treadle migrate undo'],
  run: async (invocation) => (await undoOwn(invocation)) ?? report(invocation, await work(invocation)),
};

/** Undoes the project's own step if that ran last; undefined if a migration of Treadle did. */
async function undoOwn(invocation: Invocation): Promise<Outcome | undefined> {
  const { listApplied, undoOwnStep } = await import('../../database/own-step.ts');
  const { readJournal } = await import('../../database/migration/journal.ts');
  const { readStructure } = await import('../../database/read-structure.ts');
  return askDatabase(invocation, async (database) => {
    const [last] = await listApplied(database);
    const journal = last && (await readJournal(database, await readStructure(database)));
    if (last === undefined || (journal ?? []).some(({ at }) => at > last.at)) return undefined;
    const { isDryRun } = invocation;
    const step = (await findPlan(invocation))?.steps.find(({ name }) => name === last.name);
    if (step === undefined) {
      throw new TreadleError('MIGRATION_OWN_FOREVER', `The step ${last.name} ran last, but its file is gone.`, {
        hint: `Restore config/migration/${last.name}.ts, which knows how to undo it.`,
      });
    }
    if (!isDryRun) await undoOwnStep(database, step);
    const line = `${step.file} ${isDryRun ? 'would be undone' : 'was undone'}.`;
    const next = [isDryRun ? 'treadle migrate undo' : 'treadle migrate --dry-run'];
    return { data: { error: false, isDryRun, own: step.file }, lines: [line], next };
  });
}

interface Work extends MigrationResult {
  readonly plan: MigrationPlan;
  readonly entry: JournalEntry;
  /** What `treadle migrate` would do now; undefined if nothing was done, or the definitions are broken. */
  readonly left: MigrationPlan | undefined;
}

async function work(invocation: Invocation): Promise<Work> {
  const { isDryRun, values } = invocation;
  const { planUndo } = await import('../../database/migration/undo.ts');
  const { planMigration } = await import('../../database/migration.ts');
  // A definition may be broken by now: that is when somebody wants to go back.
  return askDatabase(invocation, async (database) => {
    const leave: MigrationConsent = { allowLoss: isOn(values, 'allow-loss'), defaults: new Map() };
    const result = await planAndApply(invocation, database, leave, async (options) => {
      const { plan, entry } = await planUndo(database, options);
      return { plan: options.allowLoss === true ? plan : holdLosses(plan), entry };
    });
    if (!isDryRun) await refreshPlanner(invocation, database);
    const compiled =
      isDryRun || result.refused.some(({ isNeeded }) => isNeeded) ? undefined : await findPlan(invocation);
    const left = compiled && (await planMigration(database, await listDesired(compiled, database)));
    return { ...result, left };
  });
}

/** Maximum number of lines printed for a migration; the first one of a project has many. */
const TOLD_LINES = 10;

function toTold(words: string): string[] {
  const lines = words.split('\n').map((line) => `  ${line}`);
  const more = lines.length - TOLD_LINES;
  return more > 1 ? [...lines.slice(0, TOLD_LINES), `  and ${more} more steps`] : lines;
}

function report({ values, isDryRun }: Invocation, { plan, entry, applied, refused, left }: Work): Outcome {
  const steps = isDryRun ? plan.steps : applied;
  const done = steps.filter(isApplicable);
  const code = toRefusalCode(refused);
  const { id, at, words } = entry;
  const differences = left?.steps ?? [];
  const copies = applied.length === 0 ? [] : plan.record.copies;
  const heading = `Migration ${id} of ${toStamp(at * 1000)} ${isDryRun || code !== EXIT.done ? 'would be undone' : 'was undone'}:`;
  const lines = [
    heading,
    ...toTold(words),
    ...printSteps(done, { isDone: !isDryRun, hasSql: isDryRun }),
    ...printRefused(refused),
    ...printCopies(copies),
    ...(differences.length === 0
      ? []
      : ['The definition files are unchanged, so treadle migrate would do this again:']),
    ...differences.map((step) => `  ${step.words}`),
  ];
  return {
    data: { error: code !== EXIT.done, isDryRun, entry: { id, at, words }, steps, refused, copies, differences },
    lines: isOn(values, 'sql') ? printScript(done) : lines,
    next: isDryRun ? ['treadle migrate undo'] : ['treadle migrate --dry-run'],
    exitCode: code,
  };
}
