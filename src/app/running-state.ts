import type { Problem } from '../core/errors.ts';
import type { Context, Worker } from '../plan/feature.ts';
import type { Life } from '../project/life.ts';

/** What changes in a running application. */
export interface RunningState {
  context: Context;
  workers: readonly Worker[];
  /** Of the project's code that is served. */
  life: Life | undefined;
  problems: readonly Problem[];
  url: string | undefined;
  /** Reloads run one after the other; a waiting one also serves later callers. */
  waiting: Promise<readonly Problem[]> | undefined;
  running: Promise<unknown>;
  /** Earlier plans, of which workers are still stopping and requests still running. */
  stopping: Promise<unknown>;
}

export const createState = (first: Pick<RunningState, 'context' | 'problems'>): RunningState => ({
  context: first.context,
  workers: [],
  life: undefined,
  problems: first.problems,
  url: undefined,
  waiting: undefined,
  running: Promise.resolve(),
  stopping: Promise.resolve(),
});
