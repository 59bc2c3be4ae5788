import { memoize } from '../../core/memoize.ts';
import { MOST_LEVELS } from '../../store/read/parse/expand.ts';
import type { Searcher } from '../../store/read/searcher.ts';
import type { Source } from '../../store/read/source/source.ts';

/** The relations of a source of which each row has one, whose columns are in the row itself. */
const listJoined = ({ schema }: Source): string[] =>
  schema.relations.filter(({ kind }) => kind === '1:1').map(({ name }) => name);

/** A source that relations lead to, and the names of the relations on the way, joined by dots. */
interface Way {
  readonly path: string;
  readonly source: Source;
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** All ways from a source through relations; the first is the source itself. */
function listWays(searcher: Searcher, source: Source): Way[] {
  const ways: Way[] = [{ path: '', source }];
  let last = ways.slice();
  for (let level = 0; level < MOST_LEVELS; level += 1) {
    last = last.flatMap(({ path, source: from }) =>
      [...from.relations.values()].map(({ name, target }) => ({
        path: join(path, name),
        source: searcher.source(target),
      })),
    );
    ways.push(...last);
    // Who lists names leaves out what are too many; no need to walk on.
    if (ways.length > MOST_NAMES) break;
  }
  return ways;
}

/** More names are not listed: a document of many relations would grow by all their ways. */
export const MOST_NAMES = 100;

/** The relations that `expand` takes: those of the rows, and of their related rows. */
export function listExpandNames(searcher: Searcher, source: Source): string[] {
  const ways = listWays(searcher, source);
  const joined = ways.flatMap(({ path, source: at }) =>
    path.split('.').length < MOST_LEVELS || path === '' ? listJoined(at).map((name) => join(path, name)) : [],
  );
  return [...new Set([...ways.slice(1).map(({ path }) => path), ...joined])];
}

/** The columns that `fields` takes: those of the rows, and of the related rows that `expand` adds. */
export const listFieldNames = (searcher: Searcher, source: Source): readonly string[] => known(searcher)(source);

const known = memoize((searcher: Searcher) => memoize((source: Source) => findFieldNames(searcher, source)));

function findFieldNames(searcher: Searcher, source: Source): readonly string[] {
  const names = listWays(searcher, source).flatMap(({ path, source: { columns, schema } }) => [
    ...[...columns.keys()].map((name) => join(path, name)),
    ...schema.row.flat
      .filter(({ name }) => columns.has(name))
      .map(({ relation, column }) => join(path, `${relation.name}.${column}`)),
  ]);
  return [...new Set(names)];
}
