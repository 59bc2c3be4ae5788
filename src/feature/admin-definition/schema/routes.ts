import type { RouteContribution } from '../../../plan/feature.ts';
import { showDrawing } from '../drawing/page.ts';
import type { OwnerKind } from '../owner.ts';
import { toDefinitionRoute } from '../room.ts';
import { toUndoRoute } from '../saves.ts';
import { createCreateStep, createUpdateStep } from './form-page.ts';
import { createRemoveStep } from './remove.ts';
import { createRenameStep } from './rename.ts';
import { createRestoreStep } from './restore.ts';
import { createSearchStep } from './search.ts';
import { createExportStep, createImportStep } from './transfer.ts';
import { toRoom } from './words.ts';

function listRoutesOf(kind: OwnerKind): RouteContribution[] {
  const base = toRoom(kind);
  const remove = createRemoveStep(kind);
  const create = createCreateStep(kind);
  const update = createUpdateStep(kind);
  const rename = createRenameStep(kind);
  const bring = createImportStep(kind);
  return [
    toDefinitionRoute('GET', `${base}/search`, `Lists the ${kind}s.`, createSearchStep(kind)),
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
    toDefinitionRoute('GET', `${base}/export`, `Sends the ${kind}s as JSON.`, createExportStep(kind)),
    toDefinitionRoute('GET', `${base}/import`, `Shows the form that imports ${kind}s.`, bring),
    toDefinitionRoute('POST', `${base}/import`, `Imports ${kind}s.`, bring),
    toDefinitionRoute('GET', `${base}/remove/:name`, `Asks before a ${kind} is removed.`, remove),
    toDefinitionRoute('POST', `${base}/remove/:name`, `Removes a ${kind}.`, remove),
    toDefinitionRoute(
      'POST',
      `${base}/restore/:name`,
      `Restores a ${kind} that was removed here.`,
      createRestoreStep(kind),
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
