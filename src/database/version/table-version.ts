import process from 'node:process';
import { hashText } from '../../core/text/hash-text.ts';
import { type Sources, toTable } from './read-note.ts';

/**
 * The rows that were written lately. Triggers of each model table write it, so raw SQL, cascades and other programs count
 * too.
 */
export const CHANGE_TABLE = 'treadle_change';
/** SQLite's own table of what its planner knows. A write of this name in {@link CHANGE_TABLE} says that it has changed. */
export const PLANNER_TABLE = 'sqlite_stat1';
/** When the rows of each table were counted for the planner. SQLite only; written by `statistics/`. */
export const STATISTICS_TABLE = 'treadle_statistics';
/** What an earlier release counted writes with. Its triggers have this prefix too, so each release removes those of the other. */
export const VERSION_TABLE = 'treadle_version';

/** A table with noted writes: each notes the values of these columns, before and after. */
export interface CountedTable {
  readonly name: string;
  /** Its primary key; undefined if that has several columns. */
  readonly primary: string | undefined;
  /** Its primary key and its foreign keys. */
  readonly columns: readonly string[];
  /** Its unique indexes, by name: SQLite's `replace` removes the rows in its way without their triggers. */
  readonly unique: Readonly<Record<string, UniqueColumns>>;
}

interface UniqueColumns {
  readonly columns: readonly string[];
  /** A partial index: of rows with 1 in this column. */
  readonly only?: string | undefined;
}

/** A write of one row or of several. */
export interface TableWrite {
  /** Undefined: all tables may give other results. */
  readonly table: string | undefined;
  /** The values of the noted columns, each as `column#value`; undefined: any. */
  readonly values: readonly string[] | undefined;
}

/** What a value was made of, and when. */
export interface Basis {
  /** The moment before its rows were read. */
  readonly at: number;
  /** Where the last writes of its sources are noted; undefined: any write counts. */
  readonly places: readonly number[] | undefined;
}

/** What has been written, as it was known at one moment. */
export interface TableVersions {
  /** Changes with every commit of any process. */
  readonly whole: string;
  /** The basis of what is read from now on. */
  basisOf(sources: Sources): Basis;
  /** True if nobody has committed a write of the sources of a basis since it was made. */
  holds(basis: Basis): boolean;
}

/** A power of two; each place takes 4 bytes. */
const PLACES = 65_536;
/** The place of a source. Two with the same place count as one: a write of one makes values of both outdated. */
function toPlace(text: string): number {
  const hash = hashText(text);
  return (hash ^ (hash >>> 16)) & (PLACES - 1);
}

/** Writes that do not tell their rows. */
const toAny = (table: string): string => `${table}@`;

/**
 * Knows the moment of the last write of each source, in a table of fixed size. A moment is a number that grows with each
 * reading that finds another state of the database.
 */
export class WriteMoments {
  readonly #last = new Uint32Array(PLACES);
  #now = 0;
  /** What was made before is outdated, whatever it was made of. */
  #floor = 0;
  #counted: ReadonlyMap<string, ReadonlySet<string>> = new Map();

  /** From now on these tables are counted, by these columns. What was made before is outdated. */
  restart(counted: ReadonlyMap<string, ReadonlySet<string>>): void {
    this.#counted = counted;
    this.#floor = this.#now + 1;
  }

  /** A new moment, and what was written before it and after the last one. */
  advance(whole: string, writes: readonly TableWrite[] = []): TableVersions {
    this.#now += 1;
    for (const write of writes) this.#note(write);
    const at = this.#now;
    return {
      whole,
      basisOf: (sources) => ({ at, places: sources && this.#findPlaces(sources) }),
      holds: (basis) => basis.at === at || this.#isUnchanged(basis),
    };
  }

  #note({ table, values }: TableWrite): void {
    if (table === undefined) {
      this.#floor = this.#now;
      return;
    }
    this.#last[toPlace(table)] = this.#now;
    if (values === undefined) this.#last[toPlace(toAny(table))] = this.#now;
    else for (const value of values) this.#last[toPlace(`${table}@${value}`)] = this.#now;
  }

  #isUnchanged({ at, places }: Basis): boolean {
    if (places === undefined || at < this.#floor) return false;
    for (const place of places) if ((this.#last[place] ?? at) > at) return false;
    return true;
  }

  /** Undefined if a table is not counted, or if nothing is known. A column that is not noted counts as its table. */
  #findPlaces(sources: readonly string[]): readonly number[] | undefined {
    if (sources.length === 0) return undefined;
    const places = new Set<number>();
    for (const source of sources) {
      const table = toTable(source);
      const columns = this.#counted.get(table);
      if (columns === undefined) return undefined;
      const [column = ''] = source.slice(table.length + 1).split('#', 1);
      if (columns.has(column)) places.add(toPlace(source)).add(toPlace(toAny(table)));
      else places.add(toPlace(table));
    }
    return [...places];
  }
}

/** Resolves when the work of this turn of the event loop has gone as far as it can. */
const turnEnd = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/**
 * Shares one query among all callers that ask in the same turn of the event loop, or while another is running. It starts
 * after their request, so it sees every earlier commit.
 */
export function shareReading<T>(read: () => Promise<T>): () => Promise<T> {
  const state: { current: Promise<unknown> | undefined; next: Promise<T> | undefined } = {
    current: undefined,
    next: undefined,
  };
  const begin = (): Promise<T> => {
    state.next = undefined;
    const reading = read();
    const ended = reading.then(
      () => {},
      () => {},
    );
    state.current = ended;
    void ended.then(() => {
      if (state.current === ended) state.current = undefined;
    });
    return reading;
  };
  return () => {
    state.next ??= (state.current ?? turnEnd()).then(begin);
    return state.next;
  };
}
