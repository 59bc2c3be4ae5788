import { createRoute } from '../../../page/exchange.ts';
import type { RouteContribution } from '../../../plan/feature.ts';
import { postBulk } from './bulk-page.ts';
import { postCell, showCell } from './edit-cell.ts';
import { sendExport } from './export.ts';
import { showSearch } from './search.ts';
import { postView } from './view.ts';

const MODEL = '/admin/system/model/:schema';

/** Lists of rows: search, bulk changes, import and export. */
export const listRoutes: readonly RouteContribution[] = [
  createRoute('GET', `${MODEL}/search`, "The list of a schema's rows.", showSearch),
  createRoute('POST', `${MODEL}/search`, 'Removes, restores, changes or exports many rows.', postBulk),
  createRoute('GET', `${MODEL}/export`, 'The rows of a search as a file: CSV, JSON or NDJSON.', sendExport),
  createRoute('GET', `${MODEL}/cell/:id/:column`, 'The form of one column of a row.', showCell),
  createRoute(
    'POST',
    `${MODEL}/cell/:id/:column`,
    'Saves one column of a row; 412 if somebody else saved it first.',
    postCell,
  ),
  createRoute('POST', `${MODEL}/view`, "Saves, renames or removes one's view of a list.", postView),
];
