import { TreadleError } from '../../../core/errors.ts';
import { isSentFile } from '../../../core/request/sent-file.ts';
import { toLocalText, translate } from '../../../core/text/translate.ts';
import { toPlain } from '../../../model/format/format-text.ts';
import type { Exchange } from '../../../page/exchange.ts';
import { showPage } from '../../../page/frame.ts';
import type { Context } from '../../../plan/feature.ts';
import { readHead } from './mapping.ts';
import { type OpenImport, openImport } from './open.ts';
import { addContent, addFile, findFile, hasRoom, readContent, removeFile } from './sql.ts';

/** Bytes that the page's script sends at once, so that a file may be larger than a request. */
const MOST_PIECE = 4 * 2 ** 20;

/** Shows the page that takes a file. */
export async function showUpload(context: Context, exchange: Exchange): Promise<void> {
  const open = openImport(context, exchange);
  if (open) showForm(open, undefined);
}

function showForm({ context, exchange, schema, base, fillable }: OpenImport, fault: string | undefined): void {
  const { uploadBytes } = context.plan.model.settings.server;
  if (fault !== undefined) exchange.response.setStatus(422);
  showPage(context, exchange, {
    frame: 'admin',
    title: translate('Import {rows}', { rows: schema.plural }),
    crumbs: [{ label: toLocalText(schema.plural), path: `${base}/search` }],
    current: base,
    scripts: ['admin-import'],
    template: 'admin/data/import',
    data: {
      base,
      fault,
      fillable,
      megabytes: Math.floor(uploadBytes / 2 ** 20),
      piece: Math.min(MOST_PIECE, Math.floor(uploadBytes / 2)),
    },
  });
}

/** Takes a file, or a piece of one, and leads to its page when it is whole. */
export async function postUpload(context: Context, exchange: Exchange): Promise<void> {
  const open = openImport(context, exchange);
  if (open === undefined) return;
  const { request, response } = exchange;
  const { database, clock } = context.services;
  const sent = request.getFiles('file');
  if (!isSentFile(sent) || sent.bytes === 0) return showForm(open, translate('Choose a file that is not empty.'));
  const isLast = toPlain(request.getPost('more')) !== '1';
  const known = Number(toPlain(request.getPost('import')));
  const begun = known > 0 ? await findFile(database, open.owner, known, false) : undefined;
  if (known > 0 && begun === undefined)
    return void response.setStatus(404).setError(true, translate('The file was given up.'));
  const name = toPlain(request.getPost('name')) || sent.name;
  const id = begun?.id ?? (await addFile(database, open.owner, name, clock.now()));
  if (!(await hasRoom(database, open.owner.authId, sent.buffer.length))) {
    await removeFile(database, id);
    return showForm(
      open,
      translate('Too many files wait for their import. Import or discard one, or try again later.'),
    );
  }
  await addContent(database, id, sent.buffer, isLast);
  if (!isLast) return void response.setContent({ import: id });
  const fault = await findUploadError(context, id);
  if (fault === undefined) return void response.setRedirect(`${open.base}/import/${id}`);
  await removeFile(database, id);
  showForm(open, fault);
}

/** Why a file cannot be read; undefined if its beginning can. */
async function findUploadError({ services }: Context, id: number): Promise<string | undefined> {
  try {
    const { keys } = await readHead(readContent(services.database, id));
    return keys.length === 0 ? translate('The file has no rows.') : undefined;
  } catch (error) {
    if (!(error instanceof TreadleError) || error.code !== 'IMPORT_FILE_BROKEN') throw error;
    return error.message;
  }
}
