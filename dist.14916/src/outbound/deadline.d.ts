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
export declare function createDeadline(clock: Clock): Deadline;
