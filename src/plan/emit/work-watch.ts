import type { Log } from '../../core/log/log.ts';
import { currentScope, type Watch } from '../../core/scope.ts';
import type { Database } from '../../database/database.ts';
import { isRead } from '../../model/hook-event.ts';
import { changesData, type EventKind } from '../event/facts.ts';

/** Begins to watch a transaction of project code. */
export const watchWork = (findPlace: Watch['findPlace'], isSerializable = false): Watch => ({
  findPlace,
  isSerializable,
  hasRead: false,
  isLocked: false,
  isTold: false,
});

/** Warns, once for each place, of project code that reads and then decides or writes without a lock. */
export interface WorkWatch {
  /** Notes an event that project code emits in a transaction. */
  noteEvent(event: string): void;
  /** Notes a read by `app.query`. */
  noteRead(): void;
  /** Notes that an `after` listener took a change back, and where that was added. */
  noteVeto(watch: Watch, place: string | undefined): void;
}

const HINT =
  'Two transactions may read the same rows at the same moment. Call app.lock(key) before the read, or open the transaction with app.transaction(fn, { attempts: 3 }).';

/**
 * On PostgreSQL transactions run side by side; on SQLite one after the other, so that there is nothing to warn of.
 */
export function createWorkWatch(
  { events }: { readonly events: readonly { readonly name: string; readonly kind: EventKind }[] },
  services: { readonly database: Pick<Database, 'writesInParallel'>; readonly log: Log },
): WorkWatch {
  const writing = new Set(events.filter(changesData).map(({ name }) => name));
  const told = new Set<string>();
  const tell = (watch: Watch, findPlace = watch.findPlace): void => {
    if (!watch.hasRead || watch.isLocked || watch.isSerializable || watch.isTold) return;
    if (!services.database.writesInParallel) return;
    watch.isTold = true;
    const place = findPlace() ?? 'the project';
    if (told.has(place)) return;
    told.add(place);
    services.log.warn('transaction.unlocked', {
      place,
      message: `${place} reads and then writes without a lock.`,
      hint: HINT,
    });
  };
  return {
    noteEvent(event) {
      const watch = currentScope.getStore()?.watch;
      if (watch === undefined) return;
      if (writing.has(event)) tell(watch);
      else if (isRead(event)) watch.hasRead = true;
    },
    noteRead() {
      const watch = currentScope.getStore()?.watch;
      if (watch !== undefined) watch.hasRead = true;
    },
    noteVeto: (watch, place) => tell(watch, () => place),
  };
}
