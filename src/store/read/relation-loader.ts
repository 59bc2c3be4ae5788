import { setJsonList } from '../../core/request/json-list.ts';
import type { Database, Dialect } from '../../database/database.ts';
import type { Row } from '../../database/row-statement.ts';
import type { RelationModel } from '../../model/model.ts';
import { noteRelated } from './note.ts';
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
}

/** Loads the relations of rows, limited to what the caller may see. */
export class RelationLoader {
  readonly #source: (schema: string, view?: View) => Source;
  readonly #statements: Statements;

  constructor(source: (schema: string, view?: View) => Source, statements: Statements) {
    this.#source = source;
    this.#statements = statements;
  }

  /** Adds a relation to each row of a page. */
  async expand(
    relation: RelationModel,
    rows: readonly Row[],
    source: Source,
    { database, see }: RelationContext,
  ): Promise<void> {
    const keyColumn = relation.kind === '1:0' ? (relation.targetColumn ?? '') : source.schema.primary;
    const keys = [...new Set(rows.map((row) => row[keyColumn]))].filter((key) => key !== null && key !== undefined);
    const values = startValues(source, 'parents', JSON.stringify(keys));
    const input = this.toRelated(relation, false, { see, dialect: database.dialect, values });
    const statement = this.#statements.find('related', values, database, () => ({
      fragment: compileRelated(input, database),
      note: noteRelated(input),
    }));
    const loading = { database, statement, values, keys };
    await loadMany(input, rows, keyColumn, keys.length === 0 ? undefined : loading);
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
    if (see === undefined) {
      return { relation, target: this.#source(relation.target), isOne, rows: undefined, sight: WHOLE_SIGHT };
    }
    const { read, sure } = see(relation.target) ?? {};
    const target = this.#source(relation.target, { read, sure, see });
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
