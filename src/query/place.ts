import { toDidYouMean } from '../core/suggest.ts';
import { type Draft, describeColumn } from './draft.ts';
import { toJsonPath } from './json-path.ts';
import type { SourceColumn } from './source-column.ts';
import type { SourceRelated } from './source-related.ts';

/** What a name in a filter leads to. */
export interface Place {
  /** Undefined where the relation itself is named: whether there is a related row. */
  readonly column: SourceColumn | undefined;
  readonly within?: SourceRelated;
  /** The id of a related row: only `eq` and `in` can be asked of it. */
  readonly isLink?: boolean;
  /** Path within a JSON column, as the databases write it. */
  readonly path?: string;
}

/** The part of a name before its first dot, and the rest. */
function split(name: string): [string, string | undefined] {
  const dot = name.indexOf('.');
  return dot < 0 ? [name, undefined] : [name.slice(0, dot), name.slice(dot + 1)];
}

type Asking = Pick<Draft, 'source' | 'isRule'>;

function findPlain(name: string, { source, isRule }: Asking): Place | undefined {
  const column = source.filterable.get(name);
  if (column) return { column };
  const own = isRule ? source.columns.get(name) : undefined;
  if (own?.alias === 't') return { column: own };
  const flat = source.flat.get(name);
  if (flat) return flat;
  const link = source.links.get(name);
  if (!link) return undefined;
  return { column: link.columns.get(name), within: link, isLink: true };
}

/** With the path after a JSON column's name; undefined where the column is none or the path is no path. */
function withPath(place: Place, rest: string | undefined): Place | undefined {
  if (rest === undefined) return place;
  const path = place.column?.type === 'json' ? toJsonPath(rest.split('.')) : undefined;
  return path === undefined ? undefined : { ...place, path };
}

/** Finds what a filter's name means: a column, `column.key` within JSON, an id or `relation.column` of related rows. */
export function findPlace(name: string, asking: Asking): Place | undefined {
  const [head, rest] = split(name);
  const plain = findPlain(head, asking);
  if (plain) return withPath(plain, rest);
  const within = asking.source.related.get(head);
  if (!within) return undefined;
  if (rest === undefined) return { column: undefined, within };
  const [inner, path] = split(rest);
  const column = within.columns.get(inner);
  return column && withPath({ column, within }, path);
}

/** As {@link findPlace}, among the columns that the view hides too: for what code asks. */
export function findHidden(name: string, { source, isRule }: Asking): Place | undefined {
  return source.whole && findPlace(name, { source: source.whole, isRule });
}

/** Why a request's filter cannot ask this name, with the remedy. `hidesBack`: relations that only lead here are not told of. */
export function describePlace(name: string, draft: Draft, hidesBack: boolean): string {
  const { source } = draft;
  const [head, rest] = split(name);
  const shown = name.slice(0, 64);
  const plain = findPlain(head, draft);
  if (plain && rest !== undefined && !(hidesBack && plain.within?.isBack)) {
    if (plain.column?.type !== 'json') return `"${shown}" is not there: ${head.slice(0, 64)} holds no JSON.`;
    return `"${shown}" is not a path: keys are parted by dots, 8 at most, and have no quotes, brackets and backslashes.`;
  }
  const within = source.related.get(head);
  if (within && rest !== undefined && !(hidesBack && within.isBack)) {
    const names = [...within.columns.keys()].map((column) => `${head}.${column}`);
    return `"${shown}" is not filterable. ${toDidYouMean(name, names)}`;
  }
  const links = [...source.links].filter(([, { isBack }]) => !(hidesBack && isBack));
  const usable = new Map<string, unknown>([...source.filterable, ...source.flat, ...links]);
  return describeColumn(name, source, usable, 'filterable');
}
