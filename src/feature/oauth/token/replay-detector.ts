import { BoundedMap } from '../../../core/bounded-map.ts';
import { memoize } from '../../../core/memoize.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Services } from '../../../plan/feature.ts';

/** When an exchange arrived, before it touched the database. */
export interface Arrival {
  /** Position among all arrivals and commits of this process: orders events within a millisecond. */
  readonly order: number;
  /** Milliseconds of the clock. */
  readonly at: number;
}

/** Distinguishes an exchange that lost a race from a replay: a replay arrives after the winner's commit. */
export interface ReplayDetector {
  arrive(codeHash: string): Arrival;
  /** Records that an exchange has consumed a code and will commit: until then later requests lost a race. */
  hold(codeHash: string): void;
  /** Removes the hold of a failed transaction. */
  release(codeHash: string): void;
  /** Records the commit, after every request that the kernel had received by then. */
  commit(codeHash: string): Promise<void>;
  isReplay(code: Row, arrival: Arrival): boolean;
}

/** Commits remembered in memory; older ones are judged by the times of their rows. */
const MOST = 10_000;
/** For a winner that died before recording its commit: twice the longest transaction of 5 s. */
const UNNOTED_MILLISECONDS = 10_000;

/**
 * Grace period when another process redeemed the code: a request that arrived before that commit may be
 * read up to this long after it. It is rejected, but revokes nothing.
 */
const ELSEWHERE_MILLISECONDS = 100;

/**
 * Number of idle event-loop turns to wait before a commit counts as seen by every earlier request: a
 * connection is accepted in one turn, read in the next, its body in a third. Microseconds when idle; a
 * flood of requests cannot delay the winner's response beyond these turns.
 */
const QUIET_TURNS = 10;
const MOST_TURNS = 500;

/** One per services, so that a reload between two exchanges of a code changes nothing. */
export const findReplayDetector = memoize(
  ({ clock }: Services): ReplayDetector => createReplayDetector(() => clock.now()),
);

function createReplayDetector(now: () => number): ReplayDetector {
  const commits = new BoundedMap<number>(MOST);
  /** Codes being exchanged, each with its latest arrival. */
  const held = new Map<string, number>();
  const state = { order: 0 };
  return {
    arrive(codeHash) {
      state.order += 1;
      if (held.has(codeHash)) held.set(codeHash, state.order);
      return { order: state.order, at: now() };
    },
    hold(codeHash) {
      held.set(codeHash, state.order);
    },
    release(codeHash) {
      held.delete(codeHash);
    },
    async commit(codeHash) {
      let latest = held.get(codeHash);
      for (let turn = 0, quiet = 0; turn < MOST_TURNS && quiet < QUIET_TURNS; turn += 1) {
        await new Promise(setImmediate);
        quiet = held.get(codeHash) === latest ? quiet + 1 : 0;
        latest = held.get(codeHash);
      }
      state.order += 1;
      held.delete(codeHash);
      commits.set(codeHash, state.order);
    },
    isReplay(code, arrival) {
      const hash = String(code.code_hash);
      if (held.has(hash)) return false;
      const committed = commits.get(hash);
      if (committed !== undefined) return arrival.order > committed;
      if (typeof code.committed_at === 'number') return arrival.at > code.committed_at + ELSEWHERE_MILLISECONDS;
      return arrival.at > Number(code.consumed_at) + UNNOTED_MILLISECONDS;
    },
  };
}
