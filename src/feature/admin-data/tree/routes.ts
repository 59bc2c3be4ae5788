import { createRoute } from '../../../page/exchange.ts';
import type { Facts, RouteContribution } from '../../../plan/feature.ts';
import { postMove, showMove } from './move.ts';
import { showTree } from './page.ts';

const MODEL = '/admin/system/model/:schema';

/** Trees of rows; a project without a tree has no page of one. */
export function listTreeRoutes({ model }: Facts): RouteContribution[] {
  if (![...model.schemas.values()].some(({ trees }) => trees.length > 0)) return [];
  return [
    createRoute('GET', `${MODEL}/tree`, 'The rows of a schema as a tree.', showTree),
    createRoute('GET', `${MODEL}/move/:id`, 'The form that moves a row in its tree.', showMove),
    createRoute('POST', `${MODEL}/move/:id`, 'Moves a row in its tree; 412 if somebody else moved it first.', postMove),
  ];
}
