import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log/log.ts';
import { toLogFields } from '../core/log/value.ts';

/** Where `treadle dev` keeps its last warnings and errors for `treadle mcp`. Git ignores `var/`. */
const toFile = (root: string): string => join(root, 'var', 'dev-errors.ndjson');

const MOST_LINES = 50;
/** Characters of one line; a longer one is cut. */
const MOST_CHARACTERS = 4000;
/** A storm of errors writes once in this time. */
const GATHER_MS = 200;

/** A line as it is kept, without secrets: `time`, `level`, `event` and its fields. */
type ErrorLine = Readonly<Record<string, unknown>>;

function toLine(time: string, level: string, event: string, fields: ErrorLine): string {
  const line = JSON.stringify({ time, level, event, ...fields });
  if (line.length <= MOST_CHARACTERS) return line;
  return JSON.stringify({ time, level, event, cut: line.slice(0, MOST_CHARACTERS) });
}

/** A log that also keeps its last warnings and errors in a file. If the file cannot be written, the log goes on. */
export function keepErrors(log: Log, root: string, clock: Clock): Log {
  const lines: string[] = [];
  const state: { cancel?: (() => void) | undefined } = {};
  const write = (): void => {
    state.cancel = undefined;
    try {
      mkdirSync(dirname(toFile(root)), { recursive: true });
      writeFileSync(toFile(root), `${lines.join('\n')}\n`);
    } catch {
      // A file for convenience: the server goes on without it.
    }
  };
  const at =
    (level: 'warn' | 'error'): Log['warn'] =>
    (event, fields = {}) => {
      log[level](event, fields);
      lines.push(toLine(new Date(clock.now()).toISOString(), level, event, toLogFields(fields)));
      if (lines.length > MOST_LINES) lines.shift();
      state.cancel ??= clock.after(GATHER_MS, write);
    };
  return { ...log, warn: at('warn'), error: at('error') };
}

function parseLine(line: string): ErrorLine[] {
  try {
    return [JSON.parse(line)];
  } catch {
    // Half a line, of a server that was killed.
    return [];
  }
}

/** The kept lines, oldest first. */
export function readErrors(root: string): ErrorLine[] {
  try {
    return readFileSync(toFile(root), 'utf8').trim().split('\n').filter(Boolean).flatMap(parseLine);
  } catch {
    return [];
  }
}
