/** An output stream: process.stdout, or a test's own. */
export interface Out {
    /** Returns false if the stream's buffer is full. */
    write(text: string): unknown;
    once?(event: 'drain' | 'error', listener: () => void): unknown;
    readonly isTTY?: boolean;
}
/** Input of commands, complete or by lines. */
export interface In extends AsyncIterable<string | Uint8Array> {
    readonly isTTY?: boolean;
}
/** Two outputs: results go to `out`, all messages to `err`. */
export interface Terminal {
    readonly isJson: boolean;
    readonly isTerminal: boolean;
    readonly input: In;
    /** Prints a line of the result; nothing with `--json`, where the result is the document. */
    print(line: string): void;
    /**
     * Writes a part of a result that is a file; waits for a slow reader. Nothing with `--json`.
     *
     * @throws CLI_OUTPUT_CLOSED if the reader has ended, such as `| head`.
     */
    pour(text: string): Promise<void>;
    /** Prints a message: progress, advice, the next command. Never part of the JSON. */
    say(line: string): void;
    /** Prints the document of `--json`. */
    document(data: unknown): void;
    /** Overwrites one line on a terminal; does nothing elsewhere. */
    progress(text: string): void;
    bold(text: string): string;
    dim(text: string): string;
    red(text: string): string;
}
export interface TerminalOptions {
    readonly stdout: Out;
    readonly stderr: Out;
    readonly stdin: In;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly isJson: boolean;
}
export declare function createTerminal(options: TerminalOptions): Terminal;
/**
 * Aligns rows in columns as wide as their longest cell. A line break in a cell could look like another row, so it
 * becomes a space.
 */
export declare function toTable(given: readonly (readonly string[])[]): string[];
/** The first line of an input, without its line break; undefined if it is empty. */
export declare function readFirstLine(input: In): Promise<string | undefined>;
