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
  arrive(codeHash: string): Arrival;
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
 * Where another process took the code, what reached this one's kernel before that commit may be read so much after it:
 * nobody here waited for it. A replay that quick is refused too, but revokes nothing.
 */
const ELSEWHERE_MILLISECONDS = 100;

/**
 * Turns of the event loop in which nobody came for a code, until its commit is noted: what the kernel had by then (a
 * connection is accepted in one turn, read in the next, its body in a third) has arrived before. Some microseconds when
 * idle; a flood of requests cannot hold the winner's answer longer than so many turns.
 */
const QUIET_TURNS = 10;
const MOST_TURNS = 500;

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
  /** Codes that are being exchanged, each with its latest arrival. */
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
      if (commits.size >= MOST) commits.delete(commits.keys().next().value as string);
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
