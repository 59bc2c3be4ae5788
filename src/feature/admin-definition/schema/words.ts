import { translate } from '../../../core/text/translate.ts';
import type { OwnerKind } from '../owner.ts';

/** Start of the paths of a kind's pages. */
export const toRoom = (kind: OwnerKind): string => `/admin/system/${kind}`;

/** Title of a kind's list. */
export const toListTitle = (kind: OwnerKind): string =>
  kind === 'schema' ? translate('Schemas') : translate('Field sets');

/** The list as the page above another one. */
export const toListCrumb = (kind: OwnerKind) => ({ label: toListTitle(kind), path: `${toRoom(kind)}/search` });
