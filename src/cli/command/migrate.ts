import { toDidYouMean } from '../../core/text/suggest.ts';
import type { Database } from '../../database/database.ts';
import type { PlanOptions } from '../../database/migration/prepare.ts';
import type { MigrationResult } from '../../database/migration.ts';
import { type CopyNote, isApplicable, type MigrationPlan, type MigrationStep } from '../../database/migration-step.ts';
import type { OwnStep } from '../../database/own-step.ts';
import type { Table } from '../../database/table.ts';
import { compilePlan } from '../application.ts';
import { toCommandLine } from '../complete.ts';
import { withDatabase } from '../database.ts';
import { createUsageError, EXIT } from '../failure.ts';
import { listDesired } from '../migration/database.ts';
import { type MigrationConsent, planAndApply } from '../migration/decide.ts';
import {
  isLeft,
  printCopies,
  printDrift,
  printLeft,
  printRefused,
  printScript,
  printSteps,
  toRefusalCode,
} from '../migration/print.ts';
import { type CommandSpec, getList, type Invocation, isOn, type Outcome, type Values } from '../spec.ts';
import { refreshPlanner } from '../statistics.ts';

export const command: CommandSpec = {
  options: [
    { name: 'allow-loss', description: 'applies steps that lose data too, and keeps a copy of it' },
    {
      name: 'default',
      value: 'schema.field=value',
      description: 'value for existing rows of a new required field',
      isRepeated: true,
    },
    { name: 'exit-code', description: 'with --dry-run: exits with 2 if there is something to migrate' },
    { name: 'sql', description: 'prints the statements as a script' },
  ],
  isWriting: true,
  examples: ['treadle migrate --dry-run', 'treadle migrate', 'treadle migrate --default article.author=unknown'],
  run: async (invocation) => report(invocation, await work(invocation)),
};

interface Work extends MigrationResult {
  readonly plan: MigrationPlan;
  /** The project's own steps that ran, or that would run. */
  readonly own: readonly OwnStep[];
  /** Those that ran and were changed since, in words. */
  readonly edited: readonly string[];
}

async function work(invocation: Invocation): Promise<Work> {
  const { isDryRun, values, terminal } = invocation;
  const root = invocation.root();
  const { planMigration } = await import('../../database/migration.ts');
  const { listCounted } = await import('../../database/table.ts');
  const compiled = await compilePlan(invocation);
  const { url } = compiled.model.settings.database;
  return withDatabase({ root, url, isMaking: !isDryRun }, async (database) => {
    const desired = await listDesired(compiled, database);
    const leave: MigrationConsent = {
      allowLoss: isOn(values, 'allow-loss'),
      defaults: await readDefaults(invocation, desired),
    };
    const before = toAnswers(leave);
    const make = async (options: PlanOptions) => ({ plan: await planMigration(database, desired, options) });
    const result = await planAndApply(invocation, database, leave, make);
    // Done here, because a start may have fewer permissions; a start reports if it is missing.
    if (!isDryRun && result.refused.every(isLeft))
      await database.trackTables(listCounted(desired)).catch(() => undefined);
    const isBlocked = result.refused.some(({ isNeeded }) => isNeeded);
    const own = await migrateOwn(database, compiled.steps, isDryRun || isBlocked);
    if (!isDryRun) await refreshPlanner(invocation, database);
    const { describeEdited, findEdited } = await import('../../database/own-step.ts');
    const edited = (await findEdited(database, compiled.steps)).map(describeEdited);
    const answers = toAnswers(leave);
    if (JSON.stringify(answers) !== JSON.stringify(before)) {
      terminal.say(terminal.dim(`The same without questions: ${toCommandLine(['migrate'], command, answers)}`));
    }
    return { ...result, own, edited };
  });
}

/** Runs the project's own steps after Treadle's; a dry run only finds them. */
async function migrateOwn(database: Database, steps: readonly OwnStep[], isDry: boolean): Promise<readonly OwnStep[]> {
  const { findPending } = await import('../../database/own-step.ts');
  const { runOwnSteps } = await import('../../app/own-steps.ts');
  return isDry ? findPending(database, steps) : runOwnSteps({ database, steps, log: { info: () => {} } });
}

const toAnswers = ({ allowLoss, defaults }: MigrationConsent) => ({
  ...(allowLoss ? { 'allow-loss': true } : {}),
  ...(defaults.size > 0 ? { default: [...defaults].map(([name, text]) => `${name}=${text}`) } : {}),
});

/**
 * Parses `--default` and checks each name, because a default for an unknown field would go unnoticed. @throws
 * CLI_USAGE
 */
async function readDefaults({ values }: Invocation, desired: readonly Table[]): Promise<Map<string, string>> {
  const { toColumnPath: toAsk } = await import('../../database/migration/context.ts');
  const known = desired.flatMap((table) =>
    table.name.startsWith('treadle_')
      ? []
      : table.columns.map((column) => ({ ask: toAsk(table, column), plain: `${table.name}.${column.name}` })),
  );
  const isSame = (a: string, b: string): boolean => a.replaceAll('-', '_') === b.replaceAll('-', '_');
  const defaults = new Map<string, string>();
  for (const text of getList(values, 'default')) {
    const [, name = '', value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (value === undefined) {
      throw createUsageError(
        `--default can't be "${text}".`,
        'Write the field and the value: --default article.author=unknown',
      );
    }
    const found = known.find(({ ask, plain }) => isSame(name, ask) || isSame(name, plain));
    if (found === undefined) {
      const names = known.map(({ ask }) => ask);
      throw createUsageError(`--default ${text}: there is no field "${name}".`, toDidYouMean(name, names));
    }
    defaults.set(found.ask, value);
  }
  return defaults;
}

function report({ values, isDryRun }: Invocation, { plan, applied, refused: blocked, own, edited }: Work): Outcome {
  const refused = blocked.filter((step) => !isLeft(step));
  const left = blocked.filter(isLeft);
  const steps = (isDryRun ? plan.steps : applied).filter((step) => !isLeft(step));
  const done = steps.filter(isApplicable);
  const copies: readonly CopyNote[] = done.length === 0 ? [] : plan.record.copies;
  const differs = isDryRun && isOn(values, 'exit-code') && steps.length + own.length > 0;
  const code = toRefusalCode(refused);
  return {
    data: {
      error: code !== EXIT.done,
      isDryRun,
      steps,
      own: own.map(({ file }) => file),
      edited,
      refused,
      left,
      drift: plan.drift,
      copies,
    },
    lines: isOn(values, 'sql')
      ? printScript(done)
      : toLines({ plan, done, refused, left, isDryRun, copies, own, edited }),
    next: isDryRun && done.length + own.length > 0 ? [toNext(values)] : [],
    exitCode: code === EXIT.done && differs ? EXIT.differs : code,
  };
}

/** The command that does what the dry run showed. */
function toNext(values: Values): string {
  const given = getList(values, 'default');
  return toCommandLine(['migrate'], command, {
    ...(isOn(values, 'allow-loss') ? { 'allow-loss': true } : {}),
    ...(given.length > 0 ? { default: [...given] } : {}),
  });
}

interface MigrationReport {
  readonly plan: MigrationPlan;
  readonly done: readonly MigrationStep[];
  readonly refused: readonly MigrationStep[];
  readonly left: readonly MigrationStep[];
  readonly isDryRun: boolean;
  readonly copies: readonly CopyNote[];
  readonly own: readonly OwnStep[];
  readonly edited: readonly string[];
}

function toLines({ plan, done, refused, left, isDryRun, copies, own, edited }: MigrationReport): string[] {
  const lines = [
    ...printSteps(done, { isDone: !isDryRun, hasSql: isDryRun }),
    ...printRefused(refused),
    ...printLeft(left),
    ...printDrift(plan),
    ...own.map(({ file }) => `${isDryRun ? 'Would run' : 'Ran'} ${file}.`),
    ...edited,
    ...(isDryRun ? [] : printCopies(copies)),
  ];
  return done.length + refused.length + own.length === 0 ? [...lines, 'The database is up to date.'] : lines;
}
