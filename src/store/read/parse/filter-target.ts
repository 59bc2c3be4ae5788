import { toDidYouMean } from '../../../core/text/suggest.ts';
import type { RelatedKeys, SourceColumn } from '../source/source.ts';
import { type Draft, describeColumn } from './draft.ts';
import { toJsonPath } from './json-path.ts';

/** What a filter's name refers to. */
export interface FilterTarget {
  /** Undefined if the name is a relation: the condition asks whether a related row exists. */
  readonly column: SourceColumn | undefined;
  readonly within?: RelatedKeys;
  /** True for the id of a related row: it supports only `eq` and `in`. */
  readonly isLink?: boolean;
  /** Path within a JSON column, in the databases' syntax. */
  readonly path?: string;
}

/** Splits a name at its first dot. */
function split(name: string): [string, string | undefined] {
  const dot = name.indexOf('.');
  return dot < 0 ? [name, undefined] : [name.slice(0, dot), name.slice(dot + 1)];
}

type ColumnScope = Pick<Draft, 'source' | 'isRule'>;

function findPlain(name: string, { source, isRule }: ColumnScope): FilterTarget | undefined {
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

/** Adds the path within a JSON column; undefined if the column holds no JSON or the path is invalid. */
function withPath(place: FilterTarget, rest: string | undefined): FilterTarget | undefined {
  if (rest === undefined) return place;
  const path = place.column?.type === 'json' ? toJsonPath(rest.split('.')) : undefined;
  return path === undefined ? undefined : { ...place, path };
}

/** Resolves a filter's name: a column, `column.key` within JSON, an id of related rows, or `relation.column`. */
export function findPlace(name: string, scope: ColumnScope): FilterTarget | undefined {
  const [head, rest] = split(name);
  const plain = findPlain(head, scope);
  if (plain) return withPath(plain, rest);
  const within = scope.source.related.get(head);
  if (!within) return undefined;
  if (rest === undefined) return { column: undefined, within };
  const [inner, path] = split(rest);
  const column = within.columns.get(inner);
  return column && withPath({ column, within }, path);
}

/** As {@link findPlace}, but with the columns that the view hides: for filters set by code. */
export function findHidden(name: string, { source, isRule }: ColumnScope): FilterTarget | undefined {
  return source.whole && findPlace(name, { source: source.whole, isRule });
}

/**
 * Why a request cannot filter by this name, with the remedy. `hidesBack` keeps relations that only point back
 * here out of the message.
 */
export function describePlace(name: string, draft: Draft, hidesBack: boolean): string {
  const { source } = draft;
  const [head, rest] = split(name);
  const shown = name.slice(0, 64);
  const plain = findPlain(head, draft);
  if (plain && rest !== undefined && !(hidesBack && plain.within?.isBack)) {
    if (plain.column?.type !== 'json') return `"${shown}" does not exist: ${head.slice(0, 64)} is not JSON.`;
    return `"${shown}" is not a valid path: separate keys by dots, at most 8, without quotes, brackets or backslashes.`;
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
