import { toRoute } from '../../../developer/frame.ts';
import type { Facts, RouteContribution } from '../../../plan/feature.ts';
import { showOverview } from './overview.ts';

/** Pages for operating the project: the first page, deliveries, people, jobs, mail, migrations, backups, log. */
export const listRunRoutes = (_facts: Facts): RouteContribution[] => [
  toRoute('GET', '/admin', 'The first page of the admin section.', showOverview),
];
