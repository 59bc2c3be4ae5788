/**
 * An uploaded file: from a form, as `getFiles` returns it, or from a data URI. Its bytes are left out when
 * serialized.
 */
export interface SentFile {
    /**
     * Name given by the sender, without folders: for display only, never a path to write to. Empty for a data
     * URI.
     */
    readonly name: string;
    /** Type claimed by the sender. */
    readonly type: string;
    readonly bytes: number;
    readonly buffer: Buffer;
}
export declare function createSentFile(name: string, type: string, buffer: Buffer): SentFile;
/** Whether a value is an uploaded file: no JSON or form text can imitate one. */
export declare function isSentFile(value: unknown): value is SentFile;
/** Whether a text is a data URI, valid or not. */
export declare const isDataUri: (text: string) => boolean;
/** The file in a base64 data URI; undefined for any other text. @see RFC 2397 */
export declare function readDataUri(text: string): SentFile | undefined;
