import { toRoute } from '../../../../developer/frame.ts';
import type { RouteContribution } from '../../../../plan/feature.ts';
import { showSearch } from './search.ts';

const MODEL = '/admin/system/model/:schema';

/** Lists of rows: search, bulk changes, import and export. */
export const listListRoutes = (): RouteContribution[] => [
  toRoute('GET', `${MODEL}/search`, "The list of a schema's rows.", showSearch),
];
