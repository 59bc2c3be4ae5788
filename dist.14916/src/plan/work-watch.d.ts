import { type Watch } from '../core/scope.ts';
import type { Plan, Services } from './feature.ts';
/** Begins to watch a transaction of project code. */
export declare const watchWork: (place: string | undefined, isSerializable?: boolean) => Watch;
/** Tells, once for each place, of project code that reads and then decides or writes without a lock. */
export interface WorkWatch {
    /** Notes an event that project code emits in a transaction. */
    noteEvent(event: string): void;
    /** Notes a read by `app.query`. */
    noteRead(): void;
    /** Notes that an `after` listener took a change back. */
    noteVeto(watch: Watch): void;
}
/**
 * On PostgreSQL transactions run side by side; on SQLite one after the other, so that there is nothing to tell.
 */
export declare function createWorkWatch({ events }: Pick<Plan, 'events'>, services: Services): WorkWatch;
