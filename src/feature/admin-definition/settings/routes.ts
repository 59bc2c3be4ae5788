import type { RouteContribution } from '../../../plan/feature.ts';
import { createDefinitionRoute } from '../room.ts';
import { createUndoRoute } from '../saves.ts';
import { showSettings } from './page.ts';

const PATH = '/admin/system/settings';

/** Pages of the settings. */
export const settingsRoutes: readonly RouteContribution[] = [
  createDefinitionRoute('GET', PATH, 'Shows the settings.', showSettings),
  createDefinitionRoute('POST', PATH, 'Changes the settings.', showSettings),
  createUndoRoute(PATH, PATH),
];
