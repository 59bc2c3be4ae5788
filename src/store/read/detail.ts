import { toPromise } from '../../core/continue-with.ts';
import type { Database } from '../../database/database.ts';
import { KEYED } from '../../database/load/read-cost.ts';
import type { Row } from '../../database/row-statement.ts';
import type { BranchLoader } from './branch-loader.ts';
import { DetailReader } from './detail-batch.ts';
import { ExpandBudget } from './expand-budget.ts';
import { noteDetail } from './note.ts';
import type { Branch } from './parse/branch.ts';
import type { ActiveOption } from './parse/draft.ts';
import type { Expansion } from './parse/expansion.ts';
import { parsePredicate } from './parse/predicate.ts';
import { startRows } from './read-rows.ts';
import type { RelationLoader } from './relation-loader.ts';
import type { SearchNote } from './search-note.ts';
import type { Reach, Sources } from './source/view.ts';
import { compileNamed, type DetailInput, isOneStatement } from './sql/detail.ts';
import { toKeyValue } from './sql/printed.ts';
import { bind, type StatementDraft, type Statements, Values } from './values.ts';

export interface DetailOptions extends Reach {
  /** True to also return a removed row. Default false. */
  readonly includesRemoved?: boolean;
  /** Names of the relations to load. Default: all. */
  readonly relations?: readonly string[] | undefined;
  /** What to add of the trees of the row. Default: nothing. */
  readonly branches?: readonly Branch[] | undefined;
  /** What to add to the rows of its relations, or to leave out of them. Default: nothing. */
  readonly expand?: readonly Expansion[] | undefined;
}

interface DetailParts {
  readonly sources: Sources;
  readonly statements: Statements;
  readonly relations: RelationLoader;
  readonly branches: BranchLoader;
  /** Maximum related rows that `expand` adds to the rows of relations. */
  readonly expandRows: number;
}

/** Finds one row by a column's value. */
export class DetailFinder {
  readonly #sources: Sources;
  readonly #statements: Statements;
  readonly #relations: RelationLoader;
  readonly #branches: BranchLoader;
  readonly #expandRows: number;
  readonly #rows: DetailReader;

  /** @param cacheSize Maximum compiled statements, of each kind. */
  constructor({ sources, statements, relations, branches, expandRows }: DetailParts, cacheSize: number) {
    this.#expandRows = expandRows;
    this.#sources = sources;
    this.#statements = statements;
    this.#relations = relations;
    this.#branches = branches;
    this.#rows = new DetailReader(cacheSize);
  }

  /** What a statement asks that reads rows with their lists. */
  findNote(text: string, database: Database): SearchNote | undefined {
    return this.#rows.findNote(text, database);
  }

  /** @see Searcher.detail */
  find(
    database: Database,
    schema: string,
    by: { readonly column: string; readonly value: unknown },
    options: DetailOptions = {},
  ): Promise<Row | undefined> {
    const finding = this.#findRow(database, schema, by, options);
    const { branches = [], expand = [], see } = options;
    if (branches.length === 0 && expand.length === 0) return finding;
    return finding.then(async (row) => {
      if (row === undefined) return undefined;
      const context = { schema: this.#sources.find(schema).schema, database, see };
      for (const branch of branches) await this.#branches.add(branch, [row], context);
      if (expand.length > 0) {
        const budget = new ExpandBudget(this.#expandRows);
        await this.#relations.expandWithin(expand, row, { database, see, budget });
      }
      return row;
    });
  }

  #findRow(
    database: Database,
    schema: string,
    by: { readonly column: string; readonly value: unknown },
    options: DetailOptions,
  ): Promise<Row | undefined> {
    // A removed row lets its unique values go, so a value may be that of an active row and of removed ones.
    const { schema: own, active } = this.#sources.find(schema);
    const isShared = options.includesRemoved && active !== undefined && by.column !== own.primary;
    if (!isShared) return toPromise(() => this.#findOne(database, schema, by, options));
    return toPromise(() => this.#findOne(database, schema, by, options, 'only')).then(
      (row) => row ?? this.#findOne(database, schema, by, options, 'removed'),
    );
  }

  #findOne(
    database: Database,
    schema: string,
    { column: name, value }: { readonly column: string; readonly value: unknown },
    options: DetailOptions,
    wanted: ActiveOption = options.includesRemoved ? 'any' : 'only',
  ): Promise<Row | undefined> | undefined {
    const source = this.#sources.find(schema, options);
    const column = source.columns.get(name);
    if (column?.alias !== 't') return undefined;
    const { dialect } = database;
    const key = toKeyValue(column, value, dialect);
    if (key === undefined) return undefined;
    const { see } = options;
    const values = new Values();
    values.mark(`${source.key} ${wanted}`);
    values.add(name, key);
    const rows = parsePredicate(options.rows, { source: source.whole ?? source, dialect, values });
    if (rows?.isVoid === true) return undefined;
    const sight = this.#relations.toSight(source, { see, dialect, values });
    const all = [...source.relations.values()];
    const relations = options.relations ? all.filter((relation) => options.relations?.includes(relation.name)) : all;
    if (name === source.schema.primary) {
      const whole = values.fork();
      const ruling = { see, dialect, values: whole };
      const inputs = relations.map((relation) => this.#relations.toRelated(relation, true, ruling));
      const input: DetailInput = { source, relations: inputs, wanted, rows, sight };
      if (isOneStatement(input, database)) return this.#rows.read(input, whole, database);
    }
    const compile = (): StatementDraft => ({
      fragment: compileNamed(column, { source, wanted, rows, sight }, dialect),
      note: noteDetail({ schema, name, rows }),
    });
    const statement = this.#statements.find('detail', values, database, compile);
    const knownKey = name === source.schema.primary ? key : undefined;
    const read = knownKey === undefined ? undefined : startRows();
    read?.add(source.schema.table, name, [knownKey]);
    const settle = read?.addJoined(source);
    const cost = knownKey === undefined ? undefined : KEYED;
    const running = database.run(statement.query, bind(statement, values.list), cost, read?.list);
    const reading = running.then((found) => {
      settle?.(found);
      return found;
    });
    return this.#relations.withRelations({ source, reading, relations, knownKey, see }, database);
  }
}
