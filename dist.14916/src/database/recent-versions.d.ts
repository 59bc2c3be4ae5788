import type { Clock } from '../core/clock.ts';
import type { TableVersions } from './table-version.ts';
/** Counts the commits of this process. */
export declare class CommitCount {
    #private;
    /** How many have begun. */
    get begun(): number;
    /** True while one is under way: others may see its data already, although nobody was told of it. */
    get isUnderWay(): boolean;
    /** Runs a commit, or a statement that commits by itself. */
    track<T>(commit: () => Promise<T>): Promise<T>;
}
export interface RecentVersionsOptions {
    readonly clock: Clock;
    readonly commits: CommitCount;
    /** Milliseconds after which commits of other processes show. */
    readonly milliseconds: number;
    readonly read: () => Promise<TableVersions>;
}
/** The versions as they were read last, while no commit of this process can have changed them. */
export declare class RecentVersions {
    #private;
    constructor(options: RecentVersionsOptions);
    /** The versions, if no query is needed. */
    find(): TableVersions | undefined;
    read(): Promise<TableVersions>;
}
