import type { Clock } from '../../core/clock.ts';
/**
 * Messages between the processes. A worker sends `join` before it reads its files, `ask` when it has reloaded, and
 * `done` when it serves the new version. The first process welcomes it, notifies the others, and answers the one that
 * asked.
 */
type Message = {
    readonly treadle: 'reload-join' | 'reload-welcome';
    readonly id: 0;
} | {
    readonly treadle: 'reload-ask' | 'reload-now' | 'reload-done' | 'reload-told';
    readonly id: number;
};
/** The other process of a channel. */
export interface Peer {
    readonly id: number;
    send(message: Message): void;
}
/**
 * The first process's part: notifies every other worker of a reload, and answers the one that asked when all have
 * replied.
 */
export declare class WorkerReloads {
    #private;
    constructor(clock: Clock);
    hear(from: Peer, value: unknown): void;
    /** A worker ended: stops waiting for it. */
    leave(id: number): void;
}
/** In the first process of `treadle start --workers`: passes reloads from one worker to the others. */
export declare function spreadWorkerReloads(clock: Clock): void;
/** A worker's part. */
export interface ReloadLink {
    /** Notifies the other workers; resolves when they have reloaded, after 12 s at most. */
    spread(): Promise<void>;
    close(): void;
}
/** In a worker: notifies the others of a reload, and reloads when another worker did. */
export declare function createReloadLink(clock: Clock, reload: () => Promise<unknown>): ReloadLink;
export {};
