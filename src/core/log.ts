import type { Clock } from './clock.ts';
import type { LogLine } from './log-ring.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
type Fields = Readonly<Record<string, unknown>>;

/** Structured log: one event per line. Fields with secret names are left out. */
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

/** Field names whose values never reach a log. */
const SECRET_NAME = /secret|token|password|authorization|cookie|^code$|signature/i;
const MAX_DEPTH = 6;
/** Cached, because the few names repeat on each line. */
const judged = new Map<string, boolean>();
const MAX_JUDGED = 500;

function isSecretName(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  const isSecret = SECRET_NAME.test(name);
  if (judged.size < MAX_JUDGED) judged.set(name, isSecret);
  return isSecret;
}

/** True for fields without secrets and without values to look into, such as those of an answered request. */
function isPlain(fields: Fields): boolean {
  if (Object.getPrototypeOf(fields) !== Object.prototype) return false;
  for (const key in fields) {
    const item = fields[key];
    if ((typeof item === 'object' && item !== null) || isSecretName(key)) return false;
  }
  return true;
}

function redact(value: unknown, depth: number): unknown {
  if (value instanceof Error) {
    const { code, detail, cause } = value as Error & { code?: string; detail?: unknown };
    return {
      name: value.name,
      code,
      message: value.message,
      stack: value.stack,
      detail: redact(detail, depth + 1),
      cause: cause === undefined ? undefined : redact(cause, depth + 1),
    };
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  if (isPlain(value as Fields)) return value;
  const safe: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value))
    safe[key] = isSecretName(key) ? '[redacted]' : redact(item, depth + 1);
  return safe;
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

/** Stack lines to show: the first ones tell where the error was thrown. */
const STACK_LINES = 6;

/** One line for a person, followed by an error's stack. */
function printLine(level: LogLevel, event: string, fields: Fields): string {
  const words: string[] = [];
  const below: string[] = [];
  for (const [key, value] of Object.entries(fields)) {
    const { stack } = (value ?? {}) as { readonly stack?: unknown };
    if (typeof stack === 'string') below.push(...stack.split('\n').slice(0, STACK_LINES));
    else if (value !== undefined) words.push(`${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  }
  const line = [`${level === 'info' ? '' : `${level}: `}${event}`, ...words].join(' ');
  return [line, ...below.map((text) => `  ${text}`)].map((text) => text.replace(CONTROL, '')).join('\n');
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
  const at =
    (level: LogLevel) =>
    (event: string, fields: Fields = {}): void => {
      if (LOG_LEVELS.indexOf(level) < least) return;
      const safe = redact(fields, 0) as Fields;
      const json = form !== 'text' || keep !== undefined ? toJson(level, event, safe) : '';
      keep?.(json);
      write(form === 'text' ? printLine(level, event, safe) : json);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** A log that writes nothing, for tests. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
