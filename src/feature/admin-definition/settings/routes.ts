import type { RouteContribution } from '../../../plan/feature.ts';
import { toDefinitionRoute } from '../room.ts';
import { toUndoRoute } from '../saves.ts';
import { showSettings } from './page.ts';

const PATH = '/admin/system/settings';

/** Pages of the settings. */
export const settingsRoutes: readonly RouteContribution[] = [
  toDefinitionRoute('GET', PATH, 'Shows the settings.', showSettings),
  toDefinitionRoute('POST', PATH, 'Changes the settings.', showSettings),
  toUndoRoute(PATH, PATH),
];
