/** A part of a cell: a text, code, or a badge. */
export interface Piece {
  readonly text: string;
  readonly isCode?: boolean;
  /** Class of a badge's colour; empty for the plain one. */
  readonly badge?: string;
}

/** A line of a list. */
export interface ListRow {
  readonly href: string;
  readonly title: string;
  /** Below the title. */
  readonly name: string;
  readonly cells: readonly (readonly Piece[])[];
  /** Further words that the list's search finds it by. */
  readonly words?: string;
}

export const code = (text: string): Piece => ({ text, isCode: true });
export const badge = (text: string, tone = ''): Piece => ({ text, badge: tone });
export const plain = (text: string): Piece => ({ text });
