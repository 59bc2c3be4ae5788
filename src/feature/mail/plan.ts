import type { Contribution, Facts } from '../../plan/feature.ts';
import { jobTable } from '../../queue/table.ts';
import { mailFigures } from './events/mail-figures.ts';
import { mailPrepare } from './events/mail-prepare.ts';
import { mailRetry } from './events/mail-retry.ts';
import { mailSend } from './events/mail-send.ts';
import { listMailFigures } from './figures.ts';
import { mails } from './mails.ts';
import { outboxRoutes } from './outbox.ts';
import { mailTable } from './sql.ts';
import { createMailWorker } from './worker.ts';

/** Contributes mail: its table, events and worker, and in development the page that shows it. */
export function contributeMail({ isDevelopment }: Facts): Contribution {
  return {
    ownTables: [mails],
    tables: [mailTable, jobTable],
    events: [...mails.events, mailSend, mailPrepare, mailFigures, mailRetry],
    routes: isDevelopment ? outboxRoutes : [],
    workers: [createMailWorker],
    figures: [listMailFigures],
  };
}
