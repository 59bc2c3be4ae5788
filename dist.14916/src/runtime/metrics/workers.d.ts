import type { Clock } from '../../core/clock.ts';
import type { Prometheus, Snapshot } from './registry.ts';
/** Messages between the processes. A worker sends `ask` and `tell`; the first process sends `collect` and `total`. */
type Message = {
    readonly treadle: 'metrics-ask' | 'metrics-collect';
    readonly id: number;
} | {
    readonly treadle: 'metrics-tell';
    readonly id: number;
    readonly snapshot: Snapshot;
} | {
    readonly treadle: 'metrics-total';
    readonly id: number;
    readonly text: string;
};
/** The other process of a channel. */
export interface Peer {
    readonly id: number;
    send(message: Message): void;
}
/** The first process's part: collects the metrics of every worker and sums them. */
export declare class WorkerMetrics {
    #private;
    constructor(workers: () => readonly Peer[], clock: Clock, load: () => Promise<Prometheus>);
    hear(from: Peer, value: unknown): void;
    /** A worker ended: stops waiting for it, and keeps its counts. */
    leave(id: number): Promise<void>;
}
/** In the first process of `treadle start --workers`: sums the metrics of the workers. */
export declare function gatherWorkerMetrics(clock: Clock): void;
/** A worker's part. */
export interface WorkerLink {
    /**
     * The metrics of all workers, summed; undefined if the first process has never answered, for example if another
     * program started the workers.
     *
     * @throws METRICS_UNREAD (503) if it answered before and does not now.
     */
    readTotal(): Promise<string | undefined>;
    close(): void;
}
/** In a worker: sends its metrics when the first process asks, and requests the sum of all. */
export declare function createWorkerLink(clock: Clock, tell: () => Promise<Snapshot>): WorkerLink;
export {};
