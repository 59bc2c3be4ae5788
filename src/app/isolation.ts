import type { Clock } from '../core/clock.ts';
import type { Outbound } from '../outbound/outbound.ts';

/** Keeps an application apart from the machine and the network, for tests and sandboxes. Of `.env` only the variables of the project's own code count. */
export interface Isolation {
  /** Takes every request that would leave the process. Default: they leave it. */
  readonly outbound?: Outbound;
  /** Folder of uploaded files, absolute. Default `var/upload` of the root. */
  readonly uploads: string;
  /**
   * Measures the limits of requests, statements, locks and transactions, so that a jump of the test's clock does not end open ones. Default:
   * the clock of the application.
   */
  readonly limits?: Clock;
  /** True for a sandbox: the receivers of the site's own web hooks get nothing from it, and it has no sandboxes. */
  readonly isSandbox?: true;
}
