import { memoize } from '../core/memoize.ts';
import type { Database } from '../database/database.ts';

/** A committed job, as far as a worker must know it to start it. */
export interface Notice {
  readonly lane: string;
  /** Unix seconds before which it is not started. Default now. */
  readonly dueAt?: number;
}

/** Notifies the workers of this process of committed jobs, so that they need not poll for them. */
export interface Notifier {
  notify(jobs: readonly Notice[]): void;
  /** Returns a function that unsubscribes. */
  listen(callback: (jobs: readonly Notice[]) => void): () => void;
}

const findNotifiers = memoize((_database: Database) => new Map<string, Notifier>());

function createNotifier(): Notifier {
  const callbacks = new Set<(jobs: readonly Notice[]) => void>();
  return {
    notify(jobs) {
      for (const callback of callbacks) callback(jobs);
    },
    listen(callback) {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
  };
}

/** The notifier of a queue, one per database: jobs that an old plan enqueues wake the new plan's worker. */
export function notifierOf(database: Database, queue: string): Notifier {
  const notifiers = findNotifiers(database);
  const notifier = notifiers.get(queue) ?? createNotifier();
  notifiers.set(queue, notifier);
  return notifier;
}
