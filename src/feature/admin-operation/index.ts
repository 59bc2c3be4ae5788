import { contributeToAdmin } from '../../page/section.ts';
import type { Contribution, Facts, Feature } from '../../plan/feature.ts';
import { backupRoutes, createBackupWorker } from './backup-pages.ts';
import { deliveryRoutes } from './delivery-pages.ts';
import { goRoutes } from './go/page.ts';
import { jobRoutes } from './job-pages.ts';
import { logRoutes } from './log-pages.ts';
import { mailRoutes } from './mail-pages.ts';
import { migrationRoutes } from './migration-pages.ts';
import { createLiveWorker } from './overview/live.ts';
import { overviewRoutes } from './overview/page.ts';
import { peopleRoutes } from './people/routes.ts';
import { sessionRoutes } from './session-pages.ts';

const contribute = (facts: Facts): Contribution =>
  contributeToAdmin(facts, {
    workers: [createLiveWorker, createBackupWorker],
    routes: [
      ...overviewRoutes,
      ...deliveryRoutes,
      ...sessionRoutes,
      ...jobRoutes,
      ...mailRoutes,
      ...migrationRoutes,
      ...backupRoutes,
      ...logRoutes,
      ...peopleRoutes,
      ...goRoutes,
    ],
  });

/** The admin section's pages for operation: overview, deliveries, sessions, jobs, mail, migrations, backups, log, people, palette. */
export const adminOperation: Feature = { name: 'admin-operation', contribute };
