import type { RouteContribution } from '../../../../plan/feature.ts';
import { showDrawing } from '../drawing/page.ts';
import type { OwnerKind } from '../owner.ts';
import { toDefinitionRoute } from '../room.ts';
import { toUndoRoute } from '../saves.ts';
import { toCreateStep, toUpdateStep } from './form-page.ts';
import { toRemoveStep } from './remove.ts';
import { toRenameStep } from './rename.ts';
import { toRestoreStep } from './restore.ts';
import { toSearchStep } from './search.ts';
import { toExportStep, toImportStep } from './transfer.ts';
import { toRoom } from './words.ts';

function listRoutesOf(kind: OwnerKind): RouteContribution[] {
  const base = toRoom(kind);
  const remove = toRemoveStep(kind);
  const create = toCreateStep(kind);
  const update = toUpdateStep(kind);
  const rename = toRenameStep(kind);
  const bring = toImportStep(kind);
  return [
    toDefinitionRoute('GET', `${base}/search`, `Lists the ${kind}s.`, toSearchStep(kind)),
    toDefinitionRoute('GET', `${base}/create`, `Shows the form of a new ${kind}.`, create),
    toDefinitionRoute('POST', `${base}/create`, `Makes a ${kind}.`, create),
    toDefinitionRoute('GET', `${base}/update/:name`, `Shows the form of a ${kind}.`, update),
    toDefinitionRoute('POST', `${base}/update/:name`, `Changes a ${kind}.`, update),
    toDefinitionRoute(
      'GET',
      `${base}/rename/:name`,
      `Shows the form that renames a ${kind}, a field or a relation.`,
      rename,
    ),
    toDefinitionRoute('POST', `${base}/rename/:name`, `Renames a ${kind}, a field or a relation.`, rename),
    toDefinitionRoute('GET', `${base}/export`, `Sends the ${kind}s as JSON.`, toExportStep(kind)),
    toDefinitionRoute('GET', `${base}/import`, `Shows the form that imports ${kind}s.`, bring),
    toDefinitionRoute('POST', `${base}/import`, `Imports ${kind}s.`, bring),
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
export const listOwnerRoutes = (): RouteContribution[] => [
  ...listRoutesOf('schema'),
  ...listRoutesOf('fieldset'),
  toDefinitionRoute('GET', `${toRoom('schema')}/model`, 'Shows the whole model as a drawing.', showDrawing),
];
