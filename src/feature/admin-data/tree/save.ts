import { translate } from '../../../core/text/translate.ts';
import { chosenOf, type FormState, type SaveError } from '../form/form-state.ts';
import { emitModel } from '../form/open.ts';
import { saveChange } from '../form/save.ts';
import { DOWN, END, findSiblings, KEEP, type OpenMove, START, toUnder, UP } from './choice.ts';
import { findPlaces, type PlacedRow, type Places } from './place.ts';

type Failure = { readonly fault: SaveError } | { readonly conflict: FormState };
type MoveResult = { readonly isChanged: boolean; readonly under: number | null } | Failure;

/** Thrown to take back what a refused move has written. */
class MoveError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super('The row was not moved.');
    this.failure = failure;
  }
}

const refuse = (message: string, status = 422): never => {
  throw new MoveError({ fault: { status, message, errors: {} } });
};

/** The index of a place among the rows below the same row, without the moved one. */
function findIndex(place: string, rows: readonly PlacedRow[], own: number): number {
  const others = rows.filter(({ id }) => id !== own);
  const at = rows.findIndex(({ id }) => id === own);
  if (place === START) return 0;
  if (place === UP || place === DOWN) {
    if (at < 0) refuse(translate('Rows moved in the meantime. Look where they are now, and try again.'), 409);
    return Math.max(0, Math.min(others.length, place === UP ? at - 1 : at + 1));
  }
  if (place === END) return others.length;
  const after = others.findIndex(({ id }) => String(id) === place);
  if (after < 0)
    refuse(translate('The row that it shall stand after is not there. Choose a place below the chosen row.'));
  return after + 1;
}

/** The places once the row is where it shall be; undefined if it keeps its own. @throws MoveError */
async function findMoved(move: OpenMove, place: string): Promise<Places | undefined> {
  const { state, tree, id } = move;
  const chosen = chosenOf(state, tree.column);
  const isThere = String(state.start[tree.column] ?? '') === chosen;
  if (place === KEEP && isThere) return undefined;
  const wanted = place === KEEP ? END : place;
  const under = toUnder(chosen);
  const list = await findSiblings(move, under);
  if (list.isCut && wanted === END) {
    const { rows } = await findSiblings(move, under, true);
    return findPlaces(rows, rows.length);
  }
  const index = findIndex(wanted, list.rows, id);
  const others = list.rows.filter((row) => row.id !== id);
  const places = findPlaces(others, index);
  if (list.isCut && places.others.size > 0)
    refuse(translate('There are too many rows to number them anew. Change the numbers of some of them first.'));
  // What is pressed at the beginning or the end changes nothing.
  return index === list.rows.findIndex((row) => row.id === id) && isThere ? undefined : places;
}

/** Writes a move: the row by its form, and the neighbours that need other places. @throws MoveError */
async function write({ state, tree, id, order }: OpenMove, places: Places | undefined): Promise<MoveResult> {
  const { context, schema } = state;
  const own = places === undefined || order === undefined ? {} : { [order]: String(places.own) };
  const moved = { ...state, posted: { ...state.posted, ...own } };
  const saved = await saveChange(moved, id, new Set());
  if ('conflict' in saved) throw new MoveError({ conflict: saved.conflict.state });
  if ('fault' in saved) throw new MoveError(saved);
  for (const [other, place] of places?.others ?? []) {
    const stage = { schema: schema.name, [schema.primary]: other, [order ?? '']: place };
    const response = await emitModel(context, 'system-model-update', stage);
    if (response.isError()) refuse(response.getMessage() ?? '', response.getStatus());
  }
  return { isChanged: saved.isChanged, under: toUnder(chosenOf(state, tree.column)) };
}

/** Moves a row, if nobody else moved it since the form was opened: all or nothing. */
export async function saveMove(move: OpenMove, place: string): Promise<MoveResult> {
  const { database } = move.state.context.services;
  try {
    return await database.transaction(async () =>
      write(move, move.order === undefined ? undefined : await findMoved(move, place)),
    );
  } catch (error) {
    if (error instanceof MoveError) return error.failure;
    throw error;
  }
}
