import { toDidYouMean } from '../../core/text/suggest.ts';
import { columnType } from '../field/field-kind.ts';
import type { ExcludeModel } from '../model.ts';
import type { Exclude, FieldType } from '../shape.ts';
import type { Report } from './report.ts';
import type { SchemaDraft } from './schemas.ts';
import { listAllowed } from './unique.ts';

/** Types whose stored values sort as their meaning does: texts of times, and numbers. */
const RANGE_TYPES: ReadonlySet<FieldType> = new Set([
  'date',
  'datetime',
  'time',
  'week',
  'month',
  'number',
  'range',
  'small',
  'float',
  'price',
  'decimal',
]);

type Path = readonly (string | number)[];
type Fail = (path: Path, code: string, message: string, hint: string) => void;

interface ExcludeInput {
  readonly draft: SchemaDraft;
  /** Full names, by the names that a definition may write: of columns and, where they are free, of fields. */
  readonly names: ReadonlyMap<string, string>;
  readonly fail: Fail;
}

function listNames(draft: SchemaDraft): Map<string, string> {
  const names = new Map([...listAllowed(draft)].map((name) => [name, name]));
  for (const { name, field } of draft.columns)
    if (names.has(name) && !names.has(field.name)) names.set(field.name, name);
  return names;
}

/** The columns whose rows have one timeline. */
function readColumns({ columns = [], range }: Exclude, { draft, names, fail }: ExcludeInput): string[] {
  const period = new Set(range.map((name) => names.get(name)));
  const read: string[] = [];
  for (const [at, written] of columns.entries()) {
    const name = names.get(written);
    const path = ['columns', at];
    if (name === undefined) {
      const message = `"${written}" is not a column of "${draft.name}" whose values can be compared.`;
      fail(path, 'MODEL_EXCLUDE_COLUMN', message, toDidYouMean(written, names.keys()));
    } else if (read.includes(name)) {
      fail(path, 'MODEL_EXCLUDE_TWICE', `"${written}" is in the list twice.`, 'Remove one.');
    } else if (period.has(name)) {
      fail(path, 'MODEL_EXCLUDE_TWICE', `"${written}" is a column and an end of the period.`, 'Remove it from one.');
    } else read.push(name);
  }
  return read;
}

/** The fields with the two ends; undefined, with a problem, if they cannot be the ends of a period. */
function readRange({ range }: Exclude, { draft, names, fail }: ExcludeInput): ExcludeModel['range'] | undefined {
  const fields = new Map(draft.columns.map((column) => [column.name, column.field]));
  const isRange = (name: string | undefined): boolean => RANGE_TYPES.has(fields.get(name ?? '')?.type ?? 'none');
  let isValid = true;
  for (const [at, written] of range.entries()) {
    const name = names.get(written);
    if (isRange(name)) continue;
    isValid = false;
    const own = draft.columns.filter((column) => isRange(column.name)).map(({ field }) => field.name);
    const path = ['range', at];
    const types = [...RANGE_TYPES].join(', ');
    if (name === undefined) {
      const message = `"${written}" is not a field of "${draft.name}" that can be the end of a period.`;
      fail(path, 'MODEL_EXCLUDE_RANGE', message, toDidYouMean(written, own));
    } else {
      const message = `"${written}" of "${draft.name}" cannot be the end of a period.`;
      fail(path, 'MODEL_EXCLUDE_RANGE', message, `An end is a field of one of the types ${types}.`);
    }
  }
  const [from = '', until = ''] = range.map((written) => names.get(written) ?? '');
  const [first, last] = [fields.get(from), fields.get(until)];
  if (!isValid || first === undefined || last === undefined) return undefined;
  if (from === until) {
    fail(['range', 1], 'MODEL_EXCLUDE_TWICE', `"${range[1]}" is both ends of the period.`, 'Name two fields.');
    return undefined;
  }
  // On PostgreSQL the type has the digits of a decimal.
  const isAlike = (['sqlite', 'postgres'] as const).every((name) => columnType(first, name) === columnType(last, name));
  if (first.type === last.type && isAlike) return [from, until];
  const message = `"${range[0]}" and "${range[1]}" have different types, ${first.type} and ${last.type}.`;
  fail(
    ['range', 1],
    'MODEL_EXCLUDE_RANGE',
    message,
    'Give both ends of a period the same type, and the same step or digits.',
  );
  return undefined;
}

function readRule(rule: Exclude, input: ExcludeInput): ExcludeModel | undefined {
  const columns = readColumns(rule, input);
  const range = readRange(rule, input);
  return range && { columns, range, message: rule.message };
}

/** The rules of a schema that the periods of two rows do not overlap, without those that are invalid. */
export function listExcludes(draft: SchemaDraft): readonly ExcludeModel[] {
  const { exclude = [] } = draft.definition;
  if (exclude.length === 0) return [];
  const names = listNames(draft);
  return exclude.flatMap((rule): ExcludeModel[] => {
    let isValid = true;
    const fail: Fail = () => {
      isValid = false;
    };
    const read = readRule(rule, { draft, names, fail });
    return isValid && read !== undefined ? [read] : [];
  });
}

/** Reports rules of `exclude` with columns that cannot be, and those that are there twice. */
export function checkExclude(draft: SchemaDraft, report: Report): void {
  const { exclude = [] } = draft.definition;
  if (exclude.length === 0) return;
  const names = listNames(draft);
  const rules = new Set<string>();
  for (const [index, rule] of exclude.entries()) {
    const fail: Fail = (path, code, message, hint) =>
      report.add(draft.source, ['exclude', index, ...path], { code, message, hint });
    const read = readRule(rule, { draft, names, fail });
    if (read === undefined) continue;
    const own = JSON.stringify([[...read.columns].sort(), read.range]);
    if (rules.has(own))
      fail(
        [],
        'MODEL_EXCLUDE_TWICE',
        'There is a rule of this period and these columns already.',
        'Remove one of the two.',
      );
    rules.add(own);
  }
}
