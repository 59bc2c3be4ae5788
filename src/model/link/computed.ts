import { toDidYouMean } from '../../core/text/suggest.ts';
import type { Definitions } from '../definitions.ts';
import { checkExpression, type ExpressionNames, type RelationName } from '../expression/check.ts';
import { FIXED_DIGITS, findValueType, toValueField } from '../expression/field-type.ts';
import { make, NULL, toExact } from '../expression/make.ts';
import { listRead, listReads } from '../expression/reads.ts';
import { ExpressionError } from '../expression/token.ts';
import type { Expression } from '../expression/tree.ts';
import type { ColumnModel, ComputedModel } from '../model.ts';
import { toTable } from '../names.ts';
import { findWayKeys, isManyWay, listWays } from '../way.ts';
import type { Report } from './report.ts';
import type { SchemaDraft } from './schemas.ts';

type Drafts = ReadonlyMap<string, SchemaDraft>;

/** The value of a computed field whose expression is invalid, so that what names the field is judged too. */
const EMPTY: Expression = make(1, 'literal', NULL, [], { value: null });

/** The value of one that waits for the file of another schema. */
const UNREAD: Expression = make(1, 'literal', NULL, [], { value: null });

/** Thrown where an expression names rows of a schema whose file is invalid: the problems of that file come first. */
class UnreadSchema extends Error {}

const isComputed = ({ field }: ColumnModel): boolean => field.type === 'computed';

/** Checks the expressions of all schemas, each once; one may name others. */
class ComputedLinker {
  readonly #drafts: Drafts;
  readonly #report: Report;
  /** Schemas whose files are invalid, such as `schema/line`. */
  readonly #broken: ReadonlySet<string>;
  readonly #known = new Map<ColumnModel, Expression>();
  /** The fields that are being checked, each named by the one before. */
  readonly #open: ColumnModel[] = [];

  constructor(drafts: Drafts, report: Report, { broken }: Definitions) {
    this.#drafts = drafts;
    this.#report = report;
    this.#broken = broken;
  }

  /** The expression of a computed field. */
  find(draft: SchemaDraft, column: ColumnModel): Expression {
    const known = this.#known.get(column);
    if (known !== undefined) return known;
    this.#open.push(column);
    const found = this.#check(draft, column);
    this.#open.pop();
    this.#known.set(column, found);
    return found;
  }

  #check(draft: SchemaDraft, { field }: ColumnModel): Expression {
    const { expression } = field;
    // That it is missing is told with the field's type.
    if (expression === undefined) return EMPTY;
    try {
      return checkExpression(expression, this.#toNames(draft));
    } catch (error) {
      if (error instanceof UnreadSchema) return UNREAD;
      if (!(error instanceof ExpressionError)) throw error;
      const index = draft.definition.fields.indexOf(field);
      const message = `The expression of the field "${field.name}" is not valid at character ${error.at}: ${error.message}.`;
      this.#report.add(draft.source, ['fields', index, 'expression'], {
        code: 'MODEL_EXPRESSION',
        message,
        hint: error.hint,
      });
      return EMPTY;
    }
  }

  #toNames(draft: SchemaDraft): ExpressionNames {
    const { name: schema, columns } = draft;
    const ways = listWays(this.#drafts, draft);
    const findWay = (name: string) => ways.find((way) => toTable(way.name) === name);
    return {
      schema,
      findField: (name, at) => {
        const column = findColumn(draft, name);
        return column && this.#toValue(draft, column, at);
      },
      listFields: () => columns.map(({ field }) => toTable(field.name)),
      findRelation: (name) => {
        const way = findWay(name);
        if (way === undefined && this.#isUnread(draft, name)) throw new UnreadSchema();
        return way && this.#toRelation(way);
      },
      listRelations: () => ways.map((way) => toTable(way.name)),
    };
  }

  /** Whether a relation may be there once the files of all schemas are valid. */
  #isUnread({ definition }: SchemaDraft, name: string): boolean {
    const own = (definition.relations ?? []).find((relation) => toTable(relation.name ?? relation.schema) === name);
    const schemas = [own?.schema, name, name.replaceAll('_', '-')];
    return schemas.some((schema) => this.#broken.has(`schema/${schema}`));
  }

  #toRelation(way: ReturnType<typeof listWays<SchemaDraft>>[number]): RelationName {
    const { there } = way;
    return {
      rows: { name: way.name, keys: findWayKeys(way) },
      isMany: isManyWay(way),
      findItem: (name, at) => {
        const column = findColumn(there, name);
        if (column === undefined) {
          const hint = toDidYouMean(
            name,
            there.columns.map(({ field }) => toTable(field.name)),
          );
          throw new ExpressionError(at, `The schema "${there.name}" has no field "${name.slice(0, 64)}"`, hint);
        }
        const value = this.#toValue(there, column, at);
        if (listReads(value).related.length > 0) {
          const hint = 'Sum a field that is computed of the fields of its own row.';
          throw new ExpressionError(at, `The field "${name}" of "${there.name}" counts related rows itself`, hint);
        }
        const digits = FIXED_DIGITS.get(column.field.type);
        return digits === undefined ? value : make(at, 'round', toExact(digits), [value]);
      },
    };
  }

  /** The value of a field; a computed one is replaced by its expression. */
  #toValue(draft: SchemaDraft, column: ColumnModel, at: number): Expression {
    const { field, name } = column;
    if (isComputed(column)) {
      if (this.#open.includes(column)) throw this.#toCircle(column, at);
      const value = this.find(draft, column);
      if (value === UNREAD) throw new UnreadSchema();
      if (value === EMPTY) {
        throw new ExpressionError(at, `The expression of "${field.name}" is not valid`, 'Correct that field first.');
      }
      // The parts have their places in another text.
      return make(at, value.op, value.type, value.parts, { ...value, field: name });
    }
    const type = findValueType(column);
    if (type === undefined) {
      const hint = 'Name fields that hold a number, a text, a date or a checkbox.';
      throw new ExpressionError(at, `Nothing can be computed of "${field.name}", a field of type ${field.type}`, hint);
    }
    return make(at, 'column', type, [], { column: name });
  }

  #toCircle(column: ColumnModel, at: number): ExpressionError {
    const circle = [...this.#open.slice(this.#open.indexOf(column)), column].map(({ field }) => field.name);
    const message = `The value would be computed of itself: ${circle.join(' → ')}`;
    return new ExpressionError(at, message, 'Remove one of these names from its expression.');
  }
}

/** A column by its own name or its full one, which wins; `-` is written `_`. */
function findColumn({ columns, table }: SchemaDraft, name: string): ColumnModel | undefined {
  const full = columns.find((column) => column.name === name);
  return full ?? columns.find((column) => column.name === `${table}_${name}`);
}

/** Rows of a related schema that a private field is summed of show it to nobody else. */
function isPrivateOf(drafts: Drafts, draft: SchemaDraft, computed: ComputedModel): boolean {
  const hasPrivate = (columns: readonly ColumnModel[], read: readonly string[]): boolean =>
    columns.some(({ name, isPrivate }) => isPrivate && read.includes(name));
  return (
    hasPrivate(draft.columns, listRead(computed)) ||
    computed.related.some((rows) => hasPrivate(drafts.get(rows.schema)?.columns ?? [], listRead(rows)))
  );
}

/** A stored value is the same for everybody. */
function adviseRuled(
  draft: SchemaDraft,
  { field }: ColumnModel,
  { isStored, related }: ComputedModel,
  { definitions, report }: { readonly definitions: Definitions; readonly report: Report },
): void {
  const roles = [...definitions.role.values()].map(({ value }) => value);
  const ruled = related.find(({ schema }) =>
    roles.some(({ data }) => data !== undefined && Object.hasOwn(data, schema)),
  );
  if (!isStored || ruled === undefined) return;
  const message = `The stored field "${field.name}" counts all rows of "${ruled.schema}", also for people whose roles hide some of them.`;
  const hint =
    'Remove "stored", so that everybody gets the value of the rows that they may see; or leave it, if that is intended.';
  const path = ['fields', draft.definition.fields.indexOf(field), 'stored'];
  report.add(draft.source, path, { code: 'MODEL_STORED_RULED', message, hint, severity: 'advice' });
}

function toComputed(field: ColumnModel['field'], expression: Expression): ComputedModel {
  return Object.freeze({
    expression,
    text: field.expression ?? '',
    isStored: field.stored === true,
    ...listReads(expression),
  });
}

/** Checks the expressions of computed fields, and gives their columns the type that follows. */
export function linkComputed(definitions: Definitions, drafts: Drafts, report: Report): void {
  const linker = new ComputedLinker(drafts, report, definitions);
  const found = [...drafts.values()].flatMap((draft) =>
    draft.columns.filter(isComputed).map((column) => ({ draft, column, expression: linker.find(draft, column) })),
  );
  for (const { draft, column, expression } of found) {
    const computed = toComputed(column.field, expression);
    adviseRuled(draft, column, computed, { definitions, report });
    const made: ColumnModel = Object.freeze({
      ...column,
      field: toValueField(column.field, expression, draft.columns),
      isPrivate: column.isPrivate || isPrivateOf(drafts, draft, computed),
      computed,
    });
    if (made.isUnique && made.field.type === 'textarea') {
      const message = `The computed field "${made.field.name}" is unique, but its text may be too long for an index.`;
      const path = ['fields', draft.definition.fields.indexOf(column.field), 'unique'];
      const hint = 'Compute it of shorter fields: an index holds 600 characters.';
      report.add(draft.source, path, { code: 'MODEL_FIELD_FLAG', message, hint });
    }
    draft.columns[draft.columns.indexOf(column)] = made;
    for (const [name, model] of draft.byName) if (model === column) draft.byName.set(name, made);
  }
}
