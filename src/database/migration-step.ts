import type { Kysely } from 'kysely';
import type { Problem } from '../core/errors.ts';
import type { Database, Dialect, Row } from './database.ts';
import type { RowCounter } from './migration/count.ts';
import type { Structure } from './structure.ts';
import type { Table } from './table.ts';

/** `add` cannot lose or refuse anything. `change` rewrites what is there, without loss. `lose` would lose data. */
export type StepClass = 'add' | 'change' | 'lose';

export const STEP_KINDS = [
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
] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** One step of a migration: in words for a person, in SQL for a reviewer, as data for a program. */
export interface MigrationStep {
  readonly kind: StepKind;
  readonly class: StepClass;
  readonly table: string;
  readonly column?: string;
  readonly words: string;
  readonly sql: readonly string[];
  /** What SQL cannot do, such as reading texts as dates; runs among {@link sql}, in the same transaction. */
  readonly perform?: (database: Database) => Promise<void>;
  /** Statements of {@link sql} that run before {@link perform}. Default: all. */
  readonly performAfter?: number;
  /** Rows that stand in the way or would lose something. */
  readonly rowsAtRisk: number;
  /** Primary keys of those rows, 20 at most. */
  readonly rows?: readonly (string | number)[];
  /** Whether the model cannot be served before this is done. */
  readonly isNeeded: boolean;
  /** Whether requests that an older plan answers would fail after it. */
  readonly isBreaking?: boolean;
  /** Where the former values are kept. */
  readonly copy?: string;
  /** What `--default` calls the value that would let it be done: `article.profile`. */
  readonly asks?: string;
  /** Why it is not done, where it is not. */
  readonly refusal?: Problem;
}

/** What the database has and the model does not name. It stays. */
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
  /** Checksum of the structure that it was made for, and of what is remembered: on another it is not applied. */
  readonly base: string;
  /** What the journal is to know of it. */
  readonly record: MigrationRecord;
}

/** What a migration leaves besides the tables: how to go back, and what each column means from now on. */
export interface MigrationRecord {
  readonly changes: readonly TableChange[];
  readonly copies: readonly CopyNote[];
  /** What is to be remembered of each table; undefined where it is gone. */
  readonly memory: ReadonlyMap<string, Table | undefined>;
  /** Number of the journal's entry that this takes back. */
  readonly undoes?: number;
}

/** A table before and after a migration. */
export interface TableChange {
  /** As it was; null where it was made. */
  readonly was: Table | null;
  /** Its name afterwards; null where it is gone. */
  readonly now: string | null;
  /** Columns that were renamed: name before, then after. */
  readonly columns: readonly (readonly [string, string])[];
}

/** A table that keeps what a migration took away. Never pruned by itself. */
export interface CopyNote {
  /** `treadle_copy_<n>` */
  readonly copy: string;
  /** `values`: former and later value of the rows that were changed. `column`: its values. `table`: all rows. */
  readonly kind: 'values' | 'column' | 'table';
  /** Name of the table after the migration; before it, where the table is gone. */
  readonly table: string;
  /** Name of the column before the migration. */
  readonly column?: string;
  readonly rows: number;
}

/** What comparing needs to know. */
export interface CompareTools {
  readonly structure: Structure;
  readonly counter: RowCounter;
  readonly kysely: Kysely<Record<string, Row>>;
  readonly dialect: Dialect;
  readonly wanted: readonly Table[];
}

/** Whether the database has at least what the model needs, so that a process may start on it. */
export function isServing(plan: MigrationPlan): boolean {
  return plan.steps.every(({ isNeeded }) => !isNeeded);
}

/** Whether a step that the model cannot be served without is refused: then nothing is done, so that the old plan lives. */
export function isBlocked(plan: MigrationPlan): boolean {
  return plan.steps.some(({ isNeeded, refusal }) => isNeeded && refusal !== undefined);
}

export const isApplicable = (step: MigrationStep): boolean => step.refusal === undefined;

/** The plan as a person reads it: a line for each step, with what is refused and why. */
export function printPlan(plan: MigrationPlan): string {
  const lines = plan.steps.flatMap((step) => [
    `${step.refusal === undefined ? step.class : 'REFUSED'}: ${step.words}`,
    ...step.sql.map((text) => `    ${text};`),
    ...(step.refusal === undefined ? [] : [`    ${step.refusal.message} ${step.refusal.hint ?? ''}`.trimEnd()]),
  ]);
  return [...lines, ...plan.drift.map(({ words }) => `stays: ${words}`)].join('\n');
}

export function toProblem(table: Table, path: string, fault: { code: string; message: string; hint: string }): Problem {
  return { code: fault.code, file: table.file ?? 'database', path, message: fault.message, hint: fault.hint };
}

/** `1 row`, `5 rows`. */
export const countRows = (count: number): string => (count === 1 ? '1 row' : `${count} rows`);
