import { BoundedMap } from '../core/bounded-map.ts';
import type { Clock } from '../core/clock.ts';
import type { TableVersions } from './version/table-version.ts';

/** Statements that are known to write a watched table, or not to. */
const KNOWN_STATEMENTS = 5000;
const WRITES =
  '(?:insert\\s+(?:or\\s+\\w+\\s+)?into|replace\\s+into|update(?:\\s+or\\s+\\w+)?|delete\\s+from|truncate|(?:alter|drop)\\s+table)';

/** Counts what has begun and ended. */
class Tally {
  begun = 0;
  #ended = 0;

  get isUnderWay(): boolean {
    return this.begun > this.#ended;
  }

  async track<T>(work: () => Promise<T>): Promise<T> {
    this.begun += 1;
    try {
      return await work();
    } finally {
      this.#ended += 1;
    }
  }
}

/** After so many commits somebody reads the versions: who reads them drops old notes of writes. */
const READ_AFTER = 256;

/** Counts the commits of this process. */
export class CommitCount {
  /** Called after each {@link READ_AFTER} commits. */
  atMany: (() => void) | undefined;
  readonly #all = new Tally();
  readonly #watched = new Tally();
  #watching: RegExp | undefined;
  readonly #known = new BoundedMap<boolean>(KNOWN_STATEMENTS);

  /** How many have begun. */
  get begun(): number {
    return this.#all.begun;
  }

  /** True while one is under way: its data may be visible before it is acknowledged. */
  get isUnderWay(): boolean {
    return this.#all.isUnderWay;
  }

  /** How many wrote a watched table; undefined while one is under way. */
  get watched(): number | undefined {
    return this.#watched.isUnderWay ? undefined : this.#watched.begun;
  }

  /** Counts commits that write one of these tables apart from the others. */
  watch(tables: readonly string[]): void {
    const names = tables.map((name) => name.replace(/\W/g, '')).join('|');
    this.#watching = new RegExp(
      `\\b${WRITES}\\s+(?:(?:only|table|if\\s+exists)\\s+)*(?:"?\\w+"?\\.)?"?(?:${names})\\b`,
      'i',
    );
    this.#known.clear();
  }

  /** True if a statement writes a watched table. */
  readonly touches = (text: string): boolean => {
    const watching = this.#watching;
    return watching !== undefined && this.#known.getOrCreate(text, () => watching.test(text));
  };

  /** Runs a commit. @param isTouching True if it writes a watched table. */
  track<T>(commit: () => Promise<T>, isTouching = false): Promise<T> {
    if (this.begun % READ_AFTER === READ_AFTER - 1) this.atMany?.();
    return this.#all.track(isTouching ? () => this.#watched.track(commit) : commit);
  }

  /** Runs a statement that commits by itself. */
  trackStatement<T>(text: string, execute: () => Promise<T>): Promise<T> {
    return this.track(execute, this.touches(text));
  }
}

export interface RecentVersionsOptions {
  readonly clock: Clock;
  readonly commits: CommitCount;
  /** Milliseconds after which commits of other processes show. */
  readonly milliseconds: number;
  readonly read: () => Promise<TableVersions>;
}

/** The versions as they were read last, while no commit of this process can have changed them. */
export class RecentVersions {
  readonly #options: RecentVersionsOptions;
  #last: { readonly versions: TableVersions; readonly begun: number; readonly at: number } | undefined;

  constructor(options: RecentVersionsOptions) {
    this.#options = options;
    // Also where nobody asks for an answer that could be cached.
    options.commits.atMany = () => void this.read().catch(() => {});
  }

  /**
   * Counts commits of this process that write one of these tables, for {@link RecentVersions.watched}. Rows that the database
   * removes or changes by itself, with others, are not noticed: name the tables of those others too.
   */
  watch(tables: readonly string[]): void {
    this.#options.commits.watch(tables);
  }

  /** The count of {@link RecentVersions.watch}: while it is unchanged, this process wrote none. Undefined while it writes one. */
  get watched(): number | undefined {
    return this.#options.commits.watched;
  }

  /** Whether what was read then may lack a commit of another process. @param at Milliseconds since 1970. */
  isLate(at: number): boolean {
    const { clock, milliseconds } = this.#options;
    return Math.abs(clock.now() - at) >= milliseconds;
  }

  /** Milliseconds since 1970. */
  get now(): number {
    return this.#options.clock.now();
  }

  /** The versions, if no query is needed. */
  find(): TableVersions | undefined {
    const { clock, commits, milliseconds } = this.#options;
    const last = this.#last;
    if (last === undefined || commits.isUnderWay || last.begun !== commits.begun) return undefined;
    return Math.abs(clock.now() - last.at) < milliseconds ? last.versions : undefined;
  }

  async read(): Promise<TableVersions> {
    const { clock, commits, read } = this.#options;
    const { begun, isUnderWay } = commits;
    const at = clock.now();
    const versions = await read();
    if (!isUnderWay) this.#last = { versions, begun, at };
    return versions;
  }
}
