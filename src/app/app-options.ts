import type { Clock, Random } from '../core/clock.ts';
import type { Log } from '../core/log/log.ts';
import type { PasswordCost } from '../core/secret/password.ts';
import type { Mode } from '../http/exchange.ts';
import type { Isolation } from './isolation.ts';

/** Of `createApp`. */
export interface AppOptions {
  /** Project root, absolute. */
  readonly root: string;
  /** `development` reloads and migrates; `production` refuses what is broken or behind; `test` migrates, quietly. Default `production`. */
  readonly mode?: Mode;
  /** The process's environment, laid over `.env`; the code gets the rest of `.env` as `process.env`. Default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The time, for tests. Default: that of the machine. */
  readonly clock?: Clock;
  /** Random bytes, for tests. Default: those of the machine. */
  readonly random?: Random;
  /** @internal Of new password hashes, for test sites. Production ignores it. Default: a third of a second. */
  readonly passwordCost?: PasswordCost | undefined;
  /** Default: one line an event on standard error; text in development, JSON else; from the level of `LOG_LEVEL` up. */
  readonly log?: Log;
  /**
   * Called with a fault after which the process must not go on, such as a disk that did not keep what was written. The log has
   * it already. Default: the application closes. `treadle start` and `treadle dev` end the process at once with exit code 1.
   */
  readonly fail?: (error: unknown) => void;
  /**
   * Whether it does what is done beside requests, such as the delivery of web hooks. Default true; false for one piece
   * of work, which leaves what is queued to the server.
   */
  readonly hasWorkers?: boolean;
  /** In `development`: logs the statements of requests and jobs, without their values. `treadle dev --sql` sets it. Default false. */
  readonly logsStatements?: boolean;
  /** Address of the server that already runs, for the links of a one-off command. Default: the address that it listens on. */
  readonly url?: string;
  /** @internal Keeps it apart from `.env`, the network and the folder of uploads; `treadle/test` does. */
  readonly isolation?: Isolation;
}
