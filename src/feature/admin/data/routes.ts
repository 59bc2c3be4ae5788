import type { Facts, RouteContribution } from '../../../plan/feature.ts';
import { listListRoutes } from './list/routes.ts';

/** Pages for the rows of the schemas: `/admin/system/model/:schema/...`. */
export const listDataRoutes = (_facts: Facts): RouteContribution[] => [...listListRoutes()];
