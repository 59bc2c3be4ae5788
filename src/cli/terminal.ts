import { TreadleError } from '../core/errors.ts';

/** An output stream: process.stdout, or a test's own. */
export interface OutputStream {
  /** Returns false if the stream's buffer is full. */
  write(text: string): unknown;
  once?(event: 'drain' | 'error', listener: () => void): unknown;
  readonly isTTY?: boolean;
}

/** Input of commands, complete or by lines. */
export interface InputStream extends AsyncIterable<string | Uint8Array> {
  readonly isTTY?: boolean;
}

/** Two outputs: results go to `out`, all messages to `err`. */
export interface Terminal {
  readonly isJson: boolean;
  readonly isTerminal: boolean;
  readonly input: InputStream;
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
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly stdin: () => InputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isJson: boolean;
}

// Control characters in a row's text could move the cursor or change the window's title; an escape may only set a colour.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL = /\u001b(?!\[\d{1,2}m)|[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f]/g;
/** Control characters that JSON does not escape, but a terminal obeys. */
const RAW_IN_JSON = /[\u007f-\u009f]/g;
const escapeRaw = (found: string): string => `\\u00${found.charCodeAt(0).toString(16)}`;

export function createTerminal(options: TerminalOptions): Terminal {
  const { stdout, stderr, env, isJson } = options;
  const isPlain = (env.NO_COLOR !== undefined && env.NO_COLOR !== '') || env.TERM === 'dumb';
  const paint =
    (out: OutputStream, open: number, close: number) =>
    (text: string): string =>
      isPlain || out.isTTY !== true ? text : `\u001b[${open}m${text}\u001b[${close}m`;
  const line = (out: OutputStream, text: string): void => {
    out.write(`${text.replace(CONTROL, '')}\n`);
  };
  const gone = new Promise<never>((_resolve, reject) => {
    const refuse = (): void =>
      reject(new TreadleError('CLI_OUTPUT_CLOSED', 'The reader of standard output closed it.', { status: 499 }));
    stdout.once?.('error', refuse);
  });
  gone.catch(() => {});
  return {
    isJson,
    isTerminal: stdout.isTTY === true && options.stdin().isTTY === true,
    get input() {
      return options.stdin();
    },
    print: (text) => {
      if (!isJson) line(stdout, text);
    },
    async pour(text) {
      if (isJson) return;
      const isTaken = stdout.write(stdout.isTTY === true ? text.replace(CONTROL, '') : text) !== false;
      if (isTaken || !stdout.once) return;
      await Promise.race([new Promise<void>((resolve) => stdout.once?.('drain', resolve)), gone]);
    },
    say: (text) => line(stderr, text),
    document: (data) => {
      stdout.write(`${JSON.stringify(data, null, 2)?.replace(RAW_IN_JSON, escapeRaw)}\n`);
    },
    progress: (text) => {
      if (stderr.isTTY === true) stderr.write(`\r\u001b[2K${text.replace(CONTROL, '')}`);
    },
    bold: paint(stdout, 1, 22),
    dim: paint(stderr, 2, 22),
    red: paint(stderr, 31, 39),
  };
}

/**
 * Aligns rows in columns as wide as their longest cell. A line break in a cell could look like another row, so it
 * becomes a space.
 */
export function toTable(given: readonly (readonly string[])[]): string[] {
  const rows = given.map((row) => row.map((cell) => cell.replace(/[\r\n\t]+/g, ' ')));
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** The first line of an input, without its line break; undefined if it is empty. */
export async function readFirstLine(input: InputStream): Promise<string | undefined> {
  let text = '';
  for await (const chunk of input) {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
    if (text.includes('\n')) break;
  }
  const [first = ''] = text.split('\n', 1);
  const line = first.replace(/\r$/, '');
  return line === '' ? undefined : line;
}
