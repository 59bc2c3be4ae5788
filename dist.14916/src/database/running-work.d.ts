import type { Log } from '../core/log.ts';
import type { Frame } from './transaction.ts';
/** Counts running work, so that closing can wait for it and for its tasks after the commit. */
export declare class RunningWork {
    #private;
    track<T>(work: () => Promise<T>): Promise<T>;
    /** Resolves when nothing is running. */
    quiet(): Promise<void>;
}
/** Runs a task after a commit; logs its error. */
export declare function runTask(task: () => Promise<void>, log: Log): Promise<void>;
/** Runs the tasks for after the outermost commit, in order. */
export declare function runTasks({ tasks }: Frame, log: Log): Promise<void>;
