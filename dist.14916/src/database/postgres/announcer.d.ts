import type { Client } from 'pg';
import type { Clock } from '../../core/clock.ts';
export interface AnnouncerOptions {
    readonly clock: Clock;
    /** Keeps apart projects in other schemas of the same database. */
    readonly schema: string | undefined;
    /** Creates a separate client, not yet connected: a listening connection cannot be pooled. */
    readonly createClient: () => Client;
    /** Runs a statement on any connection. */
    readonly send: (sql: string, parameters: readonly unknown[]) => Promise<unknown>;
}
/**
 * Tells other processes of commits by NOTIFY, and receives theirs by LISTEN. Nothing depends on it: polling
 * finds what was missed (behind a pooler, or during a reconnect).
 */
export declare class Announcer {
    #private;
    constructor(options: AnnouncerOptions);
    announce(topic: string): void;
    listen(topic: string, callback: () => void): () => void;
    close(): Promise<void>;
}
