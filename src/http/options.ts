import type { Clock, Random } from '../core/clock.ts';
import type { Log } from '../core/log/log.ts';
import type { Context, Views } from '../plan/feature.ts';
import type { Images } from '../project/image.ts';
import type { Development } from './development.ts';
import type { Lifecycle, Mode, Traffic } from './exchange.ts';
import type { Gate } from './gate.ts';
import type { EventStreams } from './respond/event-stream.ts';
import type { RuntimeSessions } from './session/session.ts';

export interface HandleOptions {
  /** The serving context; a request reads it once and keeps it. */
  readonly current: () => Context;
  readonly sessions: RuntimeSessions;
  readonly views: Views;
  readonly log: Log;
  readonly clock: Clock;
  readonly random: Random;
  readonly mode: Mode;
  /** Project root, absolute: base of places in errors. */
  readonly root: string;
  /** Folder of static files, absolute. */
  readonly publicFolder: string;
  /** Makes sizes of the images among them. */
  readonly images?: Images | undefined;
  /** Shared with the server. */
  readonly lifecycle: Lifecycle;
  /** Gets the streams of events that are open, to end them with their plan. */
  readonly eventStreams?: EventStreams | undefined;
  /** Holds requests while the database changes. */
  readonly gate?: Gate;
  /** Live reload, in development only. */
  readonly development?: Development;
  /** Maximum milliseconds for a handler. Default 30,000. */
  readonly handlerMs?: number;
  /** Measures that time. Default `clock`. */
  readonly limits?: Clock | undefined;
  /** If given, requests are counted there. */
  readonly traffic?: Traffic;
  /** Default true, except in mode `test`. */
  readonly isAccessLogged?: boolean;
}
