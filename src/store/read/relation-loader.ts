import { setJsonList } from '../../core/request/json-list.ts';
import type { Database, Dialect } from '../../database/database.ts';
import type { Row } from '../../database/row-statement.ts';
import type { RelationModel } from '../../model/model.ts';
import type { ExpandBudget } from './expand-budget.ts';
import { noteRelated } from './note.ts';
import type { Expansion } from './parse/expansion.ts';
import { parseSight, type RowVisibility, type SeeRelated, WHOLE_SIGHT } from './parse/predicate.ts';
import {
  compileRelated,
  createNoRelated,
  loadMany,
  loadOne,
  type RelatedInput,
  type RelatedRows,
  toMoreName,
} from './source/related.ts';
import type { Source } from './source/source.ts';
import type { View } from './source/view.ts';
import { decodeRows } from './sql/printed.ts';
import { type Statements, Values } from './values.ts';

interface Detail {
  readonly source: Source;
  readonly reading: Promise<Row[]>;
  readonly relations: readonly RelationModel[];
  readonly knownKey: unknown;
  readonly see: SeeRelated | undefined;
}

interface RelationRules {
  readonly see: SeeRelated | undefined;
  readonly dialect: Dialect;
  readonly values: Values;
}

interface RelationContext {
  readonly database: Database;
  readonly see: SeeRelated | undefined;
  /** Of rows of which nobody knows before how many they are. Default: they were counted before. */
  readonly budget?: ExpandBudget;
}

/** Loads the relations of rows, limited to what the caller may see. */
export class RelationLoader {
  readonly #source: (schema: string, view?: View) => Source;
  readonly #statements: Statements;

  constructor(source: (schema: string, view?: View) => Source, statements: Statements) {
    this.#source = source;
    this.#statements = statements;
  }

  /** Adds a relation to each row of a page, and to its rows what is expanded of them: one statement for each relation. */
  async expand(expansion: Expansion, rows: readonly Row[], source: Source, context: RelationContext): Promise<void> {
    const { relation, fields, inner } = expansion;
    const { database, see, budget } = context;
    const keyColumn = relation.kind === '1:0' ? (relation.targetColumn ?? '') : source.schema.primary;
    const keys = [...new Set(rows.map((row) => row[keyColumn]))].filter((key) => key !== null && key !== undefined);
    budget?.check(relation, keys.length);
    const values = startValues(source, 'parents', JSON.stringify(keys));
    const whole = this.toRelated(relation, false, { see, dialect: database.dialect, values });
    const input = fields === undefined ? whole : pickColumns(whole, expansion, fields, values);
    const statement = this.#statements.find('related', values, database, () => ({
      fragment: compileRelated(input, database),
      note: noteRelated(input),
    }));
    const loading = { database, statement, values, keys };
    await loadMany(input, rows, keyColumn, keys.length === 0 ? undefined : loading);
    if (inner.length === 0 && fields === undefined && budget === undefined) return;
    const found = listRelatedRows(rows, relation);
    budget?.take(found.length);
    await this.expandAll(inner, found, input.target, context);
    if (fields !== undefined) dropOthers(found, input.columns, fields);
  }

  /** Adds several relations to rows. */
  async expandAll(
    expand: readonly Expansion[],
    rows: readonly Row[],
    source: Source,
    context: RelationContext,
  ): Promise<void> {
    for (const expansion of expand) await this.expand(expansion, rows, source, context);
  }

  /** Adds to the rows of the relations that a row has already, and leaves out what their `fields` do not name. */
  async expandWithin(expand: readonly Expansion[], row: Row, context: RelationContext): Promise<void> {
    for (const { relation, fields, inner } of expand) {
      const found = listRelatedRows([row], relation);
      await this.expandAll(inner, found, this.#target(relation, context.see), context);
      if (fields !== undefined) keepOnly(found, fields, inner);
    }
  }

  #target({ target }: RelationModel, see: SeeRelated | undefined): Source {
    if (see === undefined) return this.#source(target);
    const { read, sure } = see(target) ?? {};
    return this.#source(target, { read, sure, see });
  }

  /** The predicates of the schemas joined 1:1, and of those whose rows are counted. */
  toSight({ joins, counted }: Source, { see, dialect, values }: RelationRules): RowVisibility {
    if (see === undefined || (joins.length === 0 && counted.length === 0)) return WHOLE_SIGHT;
    const source = (name: string): Source => this.#source(name);
    return parseSight([...joins.map(({ schema }) => schema), ...counted], see, { source, dialect, values });
  }

  /** A relation with the rules for its rows; appends their values. */
  toRelated(relation: RelationModel, isOne: boolean, { see, dialect, values }: RelationRules): RelatedInput {
    values.mark(`.${relation.name}`);
    const target = this.#target(relation, see);
    if (see === undefined) return { relation, target, isOne, rows: undefined, sight: WHOLE_SIGHT };
    // Says which columns are shown.
    values.mark(target.key);
    const toSource = (name: string): Source => this.#source(name);
    const own = parseSight([relation.target], see, { source: toSource, dialect, values });
    const sight = this.toSight(target, { see, dialect, values });
    return { relation, target, isOne, rows: own.get(relation.target), sight };
  }

  /** If the row's key is known beforehand, its lists are read in parallel with the row. */
  async withRelations(
    { source, reading, relations, knownKey, see }: Detail,
    database: Database,
  ): Promise<Row | undefined> {
    const load = (relation: RelationModel, key: unknown): Promise<RelatedRows> => {
      if (key === null || key === undefined) return Promise.resolve(createNoRelated(relation));
      const values = startValues(source, 'parent', key);
      const input = this.toRelated(relation, true, { see, dialect: database.dialect, values });
      const statement = this.#statements.find('related', values, database, () => ({
        fragment: compileRelated(input, database),
        note: noteRelated(input),
      }));
      return loadOne(input, { database, statement, values, keys: [key] });
    };
    const ahead = relations.filter(({ kind }) => knownKey !== undefined && kind !== '1:0');
    const [found, ...lists] = await Promise.all([reading, ...ahead.map((relation) => load(relation, knownKey))]);
    const row = decodeRows(source, found, database.dialect)[0];
    if (!row) return undefined;
    for (const relation of relations) {
      const index = ahead.indexOf(relation);
      const key = relation.kind === '1:0' ? row[relation.targetColumn ?? ''] : row[source.schema.primary];
      putRelation(row, relation, lists[index] ?? (await load(relation, key)));
    }
    return row;
  }
}

/** The related rows of some rows, each once. */
function listRelatedRows(rows: readonly Row[], { name }: RelationModel): Row[] {
  const found = new Set<Row>();
  for (const row of rows) for (const one of [row[name] ?? []].flat()) found.add(one as Row);
  return [...found];
}

/** Only the columns that are shown are read, and the keys of the rows that are added to them. */
function pickColumns(
  input: RelatedInput,
  { inner }: Expansion,
  fields: readonly string[],
  values: Values,
): RelatedInput {
  const keys = inner.flatMap(({ relation: { kind, targetColumn } }) =>
    kind === '1:0' && targetColumn !== undefined ? [targetColumn] : [],
  );
  const { columns: all } = input.target;
  const columns = [...new Set([...fields, ...keys])].flatMap((name) => all.get(name) ?? []);
  values.mark(`(${columns.map(({ name }) => name).join()})`);
  return { ...input, columns };
}

/** Removes what is neither a column that is shown nor a relation that was added. */
function keepOnly(rows: readonly Row[], fields: readonly string[], inner: readonly Expansion[]): void {
  const shown = new Set([...fields, ...inner.flatMap(({ relation }) => [relation.name, toMoreName(relation)])]);
  for (const row of rows) for (const name of Object.keys(row)) if (!shown.has(name)) delete row[name];
}

/** Removes the columns that were only read to add rows. */
function dropOthers(rows: readonly Row[], columns: RelatedInput['columns'], fields: readonly string[]): void {
  const others = (columns ?? []).filter(({ name }) => !fields.includes(name));
  for (const { name } of others) for (const row of rows) delete row[name];
}

/** The values of a relation: first the key of the parent row, or the list of those keys. */
function startValues(source: Source, name: 'parent' | 'parents', key: unknown): Values {
  const values = new Values();
  values.mark(source.schema.name);
  values.add(name, key);
  return values;
}

function putRelation(row: Row, relation: RelationModel, { value, texts, hasMore }: RelatedRows): void {
  if (texts === undefined) row[relation.name] = value;
  else setJsonList(row, relation.name, texts);
  if (hasMore) row[toMoreName(relation)] = true;
}
