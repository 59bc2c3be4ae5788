import { contributeToAdmin } from '../../page/section.ts';
import type { Contribution, Facts, Feature } from '../../plan/feature.ts';
import { definitionEvents } from './events.ts';
import { historyRoutes } from './history/routes.ts';
import { saveTable } from './journal.ts';
import { kindRoutes } from './kind/routes.ts';
import { createBeat, processTable } from './processes.ts';
import { listOwnerRoutes } from './schema/routes.ts';
import { settingsRoutes } from './settings/routes.ts';
import { slowRoutes } from './slow/pages.ts';

const contribute = (facts: Facts): Contribution =>
  contributeToAdmin(facts, {
    workers: [createBeat],
    events: definitionEvents,
    tables: [saveTable, processTable],
    routes: [...listOwnerRoutes(), ...kindRoutes, ...settingsRoutes, ...historyRoutes, ...slowRoutes],
  });

/**
 * The admin section's pages for definitions: schemas, field sets, REST calls, scopes, web hooks, apps, roles, settings; and
 * those that may save a definition: the history, which puts a file back, and slow searches, which add an index.
 */
export const adminDefinition: Feature = { name: 'admin-definition', contribute };
