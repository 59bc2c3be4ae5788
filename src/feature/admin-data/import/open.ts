import { getAccess } from '../../../core/access.ts';
import { translate } from '../../../core/text/translate.ts';
import type { SchemaModel } from '../../../model/model.ts';
import type { Exchange } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { findSchema } from '../find-schema.ts';
import { toDataPath } from '../offer.ts';
import { type FileHead, type ImportTarget, listFillable, readHead } from './mapping.ts';
import { findFile, type ImportFile, type ImportOwner, readContent } from './sql.ts';

/** A schema that somebody imports rows of. */
export interface OpenImport {
  readonly context: Context;
  readonly exchange: Exchange;
  readonly schema: SchemaModel;
  readonly owner: ImportOwner;
  readonly base: string;
  readonly fillable: readonly ImportTarget[];
}

/** A sent file with its keys. */
export interface OpenFile extends OpenImport {
  readonly file: ImportFile;
  readonly head: FileHead;
}

/** Opens the schema that the path names. Answers 404 or 403 and gives undefined otherwise. */
export function openImport(context: Context, exchange: Exchange): OpenImport | undefined {
  const schema = findSchema(context, exchange);
  if (schema === undefined) return undefined;
  const { name } = schema;
  const access = getAccess();
  if (access.grant(name, 'import') === undefined || access.authId === undefined) {
    exchange.response
      .setStatus(403)
      .setError(true, translate('Your role may not import {rows}.', { rows: schema.plural }));
    return undefined;
  }
  const owner = { authId: access.authId, schema: name };
  return { context, exchange, schema, owner, base: toDataPath(name), fillable: listFillable(schema, access) };
}

/** Opens the file that the path names. Answers 404 and gives undefined otherwise. @throws IMPORT_FILE_BROKEN */
export async function openFile(context: Context, exchange: Exchange): Promise<OpenFile | undefined> {
  const open = openImport(context, exchange);
  if (open === undefined) return undefined;
  const { database } = context.services;
  const text = exchange.request.getParameters('file') ?? '';
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  const file = await findFile(database, open.owner, id, true);
  if (file === undefined) {
    const message = translate('This file is no longer there: it was imported, or is older than a day. Send it again.');
    exchange.response.setStatus(404).setError(true, message);
    return undefined;
  }
  return { ...open, file, head: await readHead(readContent(database, file.id)) };
}
