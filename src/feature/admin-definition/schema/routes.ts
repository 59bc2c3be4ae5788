import type { RouteContribution } from '../../../plan/feature.ts';
import { showDrawing } from '../drawing/page.ts';
import type { OwnerKind } from '../owner.ts';
import { createDefinitionRoute } from '../room.ts';
import { createUndoRoute } from '../saves.ts';
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
    createDefinitionRoute('GET', `${base}/search`, `Lists the ${kind}s.`, createSearchStep(kind)),
    createDefinitionRoute('GET', `${base}/create`, `Shows the form of a new ${kind}.`, create),
    createDefinitionRoute('POST', `${base}/create`, `Makes a ${kind}.`, create),
    createDefinitionRoute('GET', `${base}/update/:name`, `Shows the form of a ${kind}.`, update),
    createDefinitionRoute('POST', `${base}/update/:name`, `Changes a ${kind}.`, update),
    createDefinitionRoute(
      'GET',
      `${base}/rename/:name`,
      `Shows the form that renames a ${kind}, a field or a relation.`,
      rename,
    ),
    createDefinitionRoute('POST', `${base}/rename/:name`, `Renames a ${kind}, a field or a relation.`, rename),
    createDefinitionRoute('GET', `${base}/export`, `Sends the ${kind}s as JSON.`, createExportStep(kind)),
    createDefinitionRoute('GET', `${base}/import`, `Shows the form that imports ${kind}s.`, bring),
    createDefinitionRoute('POST', `${base}/import`, `Imports ${kind}s.`, bring),
    createDefinitionRoute('GET', `${base}/remove/:name`, `Asks before a ${kind} is removed.`, remove),
    createDefinitionRoute('POST', `${base}/remove/:name`, `Removes a ${kind}.`, remove),
    createDefinitionRoute(
      'POST',
      `${base}/restore/:name`,
      `Restores a ${kind} that was removed here.`,
      createRestoreStep(kind),
    ),
    createUndoRoute(base),
  ];
}

/** Pages for schemas and fieldsets. */
export const listOwnerRoutes = (): RouteContribution[] => [
  ...listRoutesOf('schema'),
  ...listRoutesOf('fieldset'),
  createDefinitionRoute('GET', `${toRoom('schema')}/model`, 'Shows the whole model as a drawing.', showDrawing),
];
