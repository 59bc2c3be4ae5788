import { ProblemsError } from '../../../core/errors.ts';
import { translate } from '../../../core/text/translate.ts';
import { isRecord } from '../../../model/json/json-value.ts';
import type { Exchange } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { readProject } from '../../../project/read.ts';
import { toText } from '../control.ts';
import { leaveSaved, showForm } from '../form.ts';
import { findOwner, type OwnerKind } from '../owner.ts';
import { type Outcome, proposeValues, readSubmission, submit } from '../submit.ts';
import { toListCrumb, toRoom } from './words.ts';

/** Sends a definition as its file has it (`?name=`), or all of them as one JSON document by name. */
export const createExportStep =
  (kind: OwnerKind) =>
  async (context: Context, { request, response }: Exchange): Promise<void> => {
    const { definitions } = await readProject(context.services.root);
    const name = request.getGet('name');
    if (typeof name === 'string' && findOwner(definitions, { kind, name, response }) === undefined) return;
    const all = Object.fromEntries([...definitions[kind]].map(([key, { value }]) => [key, value]));
    const text = typeof name === 'string' ? definitions[kind].get(name)?.text : `${JSON.stringify(all, null, 2)}\n`;
    response
      .addHeader('content-type', 'application/json')
      .addHeader('content-disposition', `attachment; filename="${typeof name === 'string' ? name : `${kind}s`}.json"`)
      .addHeader('cache-control', 'no-store')
      .setContent(text);
  };

const refuse = (file: string, message: string): never => {
  throw new ProblemsError([{ code: 'EDIT_TEXT_REFUSED', file, path: '', message }]);
};

/** The definitions in a pasted text: one, a list, or a document by name as the export writes it. */
function readPasted(kind: OwnerKind, text: string) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refuse('JSON', translate('This is not JSON: {fault}', { fault: (error as Error).message }));
  }
  const isOne = isRecord(value) && Array.isArray(value.fields);
  const list = isOne ? [value] : Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
  if (list.length === 0) return refuse('JSON', translate('There is no definition in it.'));
  return list.map((each: unknown, index) => {
    const name = isRecord(each) && typeof each.name === 'string' ? each.name : '';
    if (name === '') return refuse('JSON', translate('Entry {index} has no name.', { index: index + 1 }));
    return { kind, name, value: each };
  });
}

/** The page that reads definitions from JSON: new ones are made, those of the same name are replaced, all or none. */
export const createImportStep =
  (kind: OwnerKind) =>
  async (context: Context, exchange: Exchange): Promise<void> => {
    const { request } = exchange;
    const isPost = request.isMethod('POST');
    const posted = (isPost ? request.getPost() : {}) as Record<string, unknown>;
    const text = toText(posted.text);
    const outcome: Outcome | undefined = isPost
      ? await submit(context, {
          by: exchange,
          submission: readSubmission(posted),
          title: translate('Imported definitions'),
          propose: async () => proposeValues(context, readPasted(kind, text)),
        })
      : undefined;
    if (leaveSaved(exchange, outcome, `${toRoom(kind)}/search`)) return;
    await showForm(context, exchange, {
      title: kind === 'schema' ? translate('Import schemas') : translate('Import field sets'),
      crumbs: [toListCrumb(kind)],
      template: 'definition/import',
      base: toRoom(kind),
      outcome,
      data: { text, back: `${toRoom(kind)}/search` },
    });
  };
