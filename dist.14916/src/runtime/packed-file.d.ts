import type { Stats } from 'node:fs';
import { type Encoding } from './encoding.ts';
import type { Exchange } from './exchange.ts';
/** A file for a client that prefers it compressed. */
export interface PackedFile {
    readonly file: string;
    readonly stats: Stats;
    readonly encoding: Encoding;
}
/** True if compression makes the file smaller. */
export declare function isTextFile(file: string, { size }: Stats): boolean;
/** The encoding in which a request wants a file; a range always refers to the plain bytes. */
export declare function findEncoding({ req }: Exchange): Encoding | undefined;
/**
 * Creates a function that sends compressed files and compresses each once. The response already has the headers of
 * every answer.
 */
export declare function createFilePacker(caching: string): (exchange: Exchange, packed: PackedFile) => Promise<void>;
