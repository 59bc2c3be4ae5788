import type { Database } from '../database/database.ts';

/** A committed job, as far as a worker must know it to start it. */
export interface Rung {
  readonly lane: string;
  /** Unix seconds before which it is not started. Default now. */
  readonly dueAt?: number;
}

/** Tells the workers of this process which jobs were committed, so that they need not poll for them. */
export interface Bell {
  ring(jobs: readonly Rung[]): void;
  /** Returns a function that unsubscribes. */
  hear(callback: (jobs: readonly Rung[]) => void): () => void;
}

const bells = new WeakMap<Database, Map<string, Bell>>();

function createBell(): Bell {
  const callbacks = new Set<(jobs: readonly Rung[]) => void>();
  return {
    ring(jobs) {
      for (const callback of callbacks) callback(jobs);
    },
    hear(callback) {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
  };
}

/** The bell of a queue, one per database: jobs that an old plan enqueues wake the new plan's worker. */
export function bellOf(database: Database, queue: string): Bell {
  let named = bells.get(database);
  if (!named) {
    named = new Map();
    bells.set(database, named);
  }
  let bell = named.get(queue);
  if (!bell) {
    bell = createBell();
    named.set(queue, bell);
  }
  return bell;
}
