import type { Problem } from '../core/errors.ts';
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
  /** Rows that stand in the way or would lose something. */
  readonly rowsAtRisk: number;
  /** Whether the model cannot be served before this is done. */
  readonly isNeeded: boolean;
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
  /** Checksum of the structure that it was made for: on another it is not applied. */
  readonly base: string;
}

/** Whether the database has at least what the model needs, so that a process may start on it. */
export function isServing(plan: MigrationPlan): boolean {
  return plan.steps.every(({ isNeeded }) => !isNeeded);
}

export const isApplicable = (step: MigrationStep): boolean => step.refusal === undefined && step.class !== 'lose';

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
