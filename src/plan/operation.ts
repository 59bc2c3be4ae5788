import type { Readable } from 'node:stream';
import type { Refusal } from '../access/refusal.ts';
import type { Problem } from '../core/errors.ts';
import type { LogLine } from '../core/log/log.ts';
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

/** Bytes that the project uses; undefined where it is unknown. */
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

/** A logged line with the process that wrote it. */
export interface ProcessLine extends LogLine {
  /** Process id. */
  readonly pid: number;
}

/** What an operator requests of the running processes; implemented by `app/operation/`. */
export interface Operation {
  /** Milliseconds since 1970 at which this process started. */
  readonly startedAt: number;
  readonly mailWay: MailWay;
  traffic(): Promise<Traffic>;
  /** What roles refused on pages in the last hour, of all workers, most first. */
  refusals(): Promise<readonly Refusal[]>;
  storage(): Promise<Storage>;
  /** The last lines of every process of this server, oldest first; undefined if none keeps any. */
  logLines(): Promise<readonly ProcessLine[] | undefined>;
  /** What the last load of the project said: errors that kept a newer version from being served, and advice. */
  problems(): readonly Problem[];
  readonly backups: Backups;
  readonly migrations: Migrations;
}

/** A finished backup in `var/backup`. */
export interface BackupFile {
  readonly name: string;
  readonly bytes: number;
  /** Milliseconds since 1970 at which it was finished. */
  readonly at: number;
  read(): Readable;
}

export interface Backups {
  /** The finished ones, the newest first. */
  list(): Promise<readonly BackupFile[]>;
  /** Bytes that a process has written of a backup that is not finished; undefined if none is being made. */
  progress(): Promise<number | undefined>;
  /** What the last backup of this process failed with. */
  readonly fault: string | undefined;
  /**
   * Begins a backup of all rows and uploads, and does not wait for it.
   *
   * @throws BACKUP_RUNS (409) @throws BACKUP_ROOM (507) without space for it.
   */
  begin(): Promise<void>;
  find(name: string): Promise<BackupFile | undefined>;
  /** False if no backup has that name. */
  remove(name: string): Promise<boolean>;
  /** Gives up a backup that this process makes; resolves when it has. */
  abandon(): Promise<void>;
}

/** A step that the database needs, or that would take it back. */
export interface MigrationStepFacts {
  readonly words: string;
  /** What it does to data: `lose` keeps a copy. */
  readonly class: 'add' | 'change' | 'lose';
  readonly rowsAtRisk: number;
  readonly sql: readonly string[];
  /** Why it is not done; undefined for a step that will be. */
  readonly refusal: string | undefined;
  /** Name of the value for existing rows that would allow it. */
  readonly asks: string | undefined;
  /** Without it the definitions cannot be served. */
  readonly isNeeded: boolean;
}

/** One step back. */
export interface UndoFacts {
  /** What is undone. */
  readonly words: string;
  /** Unix seconds. */
  readonly at: number;
  readonly steps: readonly MigrationStepFacts[];
  readonly base: string;
}

/** What the database has and what the files of the project ask of it. */
export interface MigrationFacts {
  /** Errors that keep the files from being compared. */
  readonly problems: readonly Problem[];
  readonly steps: readonly MigrationStepFacts[];
  /** The project's own steps that did not run yet: their files. */
  readonly own: readonly string[];
  /** Tables and columns without a definition, which stay. */
  readonly drift: readonly string[];
  /** Names this comparison; what is done must still be it. */
  readonly base: string;
  /** What was done, the newest first. Times in Unix seconds. */
  readonly journal: readonly {
    readonly id: number;
    readonly at: number;
    readonly words: string;
    readonly undoes: number | undefined;
  }[];
  /** Undefined if there is nothing to undo. */
  readonly undo: UndoFacts | undefined;
}

export interface MigrationRequest {
  readonly base: string;
  /** Whether steps are done that lose data; a copy of it is kept. */
  readonly allowLoss: boolean;
  /** Values for existing rows, by the name that a step asks for. */
  readonly defaults?: ReadonlyMap<string, string>;
}

/** What `treadle migrate` and `treadle migrate undo` do, on the files as they are now. */
export interface Migrations {
  /** @param options.allowLoss Compares as {@link Migrations.apply} with it would. Default false. */
  read(options?: { readonly allowLoss?: boolean }): Promise<MigrationFacts>;
  /**
   * Does what the comparison showed and serves the files.
   *
   * @returns What was done, and what was refused.
   * @throws MIGRATION_STALE (409) if anything changed since.
   */
  apply(request: MigrationRequest): Promise<{ readonly done: readonly string[]; readonly refused: readonly string[] }>;
  /** Takes the database one step back. The files stay. @throws MIGRATION_STALE (409) */
  undo(request: MigrationRequest): Promise<{ readonly done: readonly string[]; readonly refused: readonly string[] }>;
}
