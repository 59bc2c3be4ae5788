import type { Facts, RouteContribution } from '../../../plan/feature.ts';
import { listFormRoutes } from './form/routes.ts';
import { listImportRoutes } from './import/routes.ts';
import { listListRoutes } from './list/routes.ts';
import { listTreeRoutes } from './tree/routes.ts';

/** Pages for the rows of the schemas: `/admin/system/model/:schema/...`. */
export const listDataRoutes = (facts: Facts): RouteContribution[] => [
  ...listImportRoutes(facts),
  ...listListRoutes(),
  ...listFormRoutes(facts),
  ...listTreeRoutes(facts),
];
