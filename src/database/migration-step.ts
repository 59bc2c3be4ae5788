import type { Kysely } from 'kysely';
import type { Problem } from '../core/errors.ts';
import type { Database, Dialect } from './database.ts';
import type { RowCounter } from './migration/count.ts';
import type { Row } from './row-statement.ts';
import type { Structure } from './structure.ts';
import type { Table } from './table.ts';

/** `add` cannot lose data or fail. `change` rewrites data without loss. `lose` would lose data. */
export type StepClass = 'add' | 'change' | 'lose';

const STEP_KINDS = [
  'create-table',
  'add-column',
  'create-index',
  'drop-index',
  'rebuild-table',
  'rename-table',
  'rename-column',
  'alter-column',
  'add-key',
  'restore-values',
  'drop-column',
  'drop-table',
  'build-words',
  'create-tree',
  'drop-tree',
] as const;
type StepKind = (typeof STEP_KINDS)[number];

/** One step of a migration: words for a person, SQL for a reviewer, data for a program. */
export interface MigrationStep {
  readonly kind: StepKind;
  readonly class: StepClass;
  readonly table: string;
  readonly column?: string;
  readonly words: string;
  readonly sql: readonly string[];
  /**
   * Work that SQL cannot do, such as parsing dates; runs between {@link sql} statements, in the same
   * transaction.
   */
  readonly perform?: (database: Database) => Promise<void>;
  /** Statements of {@link sql} that run before {@link perform}. Default: all. */
  readonly performAfter?: number;
  /** Work after the migration, in transactions of its own. Until it is done, all is served. */
  readonly finish?: (database: Database) => Promise<void>;
  /** Number of rows that block the step or would lose data. */
  readonly rowsAtRisk: number;
  /** Primary keys of those rows, 20 at most. */
  readonly rows?: readonly (string | number)[];
  /** Whether the model cannot be served without this step. */
  readonly isNeeded: boolean;
  /** Whether requests of an older plan would fail after it. */
  readonly isBreaking?: boolean;
  /** Table with the former values. */
  readonly copy?: string;
  /** Name for `--default` that would allow the step: `article.profile`. */
  readonly asks?: string;
  /** Why the step is refused. */
  readonly refusal?: Problem;
}

/** A part of the database without a definition. It stays. */
export interface Drift {
  readonly kind: 'table' | 'column' | 'index';
  readonly table: string;
  readonly name: string;
  readonly words: string;
}

export interface MigrationPlan {
  readonly steps: readonly MigrationStep[];
  /** One for each refused step. */
  readonly problems: readonly Problem[];
  readonly drift: readonly Drift[];
  /** Checksum of the structure and memory that it was made for; on any other it is not applied. */
  readonly base: string;
  /** What the journal stores of it. */
  readonly record: MigrationRecord;
}

/** Result of a migration besides the tables: how to undo it, and the new meaning of each column. */
export interface MigrationRecord {
  readonly changes: readonly TableChange[];
  readonly copies: readonly CopyNote[];
  /** New memory of each table; undefined if it is gone. */
  readonly memory: ReadonlyMap<string, Table | undefined>;
  /** Number of the journal entry that it undoes. */
  readonly undoes?: number;
}

/** A table before and after a migration. */
export interface TableChange {
  /** Former state; null if it was created. */
  readonly was: Table | null;
  /** Name afterwards; null if it was dropped. */
  readonly now: string | null;
  /** Renamed columns: former name, new name. */
  readonly columns: readonly (readonly [string, string])[];
}

/** A table with a copy of removed data. Never removed automatically. */
export interface CopyNote {
  /** `treadle_copy_<n>` */
  readonly copy: string;
  /** `values`: former and new values of changed rows. `column`: its values. `table`: all rows. */
  readonly kind: 'values' | 'column' | 'table';
  /** Name of the table after the migration, or before it if the table was dropped. */
  readonly table: string;
  /** Name of the column before the migration. */
  readonly column?: string;
  readonly rows: number;
}

/** Arguments of a comparison. */
export interface CompareTools {
  readonly structure: Structure;
  readonly counter: RowCounter;
  readonly kysely: Kysely<Record<string, Row>>;
  readonly dialect: Dialect;
  readonly wanted: readonly Table[];
}

/** Whether the database has everything that the model needs, so that a process may start on it. */
export function isServing(plan: MigrationPlan): boolean {
  return plan.steps.every(({ isNeeded }) => !isNeeded);
}

/** Whether a required step is refused: then nothing is applied, so that the old plan keeps working. */
export function isBlocked(plan: MigrationPlan): boolean {
  return plan.steps.some(({ isNeeded, refusal }) => isNeeded && refusal !== undefined);
}

export const isApplicable = (step: MigrationStep): boolean => step.refusal === undefined;

export function createProblem(
  table: Table,
  path: string,
  problem: { code: string; message: string; hint: string },
): Problem {
  return { code: problem.code, file: table.file ?? 'database', path, message: problem.message, hint: problem.hint };
}

/** `1 row`, `5 rows`. */
export const countRows = (count: number): string => (count === 1 ? '1 row' : `${count} rows`);
