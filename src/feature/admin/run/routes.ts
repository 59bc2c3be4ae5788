import { toRoute } from '../../../developer/frame.ts';
import type { Facts, RouteContribution } from '../../../plan/feature.ts';
import { backupRoutes } from './backup/pages.ts';
import { deliveryRoutes } from './delivery/pages.ts';
import { jobRoutes } from './job/pages.ts';
import { logRoutes } from './log/pages.ts';
import { mailRoutes } from './mail/pages.ts';
import { migrationRoutes } from './migration/pages.ts';
import { streamOverview } from './overview/live.ts';
import { showOverview } from './overview/page.ts';
import { sessionRoutes } from './session/pages.ts';
import { slowRoutes } from './slow/pages.ts';

/** Pages for operating the project: the first page, deliveries, sessions, jobs, mail, migrations, backups, slow searches, log. */
export const listRunRoutes = (_facts: Facts): RouteContribution[] => [
  toRoute('GET', '/admin', 'The first page of the admin section.', showOverview),
  toRoute('GET', '/admin/events', 'Renews the first page of the admin section: server-sent events.', streamOverview),
  ...deliveryRoutes,
  ...sessionRoutes,
  ...jobRoutes,
  ...mailRoutes,
  ...migrationRoutes,
  ...backupRoutes,
  ...slowRoutes,
  ...logRoutes,
];
