import type { Facts, RouteContribution } from '../../../plan/feature.ts';
import { kindRoutes } from './kind/routes.ts';
import { listOwnerRoutes } from './schema/routes.ts';
import { settingsRoutes } from './settings/routes.ts';

/** Pages for definitions: schemas, field sets, REST calls, scopes, web hooks, apps, roles and settings. */
export const listDefinitionRoutes = (_facts: Facts): RouteContribution[] => [
  ...listOwnerRoutes(),
  ...kindRoutes,
  ...settingsRoutes,
];
