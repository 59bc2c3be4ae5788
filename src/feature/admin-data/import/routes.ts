import { createRoute } from '../../../page/exchange.ts';
import type { Facts, RouteContribution } from '../../../plan/feature.ts';
import { postFile, showFile } from './page.ts';
import { postUpload, showUpload } from './upload.ts';

const IMPORT = '/admin/system/model/:schema/import';

/** Bytes of a sent file, also in a project without fields for files. */
const toUploadBytes = ({ settings: { server } }: Facts['model']): number =>
  Math.max(server.bodyBytes, server.uploadBytes);

/** Pages that import rows from a file. */
export const listImportRoutes = ({ model }: Facts): RouteContribution[] => [
  createRoute('GET', IMPORT, 'Takes a file of rows to import.', showUpload),
  {
    ...createRoute('POST', IMPORT, 'Keeps a file, or a piece of one, for a day.', postUpload),
    bodyBytes: toUploadBytes(model),
  },
  createRoute('GET', `${IMPORT}/:file`, 'Maps the keys of a file to columns.', showFile),
  createRoute('POST', `${IMPORT}/:file`, 'Checks a file, or imports it.', postFile),
];
