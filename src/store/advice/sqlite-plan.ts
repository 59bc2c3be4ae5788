import type { ReadPlan } from './plan.ts';

/** A row of `explain query plan`. */
export interface PlanLine {
  readonly id: number;
  readonly parent: number;
  readonly detail: string;
}

/** By index: the number of rows, then about how many share the first column, the first two, and so on. */
export type IndexStatistics = ReadonlyMap<string, readonly number[]>;

/** Parts of a page that read few rows, however their plan looks: `sql/page.ts` limits them. */
const BOUNDED = /^(?:MATERIALIZE|CO-ROUTINE) treadle_/;
/** The searched table has the alias `t` in every statement. */
const STEP =
  /^(SCAN|SEARCH) t\b(?: USING (?:AUTOMATIC )?(?:COVERING |PARTIAL )*(INTEGER PRIMARY KEY|INDEX (\S+)))?(?: \((.*)\))?/;
const SORT = /^USE TEMP B-TREE FOR (?:LAST (?:TERM|\d+ TERMS) OF |RIGHT PART OF )?ORDER BY/;
/** Share of the rows that a range is taken to leave, as SQLite's planner does. */
const RANGE_SHARE = 4;

/** The lines without the parts that are bounded. */
function listOpen(lines: readonly PlanLine[]): PlanLine[] {
  const bounded = new Set<number>();
  return lines.filter(({ id, parent, detail }) => {
    if (!bounded.has(parent) && !BOUNDED.test(detail)) return true;
    bounded.add(id);
    return false;
  });
}

/** About how many rows the terms of a search by an index leave: `(a=? AND b=? AND c>?)`. */
function estimate(terms: string, figures: readonly number[] | undefined): number | undefined {
  if (figures === undefined) return undefined;
  const parts = terms.split(' AND ');
  const equals = parts.filter((part) => !/[<>]/.test(part)).length;
  const found = figures[Math.min(equals, figures.length - 1)];
  return found === undefined || equals === parts.length ? found : Math.ceil(found / RANGE_SHARE);
}

type Step = Omit<ReadPlan, 'isSorted' | 'all'>;

function toStep(detail: string, statistics: IndexStatistics, all: number): Step | undefined {
  const [found, verb, , index, terms = ''] = STEP.exec(detail) ?? [];
  if (found === undefined) return undefined;
  if (verb === 'SCAN') return { way: 'all', index, rows: all };
  if (index === undefined) return { way: 'key', index, rows: /[<>]/.test(terms) ? undefined : 1 };
  return { way: 'index', index, rows: estimate(terms, statistics.get(index)) };
}

const toWeight = ({ rows = Number.POSITIVE_INFINITY }: Step): number => rows;

/** The plan of a statement: its step with the most rows of the searched table. */
export function toSqlitePlan(
  lines: readonly PlanLine[],
  statistics: IndexStatistics,
  all: number,
): ReadPlan | undefined {
  const open = listOpen(lines);
  const steps = open.flatMap(({ detail }) => toStep(detail, statistics, all) ?? []);
  const [most] = steps.sort((a, b) => toWeight(b) - toWeight(a));
  return most && { ...most, all, isSorted: open.some(({ detail }) => SORT.test(detail)) };
}
