import { toSeconds } from '../../core/clock.ts';
import { WORDS_VERSION, type WordColumn } from '../../model/split-words.ts';
import type { Database } from '../database.ts';
import type { CompareTools, MigrationStep } from '../migration-step.ts';
import type { Table } from '../table.ts';
import { type ExistingIndexes, listEmpty, MEMORY, readFound } from './existing.ts';
import { fillWords } from './fill.ts';
import { createStateSql, forgetStateSql, markUnusedSql, saveStateSql, WORDS_STATE, type WordsState } from './state.ts';
import { isWatched, listUnwordedSql, moveWatchSql, unwatchWordsSql, type Watch, watchWordsSql } from './watch.ts';
import {
  createWordsSql,
  describeWords,
  dropWordsSql,
  hasGoneTrigger,
  LEAST_ID,
  renameWordsSql,
  toSeal,
  toWordsTable,
  toWordTarget,
  type WordTarget,
} from './word-table.ts';

/** Seconds that an index which no field needs any more stays: servers of the version before may still write to it. */
const KEPT_SECONDS = 24 * 3600;

const print = ({ isMarkup }: WordColumn, name: string): string => `${name}${isMarkup ? ' markup' : ''}`;

type IndexState = Pick<WordsState, 'columns' | 'version'>;

/** True if the index was built from these columns, under their current or former names. */
function isOf(known: IndexState | undefined, { columns }: WordTarget, table: Table): boolean {
  if (known?.version !== WORDS_VERSION) return false;
  const kept = new Set(known.columns.split(', '));
  const former = new Map(table.columns.map(({ name, was = [] }) => [name, was]));
  return (
    kept.size === columns.length &&
    columns.every((column) =>
      [column.name, ...(former.get(column.name) ?? [])].some((name) => kept.has(print(column, name))),
    )
  );
}

const isSame = (known: IndexState, target: WordTarget): boolean =>
  known.version === WORDS_VERSION && known.columns === describeWords(target);

const base = { kind: 'build-words', class: 'add', rowsAtRisk: 0, isNeeded: true } as const;

/** Earlier releases must not see anything new about an index, or they would not serve with it. */
async function forgetEarlier({ kysely }: Database, name: string, { hasMemory }: ExistingIndexes): Promise<void> {
  if (hasMemory) await kysely.deleteFrom(MEMORY).where('name', '=', name).execute();
}

function createNewState(target: WordTarget, more: Pick<WordsState, 'through' | 'since'>): WordsState {
  return {
    ...{ columns: describeWords(target), version: WORDS_VERSION, seal: toSeal(target), unused: undefined },
    ...more,
  };
}

/** SQLite: a release before this one writes its words past what notes those of other versions, if it knows of the index. */
function createWatch(table: Table, target: WordTarget, { memory, dialect }: ExistingIndexes): Watch {
  const told = memory.get(toWordsTable(target.table));
  if (dialect === 'postgres' || told === undefined || isSame(told, target)) return { target, others: undefined };
  const names = new Set(told.columns.split(', ').map((text) => text.replace(/ markup$/, '')));
  for (const { name } of target.columns) names.delete(name);
  return { target, others: table.columns.flatMap(({ name }) => (names.has(name) ? [name] : [])) };
}

/** Makes an index be one of this target from now on; its words follow after the migration, in short transactions. */
function buildStep(watch: Watch, found: ExistingIndexes): MigrationStep {
  const { target } = watch;
  const { table } = target;
  const { dialect, schema, now, states } = found;
  const name = toWordsTable(table);
  const isThere = found.tables.has(name);
  const isEmpty = found.empty.has(table);
  const state = createNewState(target, isEmpty ? { through: undefined, since: 0 } : { through: LEAST_ID, since: now });
  return {
    ...base,
    table,
    words: `${isThere ? 'Rebuild' : 'Build'} the search index of ${table} (${target.columns.map((column) => column.name).join(', ')}).`,
    sql: [
      // What is there stays: a server of the version before goes on to write to it.
      ...(isThere ? [] : createWordsSql(target, dialect)),
      ...watchWordsSql(watch, dialect, schema),
      saveStateSql(name, state),
    ],
    ...(isEmpty ? {} : { finish: (database) => fillWords(database, target, now * 1000) }),
    // A search reads the rows if the index is of other columns.
    isNeeded: !isThere || (states.get(name)?.seal ?? '') === '',
  };
}

/** An index of another table, or of values that change: its words are of no use. */
function replaceStep(watch: Watch, found: ExistingIndexes): MigrationStep {
  const { target } = watch;
  const step = buildStep(watch, found);
  const name = toWordsTable(target.table);
  if (!found.tables.has(name)) return step;
  const again = [...unwatchWordsSql(name, found.dialect), ...dropWordsSql(name, found.dialect)];
  return { ...step, isNeeded: true, sql: [...again, ...createWordsSql(target, found.dialect), ...step.sql] };
}

function renameStep(watch: Watch, was: string, found: ExistingIndexes): MigrationStep {
  const { target } = watch;
  const { dialect, schema, states } = found;
  const [from, to] = [toWordsTable(was), toWordsTable(target.table)];
  const state = states.get(from);
  const kept = { through: state?.through, since: state?.since ?? found.now };
  const isWatchedYet = state !== undefined;
  return {
    ...base,
    table: target.table,
    words: `Rename the search index of ${was} to that of ${target.table}.`,
    sql: [
      ...(isWatchedYet ? moveWatchSql(from, to, dialect) : []),
      ...renameWordsSql(was, target, dialect),
      ...watchWordsSql(watch, dialect, schema),
      forgetStateSql(from),
      saveStateSql(to, createNewState(target, kept)),
    ],
    perform: (database) => forgetEarlier(database, from, found),
  };
}

/** An index that no version needs. */
function dropStep(name: string, found: ExistingIndexes): MigrationStep {
  const { dialect, hasState } = found;
  const table = name.slice('treadle_words_'.length, -'_fts'.length);
  return {
    ...base,
    class: 'change',
    table,
    words: `Drop the unused search index of ${table}.`,
    sql: [
      ...unwatchWordsSql(name, dialect),
      ...dropWordsSql(name, dialect),
      ...(hasState ? [forgetStateSql(name)] : []),
    ],
    perform: (database) => forgetEarlier(database, name, found),
    isNeeded: false,
  };
}

/** No field is searchable any more. Servers of the version before still write to the index, and search it. */
function leaveStep(name: string, table: string, found: ExistingIndexes): MigrationStep {
  const { now, memory } = found;
  // A release before this one made it: nothing notes its rows yet, so it has no seal.
  const former = { columns: '', version: 0, ...memory.get(name) };
  const made: WordsState = { ...former, seal: '', through: undefined, since: now, unused: now };
  return {
    ...base,
    class: 'change',
    table,
    words: `Leave the search index of ${table} unused; a migration after a day drops it.`,
    sql: [found.states.has(name) ? markUnusedSql(name, now) : saveStateSql(name, made)],
    isNeeded: false,
  };
}

interface IndexComparison {
  readonly step: MigrationStep;
  /** The existing index table to rename for this table. */
  readonly moved?: string;
}

/** The change that a table's index needs, if any. */
function compareOne(
  table: Table,
  target: WordTarget,
  found: ExistingIndexes,
  tools: CompareTools,
): IndexComparison | undefined {
  const name = toWordsTable(table.name);
  const watch = createWatch(table, target, found);
  if (found.stale.has(table.name)) return { step: replaceStep(watch, found) };
  const { tables, states, memory } = found;
  const actual = tools.structure.tables.get(table.name);
  if (tables.has(name)) {
    const step = compareThere(table, watch, found, actual?.triggers ?? []);
    return step && { step };
  }
  const was = actual === undefined ? table.was?.find((former) => tables.has(toWordsTable(former))) : undefined;
  const known = was === undefined ? undefined : (states.get(toWordsTable(was)) ?? memory.get(toWordsTable(was)));
  if (was === undefined || !isOf(known, target, table)) return { step: buildStep(watch, found) };
  return { step: renameStep(watch, was, found), moved: toWordsTable(was) };
}

function compareThere(
  table: Table,
  watch: Watch,
  found: ExistingIndexes,
  triggers: readonly string[],
): MigrationStep | undefined {
  const { target } = watch;
  const { states, memory, marked, dialect } = found;
  const name = toWordsTable(table.name);
  const state = states.get(name);
  if (dialect === 'sqlite' && !hasGoneTrigger(name, triggers)) return replaceStep(watch, found);
  if (state === undefined) {
    const known = memory.get(name);
    if (known === undefined) return replaceStep(watch, found);
    return isSame(known, target) ? watchStep(watch, found) : buildStep(watch, found);
  }
  // An earlier release made it again. A search of this one reads the rows until they have their words.
  if (!marked.has(name) && state.seal !== '') return { ...replaceStep(watch, found), isNeeded: false };
  if (!isSame(state, target)) {
    return isOf(state, target, table) ? recordStep(watch, state, found) : buildStep(watch, found);
  }
  if (!isWatched(watch, dialect, triggers)) return { ...buildStep(watch, found), isNeeded: true };
  return state.through === undefined && state.unused === undefined ? undefined : finishStep(target, found);
}

/** An earlier version built the index. Rows that were written without words are looked for, once. */
function watchStep(watch: Watch, found: ExistingIndexes): MigrationStep {
  const { target } = watch;
  const { dialect, schema, now } = found;
  const state = createNewState(target, { through: undefined, since: now });
  return {
    ...base,
    table: target.table,
    words: `Watch ${target.table} for rows that are written without the words of their search index.`,
    sql: [
      ...watchWordsSql(watch, dialect, schema),
      listUnwordedSql(target, dialect),
      saveStateSql(toWordsTable(target.table), state),
    ],
    finish: (database) => fillWords(database, target, now * 1000),
  };
}

function finishStep(target: WordTarget, { now }: ExistingIndexes): MigrationStep {
  return {
    ...base,
    table: target.table,
    words: `Add the missing words to the search index of ${target.table}.`,
    sql: [markUnusedSql(toWordsTable(target.table), undefined)],
    finish: (database) => fillWords(database, target, now * 1000),
    isNeeded: false,
  };
}

/** Only column names changed; the words stay the same. */
function recordStep(watch: Watch, { through, since }: WordsState, found: ExistingIndexes): MigrationStep {
  const { target } = watch;
  const state = createNewState(target, { through, since });
  return {
    ...base,
    table: target.table,
    words: `Record the renamed columns of the search index of ${target.table}.`,
    sql: [...watchWordsSql(watch, found.dialect, found.schema), saveStateSql(toWordsTable(target.table), state)],
  };
}

function createState({ hasState, hasTold, dialect }: ExistingIndexes): MigrationStep[] {
  if (hasState && hasTold) {
    const dropped = `Drop the column told of ${WORDS_STATE}: a mark in each index tells it now.`;
    const lines = [`alter table ${WORDS_STATE} drop column told`];
    return [{ ...base, kind: 'drop-column', table: WORDS_STATE, words: dropped, sql: lines }];
  }
  if (hasState) return [];
  const words = `Create the table ${WORDS_STATE}, which tells what the search indexes hold.`;
  return [{ ...base, kind: 'create-table', table: WORDS_STATE, words, sql: [createStateSql(dialect)] }];
}

/** What the comparison of the indexes knows of the migration. */
interface CompareMore extends CompareTools {
  /** Set if it undoes another. */
  readonly undo?: unknown;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Tables that it drops. */
  readonly gone: ReadonlySet<string>;
  /** The name of a table after it. */
  toFuture(table: string): string;
}

/** What is done with an index that no field needs. */
function compareLeft(name: string, found: ExistingIndexes, tools: CompareMore): MigrationStep[] {
  const table = [...tools.structure.tables.keys()].find((other) => toWordsTable(other) === name);
  const isGone = table === undefined || tools.gone.has(table) || tools.toFuture(table) !== table;
  if (isGone || tools.undo !== undefined) return [dropStep(name, found)];
  const state = found.states.get(name);
  if (state?.unused === undefined) return [leaveStep(name, table, found)];
  return found.now - state.unused < KEPT_SECONDS ? [] : [dropStep(name, found)];
}

/**
 * The steps that bring each search index up to date. They follow the steps of the tables.
 *
 * @param steps Steps of the tables: if a whole table is refused, its index waits.
 * @param stale Tables with an index to replace: another table had the name, or values change.
 */
export async function compareWords(
  tables: readonly Table[],
  tools: CompareMore,
  steps: readonly MigrationStep[] = [],
  stale: ReadonlySet<string> = new Set(),
): Promise<MigrationStep[]> {
  const refused = new Set(
    steps.flatMap(({ table, column, refusal }) => (refusal !== undefined && column === undefined ? [table] : [])),
  );
  const found = await readFound(tools, { stale, empty: listEmpty(steps), now: toSeconds(tools.now) });
  const wanted = tables.flatMap((table) => {
    const target = toWordTarget(table);
    return target === undefined ? [] : [{ table, target }];
  });
  const compared = wanted
    .filter(({ table }) => !refused.has(table.name))
    .flatMap(({ table, target }) => compareOne(table, target, found, tools) ?? []);
  const kept = new Set([
    ...wanted.map(({ table }) => toWordsTable(table.name)),
    ...compared.flatMap(({ moved }) => moved ?? []),
    // A table that is not renamed yet keeps its index.
    ...wanted.flatMap(({ table: { name, was = [] } }) => (refused.has(name) ? was.map(toWordsTable) : [])),
  ]);
  const left = [...found.tables].filter((name) => !kept.has(name)).flatMap((name) => compareLeft(name, found, tools));
  return [
    ...(compared.length + left.length > 0 ? createState(found) : []),
    ...left,
    ...compared.map(({ step }) => step),
  ];
}
