import type { Socket } from 'node:net';
import type { Problem } from '../core/errors.ts';
import type { ListenAddress } from '../http/connection/listen.ts';
import type { Handle } from '../http/handle.ts';
import type { Context, Plan, Services } from '../plan/feature.ts';
import type { OwnRows } from '../plan/own-rows.ts';
import type { ReloadMigration } from '../plan/reload-migration.ts';
import type { ApplicationEmit } from './stage-emit.ts';

/** A running project. One process can run several. */
export interface Application extends OwnRows {
  /** The compiled project. Internal, as are the next two; may change in any version. */
  readonly plan: Plan;
  /** What Treadle's own listeners get. */
  readonly context: Context;
  /** Database, clock, log and queues. */
  readonly services: Services;
  /** URL that it listens on; undefined before. */
  readonly url: string | undefined;
  /** Advice of the last load, and the errors that kept the last reload from being served. */
  readonly problems: readonly Problem[];
  /** Listens and returns the URL; port 0 picks a free one. The host is 127.0.0.1 by default. */
  listen(address: ListenAddress): Promise<string>;
  /** Compiles again and swaps the plan. Returns the problems: if one is an error, the last good plan stays in use. */
  reload(migration?: ReloadMigration): Promise<readonly Problem[]>;
  /** Emits outside any HTTP request: with a request and a response, or with a stage; with `as` (an `auth_id`) as that user. */
  readonly emit: ApplicationEmit;
  /** Answers one request. Internal. */
  readonly handle: Handle;
  /** Serves connections that another process accepted, instead of listening; returns a function that takes one. */
  attach(url: string): (socket: Socket) => void;
  /** Readiness answers 503 from now on; all other requests are still served. */
  drain(): void;
  /**
   * Shuts down: readiness answers 503 for `server.drainSeconds` while other requests are served (unless {@link drain} was called),
   * then requests in flight end (8 s at most), workers stop, and the database closes. A second call ends the drain time.
   */
  close(): Promise<void>;
}
