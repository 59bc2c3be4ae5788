import type { CopyNote, MigrationPlan, MigrationStep } from '../../database/migration-step.ts';
import { EXIT } from '../failure.ts';

/** How each kind of step is headed, before and after it was done. */
const HEADINGS = {
  add: ['Adds, and can lose nothing:', 'Added:'],
  change: ['Changes, and loses nothing:', 'Changed:'],
  lose: ['Loses, with a copy kept:', 'Lost, with a copy kept:'],
} as const;

export interface Printing {
  readonly isDone: boolean;
  /** Whether each step's SQL stands below it. */
  readonly hasSql?: boolean;
}

/** Steps in groups, each with what it does and how many rows it touches. */
export function printSteps(steps: readonly MigrationStep[], { isDone, hasSql }: Printing): string[] {
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

/** A step's statements, with the place where values are worked on. */
function printSql({ sql, perform, performAfter = sql.length }: MigrationStep): string[] {
  const lines = sql.map((text) => `${text};`);
  if (perform !== undefined)
    lines.splice(performAfter, 0, '-- Here Treadle reads every value and writes what it becomes.');
  return lines;
}

/** The statements as a script for a reviewer. */
export function printScript(steps: readonly MigrationStep[]): string[] {
  return steps.flatMap((step) => [`-- ${step.words.replace(/\s+/g, ' ')}`, ...printSql(step), '']).slice(0, -1);
}

/** What is not done, and the remedy. What would only be lost stays; the rest keeps the definitions from being served. */
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
      'Refused, and nothing is done before it is settled:',
    ),
    ...toLines(
      steps.filter(({ isNeeded }) => !isNeeded),
      'Not done:',
    ),
  ];
}

/** What a person made in the database. */
export const printDrift = ({ drift }: MigrationPlan): string[] =>
  drift.length === 0 ? [] : ['Stays, as nothing asks for it:', ...drift.map(({ words }) => `  ${words}`)];

/** Copies that were made, and the way to be rid of them. */
export function printCopies(copies: readonly CopyNote[]): string[] {
  if (copies.length === 0) return [];
  const lines = copies.map(({ copy, table, column, rows }) => {
    const what = column === undefined ? table : `${table}.${column}`;
    return `  ${copy}: ${what}, ${rows} ${rows === 1 ? 'row' : 'rows'}`;
  });
  const drops = copies.map(({ copy }) => `drop table ${copy};`).join(' ');
  return ['Copies, which treadle migrate undo reads:', ...lines, `  When they are of no more use: ${drops}`];
}

/** What a process answers with that left something undone: 3 where it would lose data, else 1. */
export function toRefusalCode(refused: readonly MigrationStep[]): number {
  if (refused.length === 0) return EXIT.done;
  return refused.some((step) => step.class === 'lose') ? EXIT.dataLoss : EXIT.failed;
}
