import type { RouteContribution } from '../../../../plan/feature.ts';
import type { OwnerKind } from '../owner.ts';
import { toDefinitionRoute } from '../room.ts';
import { toUndoRoute } from '../saves.ts';
import { toCreateStep, toUpdateStep } from './form-page.ts';
import { toRemoveStep } from './remove.ts';
import { toRestoreStep } from './restore.ts';
import { toSearchStep } from './search.ts';
import { toRoom } from './words.ts';

function listRoutesOf(kind: OwnerKind): RouteContribution[] {
  const base = toRoom(kind);
  const remove = toRemoveStep(kind);
  const create = toCreateStep(kind);
  const update = toUpdateStep(kind);
  return [
    toDefinitionRoute('GET', `${base}/search`, `Lists the ${kind}s.`, toSearchStep(kind)),
    toDefinitionRoute('GET', `${base}/create`, `Shows the form of a new ${kind}.`, create),
    toDefinitionRoute('POST', `${base}/create`, `Makes a ${kind}.`, create),
    toDefinitionRoute('GET', `${base}/update/:name`, `Shows the form of a ${kind}.`, update),
    toDefinitionRoute('POST', `${base}/update/:name`, `Changes a ${kind}.`, update),
    toDefinitionRoute('GET', `${base}/remove/:name`, `Asks before a ${kind} is removed.`, remove),
    toDefinitionRoute('POST', `${base}/remove/:name`, `Removes a ${kind}.`, remove),
    toDefinitionRoute(
      'POST',
      `${base}/restore/:name`,
      `Restores a ${kind} that was removed here.`,
      toRestoreStep(kind),
    ),
    toUndoRoute(base),
  ];
}

/** Pages for schemas and fieldsets. */
export const listOwnerRoutes = (): RouteContribution[] => [...listRoutesOf('schema'), ...listRoutesOf('fieldset')];
