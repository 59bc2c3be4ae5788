/** Joins lines into chunks that are worth a write. */
export declare function joinLines(lines: AsyncIterable<string>): AsyncGenerator<string>;
/**
 * Writes lines to a temporary file, which is renamed when it is complete.
 *
 * @throws CLI_USAGE if the path is a folder.
 */
export declare function writeFileWhole(file: string, lines: AsyncIterable<string>): Promise<void>;
