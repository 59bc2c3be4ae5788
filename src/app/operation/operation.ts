import { join } from 'node:path';
import process from 'node:process';
import { type Refusal, sumRefusals, tallyOf } from '../../access/refusal.ts';
import type { Clock } from '../../core/clock.ts';
import type { Problem } from '../../core/errors.ts';
import type { Log, LogLine } from '../../core/log/log.ts';
import type { Database } from '../../database/database.ts';
import type { MailWay } from '../../outbound/mail.ts';
import type { Plan, Services } from '../../plan/feature.ts';
import type { Operation, ProcessLine } from '../../plan/operation.ts';
import type { Files } from '../../project/file-store.ts';
import { createBackups } from './backups.ts';
import { createGatherer, type Sources } from './gather.ts';
import { createMigrations, type MigrationParts } from './migrations.ts';
import { createStorageReader } from './storage.ts';
import { type MinuteTally, sumTraffic, type TrafficTally } from './traffic-tally.ts';

/** Folder of the backups that the admin section makes, relative to the project's root. */
const BACKUPS = 'var/backup';
const UPLOADS = 'var/upload';
/** Lines that one process sends to another. */
const SENT_LINES = 1000;

/** The stored log lines of a process, as sent to the others. */
interface LogPart {
  readonly pid: number;
  readonly lines: readonly LogLine[];
}

/** What a process answers about its log; nothing if it keeps no lines. */
export const toLogSource = (log: Log): Sources => ({
  log: (): LogPart | undefined => log.recent && { pid: process.pid, lines: log.recent().slice(-SENT_LINES) },
});

export interface OperationParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly files: Files;
  readonly root: string;
  readonly mailWay: MailWay;
  readonly tally: TrafficTally;
  readonly problems: () => readonly Problem[];
  readonly plan: () => Plan;
  readonly compile: MigrationParts['compile'];
  readonly reload: Services['reload'];
}

const toLines = ({ pid, lines }: LogPart): ProcessLine[] => lines.map((line) => ({ ...line, pid }));

/** The figures and the log of a running server. */
export function createOperation(parts: OperationParts): Operation {
  const { clock, log, root, tally, mailWay, problems } = parts;
  const gatherer = createGatherer(clock, {
    ...toLogSource(log),
    traffic: () => tally.read(),
    refusals: () => tallyOf(parts.database).read(clock),
  });
  const folder = join(root, BACKUPS);
  const storage = createStorageReader({ ...parts, backups: folder });
  return {
    startedAt: clock.now(),
    mailWay,
    problems,
    storage,
    backups: createBackups({ ...parts, folder, uploads: join(root, UPLOADS), storage }),
    migrations: createMigrations(parts),
    async traffic() {
      return sumTraffic((await gatherer.ask('traffic')) as MinuteTally[][], clock.now());
    },
    async refusals() {
      return sumRefusals((await gatherer.ask('refusals')) as Refusal[][]);
    },
    async logLines() {
      const told = (await gatherer.ask('log')) as LogPart[];
      if (told.length === 0) return undefined;
      return told.flatMap(toLines).sort((a, b) => a.at - b.at);
    },
  };
}
