import { toDidYouMean } from '../../core/text/suggest.ts';
import { fieldKinds } from '../field/field-kind.ts';
import { type ComparedColumn, createComparedColumn, KEY_COLUMN } from '../filter/compared-column.ts';
import { readTerms } from '../filter/index-term.ts';
import type { IndexColumn, IndexModel, IndexTerm } from '../model.ts';
import { listStored } from '../row-shape.ts';
import type { Index } from '../shape.ts';
import type { Report } from './report.ts';
import type { SchemaDraft } from './schemas.ts';

/** What an index may contain, by the names that a definition may write: of columns and, where they are free, of fields. */
interface IndexColumns {
  readonly columns: ReadonlyMap<string, { readonly name: string; readonly compared: ComparedColumn }>;
  /** Why no index can contain these, by the same names. */
  readonly refused: ReadonlyMap<string, string>;
}

function findRefusal({ field, computed }: SchemaDraft['columns'][number]): string | undefined {
  if (computed?.isStored === false) return 'is computed when it is read, unless it says "stored": true';
  const { isJson, isLong, isSecret, sql } = fieldKinds[field.type];
  if (sql === undefined) return 'has no column';
  if (isSecret) return 'is secret';
  if (isJson) return 'holds JSON';
  return isLong ? 'holds long texts' : undefined;
}

function listAllowed(draft: SchemaDraft): IndexColumns {
  const columns = new Map<string, { readonly name: string; readonly compared: ComparedColumn }>();
  const refused = new Map<string, string>();
  const fields = new Map(draft.columns.map((column) => [column.name, column]));
  for (const name of listStored(draft)) {
    const model = fields.get(name);
    const refusal = model && findRefusal(model);
    if (refusal !== undefined) refused.set(name, refusal);
    else columns.set(name, { name, compared: model === undefined ? KEY_COLUMN : createComparedColumn(model) });
  }
  // A column's full name wins over a field's own.
  for (const { name, field } of draft.columns) {
    const found = columns.get(name);
    const refusal = refused.get(name);
    if (columns.has(field.name) || refused.has(field.name)) continue;
    if (found !== undefined) columns.set(field.name, found);
    if (refusal !== undefined) refused.set(field.name, refusal);
  }
  return { columns, refused };
}

type Fail = (path: readonly (string | number)[], code: string, message: string, hint: string) => void;

interface IndexInput {
  readonly draft: SchemaDraft;
  readonly allowed: IndexColumns;
  readonly fail: Fail;
}

/** The full name of a column, and how it compares; undefined, with a problem, if no index can contain it. */
function findColumn(name: string, path: readonly (string | number)[], { draft, allowed, fail }: IndexInput) {
  const found = allowed.columns.get(name);
  if (found !== undefined) return found;
  const refusal = allowed.refused.get(name);
  if (refusal !== undefined) {
    const message = `"${name}" of "${draft.name}" ${refusal}: no index can contain it.`;
    fail(path, 'MODEL_INDEX_COLUMN', message, 'Leave it out; for words in long texts there is "searchable".');
    return undefined;
  }
  const message = `"${name}" is not a column of "${draft.name}" that an index can contain.`;
  const isJoin = name.includes('.') || draft.relations.some((relation) => relation.name === name);
  const hint = isJoin
    ? "An index has columns of its schema's own table only."
    : toDidYouMean(name, allowed.columns.keys());
  fail(path, 'MODEL_INDEX_COLUMN', message, hint);
  return undefined;
}

function readColumns({ columns }: Index, input: IndexInput): IndexColumn[] {
  const read: IndexColumn[] = [];
  for (const [at, written] of columns.entries()) {
    const isDescending = written.startsWith('-');
    const found = findColumn(isDescending ? written.slice(1) : written, ['columns', at], input);
    if (found === undefined) continue;
    if (read.some(({ name }) => name === found.name)) {
      input.fail(['columns', at], 'MODEL_INDEX_TWICE', `"${written}" is in the index twice.`, 'Remove one.');
    } else read.push({ name: found.name, isDescending });
  }
  return read;
}

function readWhere({ where = {} }: Index, input: IndexInput): IndexTerm[] {
  const read: IndexTerm[] = [];
  for (const [name, wanted] of Object.entries(where)) {
    const found = findColumn(name, ['where', name], input);
    if (found === undefined) continue;
    const { terms, errors } = readTerms(name, wanted, found.compared);
    for (const { path, message, hint } of errors)
      input.fail(['where', ...path], 'MODEL_INDEX_CONDITION', message, hint);
    for (const term of terms) {
      const isKnown = read.some(({ column, operator }) => column === found.name && operator === term.operator);
      if (!isKnown) read.push({ column: found.name, ...term });
      else input.fail(['where', name], 'MODEL_INDEX_TWICE', `"${name}" has two conditions of a kind.`, 'Remove one.');
    }
  }
  return read;
}

const readIndex = (definition: Index, input: IndexInput): IndexModel => ({
  columns: readColumns(definition, input),
  where: readWhere(definition, input),
});

/** The indexes of a schema that its definition adds, without those that are invalid. */
export function listIndexes(draft: SchemaDraft): readonly IndexModel[] {
  const { indexes = [] } = draft.definition;
  if (indexes.length === 0) return [];
  let isValid = true;
  const fail: Fail = () => {
    isValid = false;
  };
  const allowed = listAllowed(draft);
  return indexes.flatMap((definition): IndexModel[] => {
    isValid = true;
    const index = readIndex(definition, { draft, allowed, fail });
    return isValid ? [index] : [];
  });
}

const printColumns = (columns: readonly IndexColumn[]): string =>
  columns.map(({ name, isDescending }) => `${isDescending ? '-' : ''}${name}`).join(', ');

/** Backwards an index gives the same rows in the opposite order, so the first column's direction says nothing. */
function toIdentity({ columns, where }: IndexModel): string {
  const isTurned = columns[0]?.isDescending === true;
  const sorted = columns.map(({ name, isDescending }) => [name, isDescending !== isTurned]);
  return JSON.stringify([sorted, where.map((term) => JSON.stringify(term)).sort()]);
}

/** Why Treadle has an index of this column already; undefined if it has none. */
function findOwnIndex({ columns: [first, ...more], where }: IndexModel, draft: SchemaDraft): string | undefined {
  if (first === undefined || more.length > 0 || where.length > 0) return undefined;
  if (first.name === draft.primary) return 'is the primary key';
  const model = draft.columns.find(({ name }) => name === first.name);
  if (model === undefined) return 'is the key of a relation';
  if (model.field.type === 'active') return 'marks removed rows';
  if (model.isUnique) return 'is unique';
  return model.isFilterable || model.isSortable ? 'is filterable or sortable' : undefined;
}

/** Reports indexes with columns or conditions that cannot be, and those that are there already. */
export function checkIndexes(draft: SchemaDraft, report: Report): void {
  const allowed = listAllowed(draft);
  const known = new Map<string, number>();
  for (const [at, definition] of (draft.definition.indexes ?? []).entries()) {
    let isValid = true;
    const fail: Fail = (path, code, message, hint) => {
      isValid = false;
      report.add(draft.source, ['indexes', at, ...path], {
        code,
        message: `Index ${at + 1} of "${draft.name}": ${message}`,
        hint,
      });
    };
    const index = readIndex(definition, { draft, allowed, fail });
    if (!isValid) continue;
    const identity = toIdentity(index);
    const first = known.get(identity);
    if (first !== undefined) {
      const message = `It has the columns and conditions of index ${first + 1}: ${printColumns(index.columns)}.`;
      fail([], 'MODEL_INDEX_TWICE', message, 'Remove one of the two. An index is read backwards, too.');
    } else known.set(identity, at);
    const own = findOwnIndex(index, draft);
    if (own === undefined || first !== undefined) continue;
    report.add(draft.source, ['indexes', at], {
      code: 'MODEL_INDEX_OWN',
      message: `Index ${at + 1} of "${draft.name}": "${printColumns(index.columns)}" ${own}, so Treadle makes that index by itself.`,
      hint: 'Remove it: it only makes writes slower.',
      severity: 'advice',
    });
  }
}
