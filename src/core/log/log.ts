import type { Clock } from '../clock.ts';
import { toReason } from '../text/reason.ts';
import { isPlain, type LogFields, toLogFields } from './value.ts';

/** A line of the log, for a person who reads it later. Secrets are redacted already. */
export interface LogLine {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly level: LogLevel;
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
type Fields = LogFields;

/** Structured log: one event per line. Fields with secret names are left out. No call throws, whatever the fields are. */
export interface Log {
  debug(event: string, fields?: Fields): void;
  info(event: string, fields?: Fields): void;
  warn(event: string, fields?: Fields): void;
  error(event: string, fields?: Fields): void;
  /** Lines dropped since the start because the reader was too slow or gone. */
  readonly dropped?: () => number;
  /** The last lines of this process, oldest first; absent if it keeps none. */
  readonly recent?: () => readonly LogLine[];
}

export interface LogOptions {
  readonly clock: Clock;
  /** Lowest level that is written. Default `info`. */
  readonly level?: LogLevel;
  /** Writes a whole line, given without its newline. */
  readonly write: (line: string) => void;
  /** `json`: one document per line; `text`: for a person at a terminal. Default `json`. */
  readonly form?: 'json' | 'text';
  /** Gets each line as JSON too, whatever the form. */
  readonly keep?: (line: string) => void;
}

// A message may contain input of a visitor: control characters could move the cursor or change the
// terminal's title.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Stack lines to show: the first ones show where the error was thrown. */
const STACK_LINES = 6;

/** One line for a person, followed by an error's stack. */
function printLine(level: LogLevel, event: string, fields: Fields): string {
  const words: string[] = [];
  const below: string[] = [];
  for (const [key, value] of Object.entries(fields)) {
    const { stack }: { readonly stack?: unknown } = value ?? {};
    if (typeof stack === 'string') below.push(...stack.split('\n').slice(0, STACK_LINES));
    else if (value !== undefined) words.push(`${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  }
  const line = [`${level === 'info' ? '' : `${level}: `}${event}`, ...words].join(' ');
  return [line, ...below.map((text) => `  ${text}`)].map((text) => text.replace(CONTROL, '')).join('\n');
}

/** Fields that JSON can write. Most are as they come. */
function toSafe(fields: Fields): Fields {
  try {
    // A copy is judged: a getter may give something else, or throw, the second time.
    const copy = Object.getPrototypeOf(fields) === Object.prototype ? { ...fields } : fields;
    if (isPlain(copy)) return copy;
  } catch {
    // A proxy or a getter threw as it was looked at.
  }
  return toLogFields(fields);
}

/** A log with some fields in every line. */
export function withFields(log: Log, own: Fields): Log {
  const at =
    (level: LogLevel): Log['info'] =>
    (event, fields) =>
      log[level](event, { ...own, ...(fields === undefined ? {} : toLogFields(fields)) });
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

export function createLog(options: LogOptions): Log {
  const { form, keep, write, clock } = options;
  const least = LOG_LEVELS.indexOf(options.level ?? 'info');
  const last = { milliseconds: Number.NaN, text: '' };
  // A busy server writes several lines in a millisecond.
  const toTime = (): string => {
    const now = clock.now();
    if (now !== last.milliseconds) Object.assign(last, { milliseconds: now, text: new Date(now).toISOString() });
    return last.text;
  };
  const toJson = (level: LogLevel, event: string, safe: Fields): string =>
    JSON.stringify({ time: toTime(), level, event, ...safe });
  const put = (level: LogLevel, event: string, safe: Fields): void => {
    const json = form !== 'text' || keep !== undefined ? toJson(level, event, safe) : '';
    keep?.(json);
    write(form === 'text' ? printLine(level, event, safe) : json);
  };
  const at =
    (level: LogLevel) =>
    (event: string, fields: Fields = {}): void => {
      if (LOG_LEVELS.indexOf(level) < least) return;
      try {
        put(level, typeof event === 'string' ? event : toReason(toLogFields({ event }).event), toSafe(fields));
      } catch {
        // The reader of the log failed: who logs must go on.
      }
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** A log that writes nothing, for tests. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
