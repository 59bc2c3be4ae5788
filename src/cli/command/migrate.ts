import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemClock } from '../../core/clock.ts';
import { ProblemsError } from '../../core/errors.ts';
import { silentLog } from '../../core/log.ts';
import type { MigrationPlan, MigrationStep } from '../../database/migration-step.ts';
import { EXIT } from '../failure.ts';
import { type CommandSpec, type Invocation, isOn, type Outcome } from '../spec.ts';

export const command: CommandSpec = {
  options: [{ name: 'exit-code', description: 'with --dry-run: exits with 2 where something is to be done' }],
  isWriting: true,
  examples: ['treadle migrate --dry-run', 'treadle migrate'],
  async run(invocation) {
    const { values, isDryRun } = invocation;
    const { plan, applied, refused } = await work(invocation);
    const shown = isDryRun ? plan.steps : applied;
    const isRefused = refused.length > 0;
    const differs = isDryRun && isOn(values, 'exit-code') && plan.steps.length > 0;
    const exitCode = isRefused ? EXIT.dataLoss : differs ? EXIT.differs : EXIT.done;
    return {
      data: { error: isRefused, isDryRun, steps: shown, refused, drift: plan.drift },
      lines: toLines({ plan, shown, refused, isDryRun }),
      next: isDryRun && plan.steps.length > 0 ? ['treadle migrate'] : [],
      exitCode,
    } satisfies Outcome;
  },
};

interface Work {
  readonly plan: MigrationPlan;
  readonly applied: readonly MigrationStep[];
  readonly refused: readonly MigrationStep[];
}

async function work({ root: findRoot, env, isDryRun }: Invocation): Promise<Work> {
  const root = findRoot();
  const { compileProject } = await import('../../boot.ts');
  const { openDatabase } = await import('../../database/open.ts');
  const { migrate, planMigration } = await import('../../database/migration.ts');
  const { toTables } = await import('../../database/table.ts');
  const compiled = await compileProject(root, env);
  if (!compiled.plan) throw new ProblemsError(compiled.problems.filter(({ severity }) => severity !== 'advice'));
  const { model, tables } = compiled.plan;
  const url = isDryRun ? toHarmless(root, model.settings.database.url) : model.settings.database.url;
  const database = await openDatabase({ url, root, log: silentLog, clock: systemClock });
  try {
    const desired = toTables(model, tables, { dialect: database.dialect });
    if (!isDryRun) return await migrate(database, desired);
    const plan = await planMigration(database, desired);
    return { plan, applied: [], refused: plan.steps.filter(({ refusal }) => refusal !== undefined) };
  } finally {
    await database.close();
  }
}

/** A dry run makes no file: where there is none yet, an empty database in memory says the same. */
function toHarmless(root: string, url: string): string {
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1];
  return path === undefined || existsSync(resolve(root, path)) ? url : 'sqlite::memory:';
}

interface Shown {
  readonly plan: MigrationPlan;
  readonly shown: readonly MigrationStep[];
  readonly refused: readonly MigrationStep[];
  readonly isDryRun: boolean;
}

function toLines({ plan, shown, refused, isDryRun }: Shown): string[] {
  const done = shown.filter((step) => !refused.includes(step));
  const lines = done.flatMap(({ words, sql }) => [
    `${isDryRun ? 'would do' : 'done'}: ${words}`,
    ...(isDryRun ? sql.map((text) => `    ${text};`) : []),
  ]);
  const stopped = refused.flatMap(({ words, refusal }) => [
    `refused: ${words}`,
    ...(refusal ? [`    ${refusal.message} ${refusal.hint ?? ''}`.trimEnd()] : []),
  ]);
  const drift = plan.drift.map(({ words }) => `stays: ${words}`);
  const all = [...lines, ...stopped, ...drift];
  return lines.length + stopped.length === 0 ? [...all, 'The database has all that the definitions need.'] : all;
}
