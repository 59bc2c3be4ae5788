/**
 * Decodes a byte stream as text, without the byte order mark.
 *
 * @param count Called with the number of bytes of each piece.
 * @throws IMPORT_FILE_BROKEN for invalid UTF-8: names the line.
 */
export declare function readText(source: AsyncIterable<string | Uint8Array>, count?: (bytes: number) => void): AsyncGenerator<string>;
