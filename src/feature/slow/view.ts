import { toStamp } from '../../core/clock.ts';
import { translate } from '../../core/text/translate.ts';
import type { Row } from '../../database/row-statement.ts';
import type { Model, SchemaModel } from '../../model/model.ts';
import type { SearchAdvice } from '../../store/advice/advise.ts';
import { printIndexLine, toIndexCommand, toIndexLine } from '../../store/advice/index-line.ts';
import { describePlan } from '../../store/advice/plan.ts';
import { findCandidate, isServed } from '../../store/advice/propose.ts';
import { toSearchWords } from '../../store/advice/search-words.ts';
import type { SearchNote } from '../../store/read/search-note.ts';
import type { SlowShape } from './sql.ts';

/** The index for a slow search. */
interface IndexView {
  /** `proposed`; `there`: the schema's file has it by now; `useless`: the database would not use it. */
  readonly state: 'proposed' | 'there' | 'useless';
  /** As the schema's file has it. */
  readonly line: string;
  readonly file: string;
  /** The command that adds it. */
  readonly command: string;
  readonly columns: readonly string[];
  /** Whether the database said on a copy of its statistics that it would use it; null if it was not asked. */
  readonly tried: boolean | null;
}

/** The index that helps a search; null if none does. */
function findIndex(schema: SchemaModel, note: SearchNote, { isTaken }: SearchAdvice): IndexView | null {
  const candidate = findCandidate(schema, note);
  if (candidate === undefined) return null;
  const line = toIndexLine(schema, candidate);
  const isThere = isServed(schema, note, candidate);
  const state = isThere ? 'there' : isTaken === false ? 'useless' : 'proposed';
  const printed = { line: printIndexLine(line), file: schema.file, command: toIndexCommand(schema.name, line) };
  return { state, ...printed, columns: line.columns, tried: isTaken };
}

/** What helps a search for which no index is proposed; undefined if nothing is known. */
function findOther({ filters, hasWords, kind }: SearchNote): string | undefined {
  const inside = filters.find(({ operator }) => operator === 'contains' || operator === 'ends');
  if (inside !== undefined && !hasWords)
    return translate('No index finds what is inside a text: make {column} "searchable" and ask for words by "q".', {
      column: inside.name,
    });
  return kind === 'total' ? translate('Leave the total out where nobody sees it: total=0.') : undefined;
}

/** An index that would be obvious is named, so that nobody adds it by hand. */
const describeUseless = (index: IndexView | null): string | undefined =>
  index === null
    ? undefined
    : translate('An index on {columns} was tried on a copy of the statistics: the database would not use it.', {
        columns: index.columns.join(', '),
      });

/** What is said about a search: in the log, and on pages of `dev`. */
export interface SearchWords {
  readonly search: string;
  readonly plan: string | undefined;
  readonly index: IndexView | null;
  readonly remedy: string | undefined;
}

/** The advice about a search in words. */
export function toWords(schema: SchemaModel, note: SearchNote, advice: SearchAdvice): SearchWords {
  const index = findIndex(schema, note, advice);
  const remedy =
    index?.state === 'proposed'
      ? translate('Add to {file}: {line}', { file: index.file, line: index.line })
      : index?.state === 'there'
        ? undefined
        : (findOther(note) ?? describeUseless(index));
  const plan = advice.plan === null ? undefined : describePlan(advice.plan, schema.table, note.kind === 'rows');
  return { search: toSearchWords(note), plan, index, remedy };
}

/** A stored search as events show it; undefined if its schema is gone. */
export function toView(shape: SlowShape, model: Model): Row | undefined {
  const schema = model.schemas.get(shape.schema);
  if (schema === undefined) return undefined;
  const { search, plan, index, remedy } = toWords(schema, shape.note, shape.advice);
  return {
    slow_id: shape.id,
    schema: shape.schema,
    kind: shape.note.kind,
    search,
    count: shape.count,
    worst: shape.worst,
    mean: Math.round(shape.total / Math.max(shape.count, 1)),
    rows: shape.rows,
    since: toStamp(shape.since * 1000),
    seen: toStamp(shape.seen * 1000),
    plan: plan ?? null,
    index,
    remedy: remedy ?? null,
    statement: shape.statement,
  };
}
