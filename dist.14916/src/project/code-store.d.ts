/**
 * Cache on disk of transformed code, so that a start needs neither the transformer nor its time (some 60
 * ms). A lost or broken cache is rebuilt.
 */
export interface CodeStore {
    find(path: string, state: string): string | undefined;
    put(path: string, state: string, code: string): void;
    /** Saves new entries; ignores a read-only folder. */
    save(): void;
}
export declare function createCodeStore(file: string): CodeStore;
