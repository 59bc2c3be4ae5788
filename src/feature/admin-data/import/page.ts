import { PassThrough } from 'node:stream';
import { toLocalText, translate } from '../../../core/text/translate.ts';
import { isRecord } from '../../../model/json/json-value.ts';
import { type Exchange, flash } from '../../../page/exchange.ts';
import { showPage } from '../../../page/frame.ts';
import type { Context } from '../../../plan/feature.ts';
import { findMappingError, guessMapping, type MappedKey, readMapping } from './mapping.ts';
import { type OpenFile, openFile } from './open.ts';
import { type ImportReport, makeReport } from './report.ts';
import { type ImportTask, runImport } from './run.ts';
import { removeFile } from './sql.ts';

type FormValues = Readonly<Record<string, unknown>>;

/** The form of a file: which key fills which column. */
interface FileForm {
  readonly open: OpenFile;
  readonly mapping: readonly MappedKey[];
  readonly skipsBad: boolean;
  readonly fault?: string | undefined;
  readonly report?: ImportReport | undefined;
}

/** Choices of all keys together. Beyond it the keys share one list of columns, so that the page stays small. */
const MOST_CHOICES = 1000;

/** The rows of the form, each with its own choices where there are few of them. */
function listKeys({ open: { fillable }, mapping }: FileForm, isShort: boolean) {
  return mapping.map(({ key, sample, column, unknown }, index) => ({
    index,
    key,
    sample,
    column: unknown ?? column,
    isLeft: column === '',
    choices: isShort ? fillable.map(({ name, label }) => ({ name, label, isChosen: name === column })) : [],
  }));
}

/** Shows which key of a file fills which column. */
export async function showFile(context: Context, exchange: Exchange): Promise<void> {
  const open = await openFile(context, exchange);
  if (open) showForm({ open, mapping: guessMapping(open.schema, open.head, open.fillable), skipsBad: false });
}

function showForm(form: FileForm): void {
  const { open, mapping, skipsBad, fault, report } = form;
  const { context, exchange, schema, base, file, fillable } = open;
  const isShort = mapping.length * fillable.length <= MOST_CHOICES;
  if (fault !== undefined || report?.isStopped === true) exchange.response.setStatus(422);
  showPage(context, exchange, {
    frame: 'admin',
    title: translate('Import {rows}', { rows: schema.plural }),
    crumbs: [
      { label: toLocalText(schema.plural), path: `${base}/search` },
      { label: translate('Import'), path: `${base}/import` },
    ],
    current: base,
    scripts: ['admin-import'],
    template: 'admin/data/import-file',
    data: {
      target: `${base}/import/${file.id}`,
      file: { name: file.name, kilobytes: Math.max(1, Math.round(file.bytes / 1024)), bytes: file.bytes },
      keys: listKeys(form, isShort),
      isShort,
      columns: isShort ? [] : fillable,
      skipsBad,
      fault,
      report,
    },
  });
}

/** Checks a file, imports it, sends its bad rows, or gives it up. */
export async function postFile(context: Context, exchange: Exchange): Promise<void> {
  const open = await openFile(context, exchange);
  if (open === undefined) return;
  const { request, response } = exchange;
  const posted = request.getPost() as FormValues;
  if (posted.action === 'discard') {
    await removeFile(context.services.database, open.file.id);
    return void response.setRedirect(`${open.base}/import`);
  }
  const form = { open, mapping: readMapping(posted.map, open.head, open.fillable), skipsBad: posted.skip === '1' };
  const fault = findMappingError(form.mapping);
  const isTrial = posted.action !== 'import';
  if (String(request.getServer('accept') ?? '').includes('x-ndjson')) return streamImport(form, isTrial, fault);
  if (fault !== undefined) return showForm({ ...form, fault });
  if (posted.action === 'bad') return sendBad(form);
  const report = await makeReport(toTask(form, isTrial));
  if (isTrial || report.isStopped) return showForm({ ...form, report });
  await removeFile(context.services.database, open.file.id);
  flash(exchange, report.summary);
  response.setRedirect(`${open.base}/search`);
}

function toTask({ open, mapping, skipsBad }: FileForm, isTrial: boolean): Omit<ImportTask, 'tellBad'> {
  const { context, schema, file, head } = open;
  return { context, schema, fileId: file.id, isCsv: head.isCsv, mapping, isTrial, skipsBad };
}

/** Opens a streamed answer. What is written after the client left is dropped. */
function openStream({ open }: FileForm, type: string): PassThrough {
  const stream = new PassThrough();
  stream.on('error', () => {});
  open.exchange.response.addHeader('content-type', type).addHeader('cache-control', 'no-store').setStream({ stream });
  return stream;
}

/** Ends a stream with its work; an error of the server is logged and cuts the answer short. */
function finishStream({ open }: FileForm, stream: PassThrough, work: Promise<unknown>): void {
  work.then(
    () => stream.end(),
    (error: unknown) => {
      open.context.services.log.error('import failed', { schema: open.schema.name, error });
      stream.destroy();
    },
  );
}

/** Imports a file while the answer tells the progress, a JSON document per line. The last one has the report as HTML. */
function streamImport(form: FileForm, isTrial: boolean, fault: string | undefined): void {
  const { context, file, base } = form.open;
  const stream = openStream(form, 'application/x-ndjson; charset=utf-8');
  const tell = (line: object): void => void stream.write(`${JSON.stringify(line)}\n`);
  const toHtml = (data: FormValues): string => context.services.views.render('admin', 'data/import-report', data);
  const work = async (): Promise<void> => {
    if (fault !== undefined) return tell({ html: toHtml({ fault }) });
    const tellProgress = (rows: number, bytes: number): void => tell({ rows, bytes });
    const report = await makeReport({ ...toTask(form, isTrial), tellProgress });
    const isDone = !isTrial && !report.isStopped;
    if (isDone) await removeFile(context.services.database, file.id);
    tell({ isDone, html: toHtml({ report, done: isDone ? `${base}/search` : undefined }) });
  };
  finishStream(form, stream, work());
}

/** Sends the rows that are not valid as NDJSON: line, messages by column, and the row. */
function sendBad(form: FileForm): void {
  const name = `${form.open.schema.name}-bad-rows.ndjson`;
  form.open.exchange.response.addHeader('content-disposition', `attachment; filename="${name}"`);
  const stream = openStream(form, 'application/x-ndjson; charset=utf-8');
  const work = runImport({
    ...toTask(form, true),
    tellBad: ({ line, values }, messages) =>
      void stream.write(`${JSON.stringify({ line, messages, row: isRecord(values) ? values : null })}\n`),
  });
  finishStream(form, stream, work);
}
