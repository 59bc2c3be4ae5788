import { createRoute } from '../../../page/exchange.ts';
import type { RouteContribution } from '../../../plan/feature.ts';
import { postRevert, showEntry } from './entry.ts';
import { showHistory } from './search.ts';

/** Pages of the history: who changed what. */
export const historyRoutes: readonly RouteContribution[] = [
  createRoute('GET', '/admin/history', 'Who changed which row or definition.', showHistory),
  createRoute('GET', '/admin/history/:history_id', 'One change, column by column.', showEntry),
  createRoute(
    'POST',
    '/admin/history/:history_id/revert',
    'Makes the row, or the file of a definition, what it was.',
    postRevert,
  ),
];
