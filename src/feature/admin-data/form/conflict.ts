import { toLocalText, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import { toFingerprint, toStoredFingerprint } from '../../../form/fingerprint.ts';
import { toTyped } from '../../../form/typed.ts';
import { toPlain } from '../../../model/format/format-text.ts';
import type { ColumnModel } from '../../../model/model.ts';
import { type FormState, toBases, typedOf } from './form-state.ts';
import { type Link, toKeyFingerprint, toKeyText } from './picker.ts';

/** A column that two people changed, or that the other one changed. */
interface Clash {
  readonly name: string;
  readonly label: string;
  readonly theirs: string;
  readonly mine: string;
}

/** What somebody else saved while a form was open, as `templates/admin/data/conflict.html` shows it. */
export interface ConflictView {
  /** Columns that both changed: the person chooses. */
  readonly both: readonly (Clash & { readonly take: string; readonly error: string | undefined })[];
  /** Columns that only the other one changed: they stay as saved. */
  readonly theirs: readonly Clash[];
}

/** The other person's change, and the form as it goes on from there. */
export interface Conflict {
  readonly view: ConflictView;
  readonly state: FormState;
}

const MOST_CHARACTERS = 4000;

/** What inputs hold as text to read. */
function toReadable(typed: unknown): string {
  const text = typeof typed === 'object' && typed !== null ? JSON.stringify(typed, null, 2) : toPlain(typed);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}

/** A column or a link, seen alike. */
interface Part {
  readonly name: string;
  readonly label: string;
  /** Fingerprint of what the form holds. */
  readonly mine: string;
  /** Fingerprint of what is stored now. */
  readonly now: string;
  readonly clash: Clash;
}

function toColumnPart(state: FormState, column: ColumnModel, row: Row): Part {
  const typed = typedOf(state, column);
  const { name } = column;
  const label = toLocalText(column.label);
  const clash = { name, label, theirs: toReadable(toTyped(column, row[name])), mine: toReadable(typed) };
  return { name, label, mine: toFingerprint(column, typed), now: toStoredFingerprint(column, row[name]), clash };
}

function toLinkPart({ posted = {} }: FormState, { key, label }: Link, row: Row): Part {
  const name = key.column;
  const mine = Object.hasOwn(posted, name) ? posted[name] : row[name];
  const clash = { name, label, theirs: toKeyText(row[name]), mine: toKeyText(mine) };
  return { name, label, mine: toKeyFingerprint(mine), now: toKeyFingerprint(row[name]), clash };
}

/**
 * Compares a form with the row as it is stored now. Gives undefined if nobody changed what the form shows; else the
 * form with the other person's values where only they changed something, and the columns that both changed.
 */
export function findConflict(state: FormState, row: Row, version: string): Conflict | undefined {
  if (version === state.version) return undefined;
  const parts = [
    ...state.columns.map((column) => toColumnPart(state, column, row)),
    ...state.links.map((link) => toLinkPart(state, link, row)),
  ];
  const base = ({ name, now }: Part): string => state.bases[name] ?? now;
  const changed = parts.filter((part) => part.now !== base(part) && part.mine !== part.now);
  if (changed.length === 0) return undefined;
  const isMine = (part: Part): boolean => part.mine !== base(part);
  const theirs = changed.filter((part) => !isMine(part));
  const theirNames = new Set(theirs.map(({ name }) => name));
  const posted = Object.fromEntries(Object.entries(state.posted ?? {}).filter(([name]) => !theirNames.has(name)));
  return {
    view: {
      both: changed.filter(isMine).map(({ clash }) => ({ ...clash, take: '', error: undefined })),
      theirs: theirs.map(({ clash }) => clash),
    },
    state: { ...state, start: row, version, posted, bases: toBases(state, row) },
  };
}

/** The clashes of a posted form that still lack a choice, so that it can be asked again. */
export function findUndecided(
  state: FormState,
  names: readonly string[],
  taken: Readonly<Row>,
): ConflictView | undefined {
  const isDecided = (name: string): boolean => taken[name] === 'mine' || taken[name] === 'theirs';
  if (names.every(isDecided)) return undefined;
  const parts = [
    ...state.columns.map((column) => toColumnPart(state, column, state.start)),
    ...state.links.map((link) => toLinkPart(state, link, state.start)),
  ];
  const both = parts
    .filter(({ name }) => names.includes(name))
    .map(({ clash, name }) => ({
      ...clash,
      take: toPlain(taken[name]),
      error: isDecided(name) ? undefined : translate('Choose which one to keep.'),
    }));
  return { both, theirs: [] };
}
