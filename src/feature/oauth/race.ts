import type { Row } from '../../database/database.ts';
import type { Services } from '../../plan/feature.ts';

/** When an exchange arrived, before it touched the database. */
export interface Arrival {
  /** Position among all arrivals and commits of this process: tells apart what one millisecond holds. */
  readonly order: number;
  /** Milliseconds of the clock. */
  readonly at: number;
}

/** Tells an exchange that lost a race from a replay: a replay arrives after the winner's commit. */
export interface Race {
  arrive(): Arrival;
  /** Notes that an exchange has taken a code and will commit: until it has, whoever comes too lost a race. */
  hold(codeHash: string): void;
  /** Forgets a hold whose transaction failed. */
  release(codeHash: string): void;
  /** Notes that the exchange has committed, after every request that the kernel had by then. */
  commit(codeHash: string): Promise<void>;
  isReplay(code: Row, arrival: Arrival): boolean;
}

/** Codes whose commits are remembered in memory; older ones are judged by the times of their rows. */
const MOST = 10_000;
/** A winner that died between its commit and noting it: 5 s is the longest transaction, twice that is surely over. */
const UNNOTED_MILLISECONDS = 10_000;

/**
 * Turns of the event loop between the commit and its noting: a request that the kernel had by then (its connection
 * accepted in one turn, read in the next, its body in a third) has arrived before. Some microseconds when idle.
 */
const TURNS = 4;

const kept = new WeakMap<Services, Race>();

/** One for the services, so that a reload between two exchanges of one code changes nothing. */
export function findRace(services: Services): Race {
  const known = kept.get(services);
  if (known) return known;
  const made = createRace(() => services.clock.now());
  kept.set(services, made);
  return made;
}

function createRace(now: () => number): Race {
  const commits = new Map<string, number>();
  const state = { order: 0 };
  return {
    arrive() {
      state.order += 1;
      return { order: state.order, at: now() };
    },
    hold(codeHash) {
      if (commits.size >= MOST) commits.delete(commits.keys().next().value as string);
      commits.set(codeHash, Number.POSITIVE_INFINITY);
    },
    release(codeHash) {
      commits.delete(codeHash);
    },
    async commit(codeHash) {
      for (let turn = 0; turn < TURNS; turn += 1) await new Promise(setImmediate);
      state.order += 1;
      commits.set(codeHash, state.order);
    },
    isReplay(code, arrival) {
      const committed = commits.get(String(code.code_hash));
      if (committed !== undefined) return arrival.order > committed;
      if (typeof code.committed_at === 'number') return arrival.at > code.committed_at;
      return arrival.at > Number(code.consumed_at) + UNNOTED_MILLISECONDS;
    },
  };
}
