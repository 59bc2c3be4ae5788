import { writeSync } from 'node:fs';
import process from 'node:process';
import { type Clock, systemClock } from '../clock.ts';
import { createLog, type Log, type LogLevel, type LogOptions } from './log.ts';
import { LogRing } from './ring.ts';
import { LogSink } from './sink.ts';

export interface ProcessLogOptions {
  /** `json` collects lines for 50 ms; `text` writes each at once. Default `json`. */
  readonly form?: LogOptions['form'];
  /** Lowest level that is written. Default `info`. */
  readonly level?: LogLevel | undefined;
  readonly clock?: Clock;
}

const STANDARD_ERROR = 2;
/** How long the exiting process waits for a slow reader of the last lines. */
const LAST_MS = 250;
const PAUSE_MS = 10;

/** Writes the remaining lines synchronously when the process exits. */
function writeLast(sink: LogSink): void {
  sink.flush();
  const still = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; sink.isSlow && waited < LAST_MS; waited += PAUSE_MS) {
    Atomics.wait(still, 0, 0, PAUSE_MS);
    sink.flush();
  }
}

/** Every log of the process. Unused, flushed logs can be garbage-collected. */
const sinks = new Set<WeakRef<LogSink>>();

/** All logs share one listener: Node warns of more than ten. */
function writeAtExit(sink: LogSink): void {
  if (sinks.size === 0)
    process.once('exit', () => {
      for (const known of sinks) {
        const left = known.deref();
        if (left) writeLast(left);
      }
    });
  for (const known of sinks) if (known.deref() === undefined) sinks.delete(known);
  sinks.add(new WeakRef(sink));
}

/**
 * A log on standard error that keeps the server running when the reader is slow or gone: {@link LogSink}.
 * It writes to the descriptor, because a Node stream buffers unread data without limit, keeps the process
 * alive for it, and closes for ever when its reader exits.
 */
export function createProcessLog(options: ProcessLogOptions = {}): Log {
  const { form = 'json', level = 'info', clock = systemClock } = options;
  // The first access makes a pipe non-blocking: a full pipe then returns EAGAIN.
  void process.stderr;
  const sink = new LogSink({
    write: (bytes) => writeSync(STANDARD_ERROR, bytes),
    clock,
    gatherMs: form === 'text' ? 0 : 50,
    toNotice(lines) {
      let notice = '';
      const write = (line: string): void => {
        notice = line;
      };
      createLog({ clock, form, level, write }).error('log lines were dropped', { lines });
      return notice;
    },
  });
  writeAtExit(sink);
  const ring = new LogRing();
  const log = createLog({ clock, form, level, write: (line) => sink.line(line), keep: (line) => ring.add(line) });
  return { ...log, dropped: () => sink.dropped, recent: () => ring.read() };
}
