import type { CopyNote, MigrationPlan, MigrationStep } from '../../database/migration-step.ts';
import { EXIT } from '../failure.ts';

/** Headings of each kind of step, before and after it is done. */
const HEADINGS = {
  add: ['Adds, and can lose nothing:', 'Added:'],
  change: ['Changes, and loses nothing:', 'Changed:'],
  lose: ['Loses, with a copy kept:', 'Lost, with a copy kept:'],
} as const;

export interface PrintOptions {
  readonly isDone: boolean;
  /** True to print each step's SQL below it. */
  readonly hasSql?: boolean;
}

/** Steps in groups, each with its description and number of rows. */
export function printSteps(steps: readonly MigrationStep[], { isDone, hasSql }: PrintOptions): string[] {
  return (['add', 'change', 'lose'] as const).flatMap((rank) => {
    const some = steps.filter((step) => step.class === rank);
    if (some.length === 0) return [];
    const lines = some.flatMap((step) => [
      `  ${step.words}${printRows(step)}`,
      ...(hasSql === true ? printSql(step).map((text) => `      ${text}`) : []),
    ]);
    return [HEADINGS[rank][isDone ? 1 : 0], ...lines];
  });
}

function printRows({ rowsAtRisk, rows = [] }: MigrationStep): string {
  if (rowsAtRisk === 0) return '';
  const more = rows.length < rowsAtRisk && rows.length > 0 ? ', …' : '';
  const ids = rows.length === 0 ? '' : `: ${rows.join(', ')}${more}`;
  return ` [${rowsAtRisk} ${rowsAtRisk === 1 ? 'row' : 'rows'} at risk${ids}]`;
}

/** A step's statements, with the place where values are converted. */
function printSql({ sql, perform, performAfter = sql.length }: MigrationStep): string[] {
  const lines = sql.map((text) => `${text};`);
  if (perform !== undefined) lines.splice(performAfter, 0, '-- Here Treadle reads and converts every value.');
  return lines;
}

/** The statements as a script for review. */
export function printScript(steps: readonly MigrationStep[]): string[] {
  return steps.flatMap((step) => [`-- ${step.words.replace(/\s+/g, ' ')}`, ...printSql(step), '']).slice(0, -1);
}

/**
 * The refused steps with their remedies. Steps that would only lose data are skipped; others keep the definitions
 * from being served.
 */
export function printRefused(steps: readonly MigrationStep[]): string[] {
  const toLines = (some: readonly MigrationStep[], heading: string): string[] =>
    some.length === 0
      ? []
      : [
          heading,
          ...some.flatMap(({ words, refusal }) => [
            `  ${refusal?.message ?? words}`,
            ...(refusal?.hint === undefined ? [] : [`      ${refusal.hint}`]),
          ]),
        ];
  return [
    ...toLines(
      steps.filter(({ isNeeded }) => isNeeded),
      'Refused; nothing is done until this is fixed:',
    ),
    ...toLines(
      steps.filter(({ isNeeded }) => !isNeeded),
      'Not done:',
    ),
  ];
}

/** Tables and columns that a person created in the database. */
export const printDrift = ({ drift }: MigrationPlan): string[] =>
  drift.length === 0 ? [] : ['Kept, although no definition needs it:', ...drift.map(({ words }) => `  ${words}`)];

/** The steps done after a move or a restore; indexes, which such work makes again, are counted. */
export function printApplied(steps: readonly MigrationStep[]): string[] {
  const isIndex = ({ kind }: MigrationStep): boolean => kind === 'create-index' || kind === 'drop-index';
  const made = steps.filter(({ kind }) => kind === 'create-index').length;
  return [
    ...steps.filter((step) => !isIndex(step)).map(({ words }) => `migrated: ${words}`),
    ...(made === 0 ? [] : [`migrated: made ${made} ${made === 1 ? 'index' : 'indexes'} again`]),
  ];
}

/** The copies, and how to drop them. */
export function printCopies(copies: readonly CopyNote[]): string[] {
  if (copies.length === 0) return [];
  const lines = copies.map(({ copy, table, column, rows }) => {
    const what = column === undefined ? table : `${table}.${column}`;
    return `  ${copy}: ${what}, ${rows} ${rows === 1 ? 'row' : 'rows'}`;
  });
  const drops = copies.map(({ copy }) => `drop table ${copy};`).join(' ');
  return ['Copies, which treadle migrate undo uses:', ...lines, `  When you no longer need them: ${drops}`];
}

const LEFT_CODES: ReadonlySet<string> = new Set(['MIGRATION_COLUMN_LEFT', 'MIGRATION_TABLE_LEFT']);

/** A column or table without a definition that stays with its data. Nothing asked to drop it, so it is no refusal. */
export const isLeft = ({ isNeeded, refusal }: MigrationStep): boolean =>
  !isNeeded && refusal !== undefined && LEFT_CODES.has(refusal.code);

/** What stays, with the command that drops it. */
export function printLeft(steps: readonly MigrationStep[]): string[] {
  if (steps.length === 0) return [];
  const hints = new Set(steps.flatMap(({ refusal }) => refusal?.hint ?? []));
  return [
    'Stays, although no definition needs it:',
    ...steps.map(({ words, refusal }) => `  ${refusal?.message ?? words}`),
    ...[...hints].map((hint) => `      ${hint}`),
  ];
}

/** Exit code for refused steps: 3 if data would be lost, otherwise 1. */
export function toRefusalCode(refused: readonly MigrationStep[]): number {
  if (refused.length === 0) return EXIT.done;
  return refused.some((step) => step.class === 'lose') ? EXIT.dataLoss : EXIT.failed;
}
