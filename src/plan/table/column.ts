import * as z from 'zod';
import { columnToStamp, toStamp } from '../../core/clock.ts';

/** What people read for a state, and the style class of its badge. */
export interface StateLabel {
  readonly label: string;
  readonly tone?: string;
}

/** What a column's name in lists is, and where it shows. */
interface ColumnLabel {
  /** Its heading for people. Without one, no list shows it. */
  readonly label?: string;
  /** Its heading in a command. Default: the label in lower case. */
  readonly line?: string;
  /** The only kind of list that shows it. Default: both. */
  readonly only?: 'page' | 'line';
}

/** A column of one of Treadle's own tables. */
export interface TableColumn extends ColumnLabel {
  /** The column of the database, such as `settled_at`, or `e.type` of a joined table. */
  readonly source: string;
  readonly kind: 'text' | 'number' | 'state' | 'time';
  /** The shape of what answers have, made at first use. */
  readonly shape: () => z.ZodType;
  /** The value in answers, of that in the database. */
  read(value: unknown): unknown;
  /** The value in a line of a command. */
  print(value: unknown): string;
  /** The values that it has, with what people read for them. */
  readonly states?: Readonly<Record<string, StateLabel>>;
}

const printPlain = (value: unknown): string => (value === null || value === undefined ? '' : String(value));
const readNumber = (value: unknown): number | null => (value === null ? null : Number(value));
const same = (value: unknown): unknown => value;

/** A text, or null. */
export const textColumn = (source: string, label: ColumnLabel = {}): TableColumn => ({
  ...{ source, kind: 'text', shape: () => z.string().nullable(), read: same, print: printPlain },
  ...label,
});

/** A whole number, or null. */
export const numberColumn = (source: string, label: ColumnLabel = {}): TableColumn => ({
  ...{ source, kind: 'number', shape: () => z.number().nullable(), read: readNumber, print: printPlain },
  ...label,
});

/** A time as `YYYY-MM-DD HH:MM:SS` in UTC, or null. The database has unix seconds. */
export const timeColumn = (source: string, label: ColumnLabel = {}): TableColumn => ({
  ...{ source, kind: 'time', shape: () => z.string().nullable(), read: columnToStamp, print: printPlain },
  ...label,
});

/** A time in unix seconds, or null. */
export const secondsColumn = (source: string, label: ColumnLabel = {}): TableColumn => ({
  ...{ source, kind: 'time', shape: () => z.number().nullable(), read: readNumber },
  print: (value) => (value === null ? '' : toStamp(Number(value) * 1000)),
  ...label,
});

/** One of several words. */
export const stateColumn = (
  source: string,
  states: Readonly<Record<string, StateLabel>>,
  label: ColumnLabel,
): TableColumn => ({
  ...{ source, kind: 'state', shape: () => z.enum(Object.keys(states)), read: same, print: printPlain, states },
  ...label,
});

/** JSON that the database has as text, or null. */
export const jsonColumn = (source: string, label: ColumnLabel = {}): TableColumn => ({
  ...{
    source,
    kind: 'text',
    shape: () => z.unknown(),
    read: (value) => (typeof value === 'string' ? JSON.parse(value) : null),
  },
  print: (value) => JSON.stringify(value),
  ...label,
});
