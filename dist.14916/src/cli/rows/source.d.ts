import type { Invocation } from '../spec.ts';
export interface FileSource {
    readonly bytes: AsyncIterable<string | Uint8Array>;
    /** Total bytes, if known. */
    readonly size: number | undefined;
}
/** Opens a file, or standard input for `-`. @throws CLI_USAGE if the file does not exist or is a folder. */
export declare function openSource({ cwd, terminal }: Invocation, file: string): Promise<FileSource>;
