import { toLocalText, translate } from '../../../core/text/translate.ts';
import { type ControlKind, toControlKind } from '../../../form/control-kind.ts';
import { toFieldView } from '../../../form/field.ts';
import { toPlain } from '../../../model/format/format-text.ts';
import type { ColumnModel, SchemaModel } from '../../../model/model.ts';
import { type Exchange, flash } from '../../../page/exchange.ts';
import { showPage } from '../../../page/frame.ts';
import { toRowLabel } from '../../../page/row-label.ts';
import { renderTemplate } from '../../../page/template.ts';
import type { Context } from '../../../plan/feature.ts';
import { type FormState, listEdited, readBases, toBases, typedOf } from '../form/form-state.ts';
import { openRow } from '../form/open.ts';
import { saveChange } from '../form/save.ts';
import { toDataPath } from '../offer.ts';
import { listColumns } from './columns.ts';
import { createSelection, findRows } from './find-rows.ts';
import { mayDetail, openSchema } from './open.ts';
import { readListQuery } from './query.ts';

/** Controls that fit into a cell. The others need the whole form. */
const SMALL: ReadonlySet<ControlKind> = new Set([
  ...(['line', 'area', 'color', 'decimal', 'range', 'stars', 'flag', 'select', 'radios', 'checkboxes'] as const),
]);
/** Types whose text needs an editor of its own. */
const LARGE: ReadonlySet<string> = new Set(['wysiwyg', 'markdown', 'code', 'password']);

/** Whether a column can be edited in place, and for many rows at once. */
const isSmall = (column: ColumnModel): boolean =>
  !LARGE.has(column.field.type) && SMALL.has(toControlKind(column, undefined));

/** The columns of a schema that the viewer may edit in place. */
export const listSmall = (context: Context, schema: SchemaModel): readonly ColumnModel[] =>
  listEdited(context, schema, 'update').columns.filter(isSmall);

interface OpenCell {
  readonly state: FormState;
  readonly id: number;
  readonly column: ColumnModel;
}

async function openCell(context: Context, exchange: Exchange): Promise<OpenCell | undefined> {
  const open = await openRow(context, exchange, 'update');
  if (!open) return undefined;
  const { schema, id, row, version } = open;
  const name = exchange.request.getParameters('column') ?? '';
  const column = listSmall(context, schema).find((known) => known.name === name);
  if (column === undefined) {
    exchange.response.setRedirect(`${toDataPath(schema.name)}/update/${id}`);
    return undefined;
  }
  const columns = [column];
  const bases = toBases({ columns, links: [] }, row);
  const base = { ...open, columns, links: [], action: 'update', start: row } as const;
  if (!exchange.request.isMethod('POST')) return { state: { ...base, version, posted: undefined, bases }, id, column };
  const posted = exchange.request.getPost() as Readonly<Record<string, unknown>>;
  const sent = toPlain(posted._version) || version;
  return { state: { ...base, version: sent, posted, bases: { ...bases, ...readBases(posted) } }, id, column };
}

interface CellError {
  readonly message?: string | undefined;
  readonly error?: unknown;
}

const isPart = ({ request }: Exchange): boolean => request.getGet('part') === '1';

const CELL = 'admin/data/cell';

/** Shows the form of one column of a row: as a page, or for the list's script as a part of one. */
function showCellForm({ state, id, column }: OpenCell, { message, error }: CellError = {}): void {
  const { context, exchange, schema, start } = state;
  const base = toDataPath(schema.name);
  const field = toFieldView(column, {
    typed: typedOf(state, column),
    stored: start[column.name],
    isChange: true,
    error,
  });
  const data = {
    target: `${base}/cell/${id}/${column.name}${isPart(exchange) ? '?part=1' : ''}`,
    back: `${base}/search`,
    csrf: context.services.sessions.formToken(exchange.request),
    version: state.version,
    base: { name: column.name, value: state.bases[column.name] },
    field,
    message,
  };
  if (isPart(exchange)) {
    exchange.response
      .addHeader('content-type', 'text/html; charset=utf-8')
      .addHeader('cache-control', 'no-store')
      .setContent(renderTemplate(context, CELL, data));
    return;
  }
  showPage(context, exchange, {
    frame: 'admin',
    title: translate('Edit {label}', { label: toRowLabel(schema, start) }),
    crumbs: [{ label: toLocalText(schema.plural), path: `${base}/search` }],
    current: base,
    styles: ['form'],
    template: CELL,
    data,
  });
}

export async function showCell(context: Context, exchange: Exchange): Promise<void> {
  const open = await openCell(context, exchange);
  if (open) showCellForm(open);
}

/** Saves one column of a row, if nobody else changed it since the form was opened. */
export async function postCell(context: Context, exchange: Exchange): Promise<void> {
  const open = await openCell(context, exchange);
  if (!open) return;
  const { state, id, column } = open;
  const saved = await saveChange(state, id, new Set());
  if ('conflict' in saved) {
    const theirs = saved.conflict.view.both[0]?.theirs ?? saved.conflict.view.theirs[0]?.theirs ?? '';
    exchange.response.setStatus(412);
    const text = translate('Somebody else saved "{theirs}" here in the meantime. Save once more to replace it.', {
      theirs,
    });
    return showCellForm({ ...open, state: { ...saved.conflict.state, posted: state.posted } }, { message: text });
  }
  if ('fault' in saved) {
    exchange.response.setStatus(saved.fault.status);
    const error = saved.fault.errors[column.name];
    return showCellForm(open, { error, message: error === undefined ? saved.fault.message : undefined });
  }
  if (isPart(exchange)) return answerCell(context, exchange, id, column.name);
  flash(exchange, translate('Saved.'));
  exchange.response.setRedirect(`${toDataPath(state.schema.name)}/search`);
}

/** Answers the new HTML of a cell. */
async function answerCell(context: Context, exchange: Exchange, id: number, name: string): Promise<void> {
  const open = openSchema(context, exchange);
  if (open === undefined) return;
  const { schema, source } = open;
  const isOpen = (other: SchemaModel): boolean => mayDetail(context, other);
  const column = listColumns(context, { model: context.plan.model, schema, source, isOpen }).find(
    (known) => known.name === name,
  );
  const query = {
    ...readListQuery({ filter: { [schema.primary]: String(id) } }, schema.active),
    removed: 'any',
  } as const;
  const { rows } = await findRows(open, query, createSelection(open, column === undefined ? [] : [column]), {
    total: 0,
  });
  const [row] = rows;
  const html = row === undefined ? '' : (column?.toCell(row, context.services.clock.now()) ?? '');
  const linked =
    open.offer.detail && column?.isPlain === true && html !== '' && exchange.request.getGet('linked') === '1';
  exchange.response
    .addHeader('cache-control', 'no-store')
    .setContent({ html: linked ? `<a href="detail/${id}">${html}</a>` : html });
}
