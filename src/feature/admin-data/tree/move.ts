import { toLocalText, translate } from '../../../core/text/translate.ts';
import { toPlain } from '../../../model/filter/plain.ts';
import { type Exchange, flash, toHere } from '../../../page/exchange.ts';
import { showPage } from '../../../page/frame.ts';
import { toRowLabel } from '../../../page/row-label.ts';
import type { Context } from '../../../plan/feature.ts';
import { toRowPath } from '../form/choice.ts';
import { chosenOf, type FormState, listEdited, readBases, toBases } from '../form/form-state.ts';
import { openRow } from '../form/open.ts';
import { createPickerView, type Link } from '../form/picker.ts';
import { toDataPath } from '../offer.ts';
import { END, KEEP, listPlaces, type OpenMove, type PlaceChoice } from './choice.ts';
import { findOpenTree, findOrder, toAddress, toTreeQuery } from './open.ts';
import { saveMove } from './save.ts';

/** Opens the form that moves a row. Answers 403 or 404 and gives undefined if the viewer may not. */
async function openMove(context: Context, exchange: Exchange): Promise<OpenMove | undefined> {
  const open = await openRow(context, exchange, 'update');
  const tree = open && findOpenTree(open.schema, exchange);
  if (open === undefined || tree === undefined) return undefined;
  const { schema, id, row } = open;
  const edited = listEdited(context, schema, 'update');
  const link = edited.links.find(({ key }) => key.column === tree.column);
  if (link === undefined) {
    const rows = toLocalText(schema.plural);
    exchange.response.setStatus(403).setError(true, translate('Your role does not allow this for {rows}.', { rows }));
    return undefined;
  }
  const order = findOrder(schema, tree);
  const columns = edited.columns.filter(({ name }) => name === order);
  const posted = exchange.request.isMethod('POST') ? (exchange.request.getPost() as FormState['posted']) : undefined;
  const bases = { ...toBases({ columns, links: [link] }, row), ...(posted === undefined ? {} : readBases(posted)) };
  // Only the place in the tree counts as changed meanwhile, so no version is compared.
  const state: FormState = {
    ...open,
    columns,
    links: [link],
    action: 'update',
    start: row,
    version: '',
    posted,
    bases,
  };
  return { state, tree, link, id, order: columns[0]?.name };
}

interface MoveMessages {
  readonly message?: string | undefined;
  readonly error?: string | undefined;
}

const toPlaceOptions = (choices: readonly PlaceChoice[], chosen: string) =>
  choices.map((choice) => ({ ...choice, isChosen: choice.value === chosen }));

const toPicked = ({ posted }: FormState, { key }: Link): string => {
  const find = posted?._find;
  return typeof find === 'object' && find !== null ? toPlain((find as Record<string, unknown>)[key.column]) : '';
};

/** Shows the form. */
async function showMoveForm(move: OpenMove, { message, error }: MoveMessages = {}): Promise<void> {
  const { state, tree, link, id, order } = move;
  const { context, exchange, schema, start } = state;
  const base = toDataPath(schema.name);
  const chosen = chosenOf(state, tree.column);
  const isSame = chosen === toPlain(start[tree.column] ?? '');
  const picker = await createPickerView({ context, link, chosen, q: toPicked(state, link), error });
  const places = order === undefined ? [] : await listPlaces(move, chosen);
  const posted = toPlain(state.posted?.place);
  const isThere = places.some(({ value }) => value === posted);
  const label = toRowLabel(schema, start);
  const data = {
    action: toHere(exchange.request),
    bases: Object.entries(state.bases).map(([name, value]) => ({ name, value })),
    message,
    picker: { ...picker, isOpen: true, label: translate('Below') },
    places: toPlaceOptions(places, isThere ? posted : isSame ? KEEP : END),
    cancel: toAddress(`${base}/tree`, toTreeQuery(schema, tree)),
  };
  showPage(context, exchange, {
    frame: 'admin',
    title: translate('Move {row}', { row: label }),
    crumbs: [
      { label: toLocalText(schema.plural), path: `${base}/search` },
      { label, path: toRowPath(schema, id) },
    ],
    current: base,
    scripts: ['form'],
    styles: ['form'],
    template: 'admin/data/move',
    data,
  });
}

export async function showMove(context: Context, exchange: Exchange): Promise<void> {
  const move = await openMove(context, exchange);
  if (move) await showMoveForm(move);
}

/** Moves a row, or shows the form again. */
export async function postMove(context: Context, exchange: Exchange): Promise<void> {
  const move = await openMove(context, exchange);
  if (!move) return;
  const { state, tree } = move;
  const { schema } = state;
  // A button that searches, or that shows the places below another row.
  if (toPlain(state.posted?._do) !== '') return showMoveForm(move);
  const saved = await saveMove(move, toPlain(state.posted?.place) || END);
  if ('conflict' in saved) {
    exchange.response.setStatus(412);
    const message = translate('Somebody else moved this row in the meantime. Move it once more to have it as you say.');
    return showMoveForm({ ...move, state: { ...saved.conflict, posted: state.posted } }, { message });
  }
  if ('fault' in saved) {
    const { status, message, errors } = saved.fault;
    exchange.response.setStatus(status);
    const error = errors[tree.column];
    return showMoveForm(move, typeof error === 'string' ? { error } : { message });
  }
  flash(exchange, saved.isChanged ? translate('Moved.') : translate('It is there already.'));
  // The buttons of a tree lead back to where they are.
  const at = state.posted?._under === undefined ? String(saved.under ?? '') : toPlain(state.posted._under);
  exchange.response.setRedirect(
    toAddress(`${toDataPath(schema.name)}/tree`, toTreeQuery(schema, tree), /^\d+$/.test(at) ? `under=${at}` : ''),
  );
}
