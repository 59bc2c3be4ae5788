import type { Clock } from '../core/clock.ts';
import type { TableVersions } from './table-version.ts';

/** Counts the commits of this process. */
export class CommitCount {
  #begun = 0;
  #ended = 0;

  /** How many have begun. */
  get begun(): number {
    return this.#begun;
  }

  /** True while one is under way: others may see its data already, although nobody was told of it. */
  get isUnderWay(): boolean {
    return this.#begun > this.#ended;
  }

  /** Runs a commit, or a statement that commits by itself. */
  async track<T>(commit: () => Promise<T>): Promise<T> {
    this.#begun += 1;
    try {
      return await commit();
    } finally {
      this.#ended += 1;
    }
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
