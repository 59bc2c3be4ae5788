import { createHash } from 'node:crypto';
import { isError, type Problem, ProblemsError, TreadleError } from '../../core/errors.ts';
import type { Log } from '../../core/log/log.ts';
import type { Database } from '../../database/database.ts';
import { holdLosses } from '../../database/migration/hold-losses.ts';
import { type JournalEntry, readJournal } from '../../database/migration/journal.ts';
import { planUndo } from '../../database/migration/undo.ts';
import { applyMigration, planMigration } from '../../database/migration.ts';
import { isBlocked, type MigrationPlan, type MigrationStep } from '../../database/migration-step.ts';
import { findPending, listApplied, type OwnStep, undoOwnStep } from '../../database/own-step.ts';
import { readStructure } from '../../database/read-structure.ts';
import { createTables } from '../../database/table.ts';
import type { CompiledPlan } from '../../plan/compile.ts';
import type { Services } from '../../plan/feature.ts';
import type {
  MigrationFacts,
  MigrationRequest,
  MigrationStepFacts,
  Migrations,
  UndoFacts,
} from '../../plan/operation.ts';
import { runOwnSteps } from '../own-steps.ts';

export interface MigrationParts {
  readonly database: Database;
  readonly log: Log;
  readonly root: string;
  readonly compile: (
    root: string,
  ) => Promise<{ readonly plan: CompiledPlan | undefined; readonly problems: readonly Problem[] }>;
  readonly reload: Services['reload'];
}

interface Result {
  readonly done: readonly string[];
  readonly refused: readonly string[];
}

/** Whatever is shown is part of it: a plan of other definitions or another database is another one. */
const toBase = (plan: MigrationPlan, own: readonly OwnStep[] = []): string =>
  createHash('sha256')
    .update(JSON.stringify([plan.base, plan.steps.map(({ sql, words }) => [sql, words]), own.map(({ name }) => name)]))
    .digest('base64url');

const toFacts = ({
  words,
  class: rank,
  rowsAtRisk,
  sql,
  refusal,
  asks,
  isNeeded,
}: MigrationStep): MigrationStepFacts => ({
  words,
  class: rank,
  rowsAtRisk,
  sql,
  refusal: refusal === undefined ? undefined : [refusal.message, refusal.hint].filter(Boolean).join(' '),
  asks,
  isNeeded,
});

const listRefused = (steps: readonly MigrationStep[]): string[] =>
  steps.flatMap(({ refusal, words }) => (refusal === undefined ? [] : [refusal.message ?? words]));

function checkBase(found: string, wanted: string): void {
  if (found === wanted) return;
  throw new TreadleError('MIGRATION_STALE', 'The files or the database have changed since this page was shown.', {
    status: 409,
    hint: 'Look at the steps again.',
  });
}

/** A missing undo, such as on a new database, is not an error of the page. */
const isNothing = (error: unknown): boolean =>
  error instanceof TreadleError && /^MIGRATION_UNDO_(?:NONE|UNKNOWN)$/.test(error.code);

class ServerMigrations implements Migrations {
  readonly #parts: MigrationParts;

  constructor(parts: MigrationParts) {
    this.#parts = parts;
  }

  async #compile(): Promise<{ readonly plan: CompiledPlan | undefined; readonly problems: readonly Problem[] }> {
    const { plan, problems } = await this.#parts.compile(this.#parts.root);
    return { plan, problems: problems.filter(isError) };
  }

  async #plan(compiled: CompiledPlan, options: Parameters<typeof planMigration>[2]) {
    const { database } = this.#parts;
    const tables = createTables(compiled.model, compiled.tables, { dialect: database.dialect });
    const plan = await planMigration(database, tables, options);
    const own = await findPending(database, compiled.steps);
    return { plan, own, base: toBase(plan, own) };
  }

  async #readJournal(): Promise<JournalEntry[]> {
    const { database } = this.#parts;
    return readJournal(database, await readStructure(database));
  }

  async read({ allowLoss = false } = {}): Promise<MigrationFacts> {
    const { plan: compiled, problems } = await this.#compile();
    const found = compiled && (await this.#plan(compiled, { allowLoss }));
    const journal = (await this.#readJournal()).filter(({ words }) => words !== '');
    return {
      problems,
      steps: found?.plan.steps.map(toFacts) ?? [],
      own: found?.own.map(({ file }) => file) ?? [],
      drift: found?.plan.drift.map(({ words }) => words) ?? [],
      base: found?.base ?? '',
      journal: journal.map(({ id, at, words, undoes }) => ({ id, at, words, undoes })),
      undo: await this.#findUndo(compiled, allowLoss),
    };
  }

  /** The project's own step that ran last, if nothing was migrated after it. */
  async #findOwnUndo(compiled: CompiledPlan | undefined): Promise<{ step: OwnStep; at: number } | undefined> {
    const [last] = await listApplied(this.#parts.database);
    if (last === undefined || (await this.#readJournal()).some(({ at }) => at > last.at)) return undefined;
    const step = compiled?.steps.find(({ name }) => name === last.name);
    if (step !== undefined) return { step, at: last.at };
    throw new TreadleError('MIGRATION_OWN_FOREVER', `The step ${last.name} ran last, but its file is gone.`, {
      status: 409,
      hint: `Restore config/migration/${last.name}.ts, which knows how to undo it.`,
    });
  }

  async #planUndo(allowLoss: boolean) {
    const { plan, entry } = await planUndo(this.#parts.database, { allowLoss });
    return { plan: allowLoss ? plan : holdLosses(plan), entry };
  }

  async #findUndo(compiled: CompiledPlan | undefined, allowLoss: boolean): Promise<UndoFacts | undefined> {
    try {
      const own = await this.#findOwnUndo(compiled);
      if (own) return { words: own.step.file, at: own.at, steps: [], base: own.step.name };
      const { plan, entry } = await this.#planUndo(allowLoss);
      return { words: entry.words, at: entry.at, steps: plan.steps.map(toFacts), base: toBase(plan) };
    } catch (error) {
      if (isNothing(error) || (error instanceof TreadleError && error.code === 'MIGRATION_OWN_FOREVER'))
        return undefined;
      throw error;
    }
  }

  async apply({ base, allowLoss, defaults }: MigrationRequest): Promise<Result> {
    const { database, log, reload } = this.#parts;
    const { plan: compiled, problems } = await this.#compile();
    if (compiled === undefined) throw new ProblemsError([...problems]);
    // The page shows the plan without values for empty fields.
    checkBase((await this.#plan(compiled, { allowLoss })).base, base);
    const { plan } = await this.#plan(compiled, { allowLoss, ...(defaults && { defaults }) });
    const { applied, refused } = await applyMigration(database, plan);
    const own = isBlocked(plan) ? [] : await runOwnSteps({ database, steps: compiled.steps, log });
    log.info('migration.done', { by: 'admin', steps: applied.length, own: own.length });
    await reload();
    return {
      done: [...applied.map(({ words }) => words), ...own.map(({ file }) => file)],
      refused: listRefused(refused),
    };
  }

  async undo({ base, allowLoss }: MigrationRequest): Promise<Result> {
    const { database, log } = this.#parts;
    const own = await this.#findOwnUndo((await this.#compile()).plan);
    if (own) {
      checkBase(own.step.name, base);
      await undoOwnStep(database, own.step);
      log.info('migration.undone', { by: 'admin', file: own.step.file });
      return { done: [own.step.file], refused: [] };
    }
    const { plan, entry } = await this.#planUndo(allowLoss);
    checkBase(toBase(plan), base);
    const { applied, refused } = await applyMigration(database, plan);
    log.info('migration.undone', { by: 'admin', entry: entry.id, steps: applied.length });
    return { done: applied.map(({ words }) => words), refused: listRefused(refused) };
  }
}

/** Migrations of the running server's database. */
export const createMigrations = (parts: MigrationParts): Migrations => new ServerMigrations(parts);
