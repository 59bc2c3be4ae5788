import type { Contribution, Facts, RouteContribution } from '../../plan/feature.ts';
import { importTables } from './data/import/sql.ts';
import { viewTables } from './data/list/view-sql.ts';
import { listDataRoutes } from './data/routes.ts';
import { definitionEvents } from './definition/events.ts';
import { saveTable } from './definition/journal.ts';
import { createBeat, processTable } from './definition/processes.ts';
import { listDefinitionRoutes } from './definition/routes.ts';
import { goRoutes } from './go/page.ts';
import { listHistoryRoutes } from './history/routes.ts';
import { peopleRoutes } from './people/routes.ts';
import { createBackupWorker } from './run/backup/pages.ts';
import { createLiveWorker } from './run/overview/live.ts';
import { listRunRoutes } from './run/routes.ts';

/** A project's page for every path must not answer in place of the admin section. */
const first = (route: RouteContribution): RouteContribution => ({ ...route, isFirst: true });

/** Contributes the pages of the admin section; the built-in role `admin` opens them. */
export function contributeAdmin(facts: Facts): Contribution {
  // Without profiles nobody can log in.
  if (!facts.model.schemas.has('profile')) return {};
  return {
    workers: [createBeat, createLiveWorker, createBackupWorker],
    events: definitionEvents,
    tables: [saveTable, processTable, ...importTables, ...viewTables],
    routes: [
      ...listRunRoutes(facts),
      ...listDefinitionRoutes(facts),
      ...listDataRoutes(facts),
      ...listHistoryRoutes(),
      ...peopleRoutes,
      ...goRoutes,
    ].map(first),
  };
}
