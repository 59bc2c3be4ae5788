import { contributeToAdmin } from '../../page/section.ts';
import type { Contribution, Facts, Feature } from '../../plan/feature.ts';
import { listFormRoutes } from './form/routes.ts';
import { listImportRoutes } from './import/routes.ts';
import { importTables } from './import/sql.ts';
import { listRoutes } from './list/routes.ts';
import { viewTables } from './list/view-sql.ts';
import { listTreeRoutes } from './tree/routes.ts';

const contribute = (facts: Facts): Contribution =>
  contributeToAdmin(facts, {
    tables: [...importTables, ...viewTables],
    routes: [...listImportRoutes(facts), ...listRoutes, ...listFormRoutes(facts), ...listTreeRoutes(facts)],
  });

/** The admin section's pages for the rows of the schemas: `/admin/system/model/:schema/...`. */
export const adminData: Feature = { name: 'admin-data', contribute };
