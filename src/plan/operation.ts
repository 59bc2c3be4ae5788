import type { Problem } from '../core/errors.ts';
import type { LogLine } from '../core/log-ring.ts';
import type { MailWay } from '../outbound/mail.ts';

/** Requests of one minute, of all workers. */
export interface MinuteCount {
  /** Unix seconds of its start. */
  readonly at: number;
  readonly total: number;
  /** Answers with a status from 400 to 499. */
  readonly refused: number;
  /** Answers with a status of 500 or more. */
  readonly failed: number;
}

/** Requests of the last hour, of all workers. */
export interface Traffic {
  /** 60 minutes, oldest first; the current one is last. */
  readonly minutes: readonly MinuteCount[];
  /** Milliseconds within which half of the requests were answered; undefined without requests. As the next. */
  readonly median: number | undefined;
  /** Milliseconds within which 95 of 100 requests were answered. */
  readonly slow: number | undefined;
}

/** Bytes that the project uses; undefined where it cannot be told. */
export interface Storage {
  readonly database: number | undefined;
  /** SQLite's write-ahead log. */
  readonly log: number | undefined;
  readonly uploads: number | undefined;
  readonly uploadCount: number | undefined;
  readonly backups: number;
  /** What is free on the disk of the project's folder. */
  readonly free: number | undefined;
}

/** A kept line with the process that wrote it. */
export interface ProcessLine extends LogLine {
  /** Process id. */
  readonly pid: number;
}

/** What an operator asks of the running processes; implemented by `runtime/`. */
export interface Operation {
  /** Milliseconds since 1970 at which this process started. */
  readonly startedAt: number;
  readonly mailWay: MailWay;
  traffic(): Promise<Traffic>;
  storage(): Promise<Storage>;
  /** The last lines of every process of this server, oldest first; undefined if none keeps any. */
  logLines(): Promise<readonly ProcessLine[] | undefined>;
  /** What the last load of the project said: errors that kept a newer version from being served, and advice. */
  problems(): readonly Problem[];
}
