import type { Database } from '../database/database.ts';

/** Tells the workers of this process that jobs were committed. */
export interface Bell {
  ring(): void;
  /** Returns what ends it. */
  hear(callback: () => void): () => void;
}

const bells = new WeakMap<Database, Map<string, Bell>>();

function createBell(): Bell {
  const callbacks = new Set<() => void>();
  return {
    ring() {
      for (const callback of callbacks) callback();
    },
    hear(callback) {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
  };
}

/** The bell of a queue: one for a database, so that what an old plan enqueues wakes the new plan's worker. */
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
