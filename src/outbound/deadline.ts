import type { Clock } from '../core/clock.ts';
import type { OutboundResponse } from './outbound.ts';

/** Settles a call once: the first of answer, error, timeout and abort wins. */
export interface Deadline {
  readonly promise: Promise<OutboundResponse>;
  readonly startedAt: number;
  settle(result: OutboundResponse | Error): void;
  readonly isSettled: () => boolean;
  /** Called at the end, to destroy sockets and cancel timers. */
  onEnd(task: () => void): void;
}

export function createDeadline(clock: Clock): Deadline {
  const tasks: (() => void)[] = [];
  let isDone = false;
  let resolve: (value: OutboundResponse) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<OutboundResponse>((a, b) => {
    resolve = a;
    reject = b;
  });
  return {
    promise,
    startedAt: clock.now(),
    isSettled: () => isDone,
    settle(result) {
      if (isDone) return;
      isDone = true;
      for (const task of tasks) task();
      if (result instanceof Error) reject(result);
      else resolve(result);
    },
    onEnd(task) {
      if (isDone) task();
      else tasks.push(task);
    },
  };
}
