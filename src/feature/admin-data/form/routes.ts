import { holdsFiles } from '../../../model/field/field-kind.ts';
import { createRoute, type Step } from '../../../page/exchange.ts';
import type { Facts, RouteContribution } from '../../../plan/feature.ts';
import { postRemove, postRestore, showDetail, showRemove, showRestore } from './detail.ts';
import { postCopy, postCreate, postUpdate, showCopy, showCreate, showUpdate } from './edit.ts';
import { postLink, postUnlink, showLink } from './link.ts';
import { answerPick } from './pick.ts';

const MODEL = '/admin/system/model/:schema';
const RELATION = '/admin/system/model/:schema1/:id';

/** Bytes of a posted form without files: a row may hold long texts. */
const FORM_BYTES = 8 * 2 ** 20;

/** Pages of one row: forms, detail, removal and links. */
export function listFormRoutes({ model }: Facts): RouteContribution[] {
  const takesFiles = [...model.schemas.values()].some(({ columns }) => columns.some(holdsFiles));
  const bodyBytes = Math.max(FORM_BYTES, model.settings.server.bodyBytes);
  const toSave = (path: string, description: string, step: Step): RouteContribution => ({
    ...createRoute('POST', path, description, step),
    bodyBytes,
    takesFiles,
  });
  return [
    createRoute('GET', `${MODEL}/create`, 'The form of a new row.', showCreate),
    toSave(`${MODEL}/create`, 'Creates a row.', postCreate),
    createRoute('GET', `${MODEL}/copy/:id`, 'The form of a new row with the values of another one.', showCopy),
    toSave(`${MODEL}/copy/:id`, 'Creates a row from the values of another one.', postCopy),
    createRoute('GET', `${MODEL}/detail/:id`, 'A row with its relations.', showDetail),
    createRoute('GET', `${MODEL}/update/:id`, 'The form of a row.', showUpdate),
    toSave(`${MODEL}/update/:id`, 'Saves what was changed in a row; 412 if somebody else saved first.', postUpdate),
    createRoute('GET', `${MODEL}/remove/:id`, 'Asks before a row is removed.', showRemove),
    createRoute('POST', `${MODEL}/remove/:id`, 'Removes a row.', postRemove),
    createRoute('GET', `${MODEL}/restore/:id`, 'Asks before a removed row is restored.', showRestore),
    createRoute('POST', `${MODEL}/restore/:id`, 'Restores a removed row.', postRestore),
    createRoute('GET', `${MODEL}/pick`, 'Rows that match words, as JSON, to choose one.', answerPick),
    createRoute('GET', `${RELATION}/link/:schema2`, 'Chooses a row to link.', showLink),
    createRoute('POST', `${RELATION}/link/:schema2`, 'Links two rows.', postLink),
    createRoute('POST', `${RELATION}/unlink/:schema2/:id2`, 'Removes the link of two rows.', postUnlink),
  ];
}
