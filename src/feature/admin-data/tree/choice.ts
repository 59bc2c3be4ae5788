import { translate } from '../../../core/text/translate.ts';
import type { TreeModel } from '../../../model/model.ts';
import { toRowLabel } from '../../../page/row-label.ts';
import type { FormState } from '../form/form-state.ts';
import type { Link } from '../form/picker.ts';
import { findBelow } from './open.ts';
import type { PlacedRow } from './place.ts';

/** A row to move in its tree. */
export interface OpenMove {
  readonly state: FormState;
  readonly tree: TreeModel;
  readonly link: Link;
  readonly id: number;
  /** The column that sorts the tree, if the viewer may write it. */
  readonly order: string | undefined;
}

/** Where a row goes among those below the same row. After another one it is its id. */
export const [KEEP, START, END, UP, DOWN] = ['keep', 'start', 'end', 'up', 'down'] as const;

/** Rows that a form lists to stand after, and that get new places together. */
const MOST_SIBLINGS = 200;

interface Sibling extends PlacedRow {
  readonly label: string;
}

/** The rows below a row in their order, with the moved one if it is there. */
export interface SiblingList {
  readonly rows: readonly Sibling[];
  /** True if there are more. */
  readonly isCut: boolean;
}

/** Reads the rows below a row; of many the first. @param isLast True for the last one only. */
export async function findSiblings(
  { state, tree, order = '' }: OpenMove,
  under: number | null,
  isLast = false,
): Promise<SiblingList> {
  const { context, schema } = state;
  const more = isLast ? { sort: `-${order}` } : {};
  const limit = isLast ? 1 : MOST_SIBLINGS + 1;
  const { rows } = await findBelow(context, { schema, tree, under, limit, more });
  const all = rows.map((row): Sibling => {
    const place = row[order];
    return {
      id: Number(row[schema.primary]),
      place: typeof place === 'number' ? place : null,
      label: toRowLabel(schema, row),
    };
  });
  return { rows: all.slice(0, MOST_SIBLINGS), isCut: all.length > MOST_SIBLINGS };
}

export const toUnder = (chosen: string): number | null => (/^\d{1,15}$/.test(chosen) ? Number(chosen) : null);

export interface PlaceChoice {
  readonly value: string;
  readonly label: string;
}

/** The places that a form offers below a row. @param chosen Its key, as text. */
export async function listPlaces(move: OpenMove, chosen: string): Promise<PlaceChoice[]> {
  const { rows, isCut } = await findSiblings(move, toUnder(chosen));
  const isThere = String(move.state.start[move.tree.column] ?? '') === chosen;
  const after = rows
    .filter(({ id }) => id !== move.id)
    .map(({ id, label }) => ({ value: String(id), label: translate('After {row}', { row: label }) }));
  return [
    ...(isThere ? [{ value: KEEP, label: translate('Where it is') }] : []),
    { value: START, label: translate('At the beginning') },
    ...(isCut ? [] : after),
    { value: END, label: translate('At the end') },
  ];
}
