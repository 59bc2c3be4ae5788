import type { NotedFilter, SearchNote } from '../read/search-note.ts';

const toFilter = ({ name, operator }: NotedFilter): string =>
  `filter[${name}]${operator === 'eq' ? '' : `[${operator}]`}=…`;

/** A search as its query string has it, without values: `filter[article_published]=… sort=-article_views`. */
export function toSearchWords({ schema, filters, sort, hasWords, kind }: SearchNote): string {
  const sorted = sort.map(({ name, isDescending }) => `${isDescending ? '-' : ''}${name}`).join(',');
  const parts = [
    ...(hasWords ? ['q=…'] : []),
    ...new Set(filters.map(toFilter)),
    ...(sorted === '' ? [] : [`sort=${sorted}`]),
  ];
  return [schema, ...(kind === 'rows' ? [] : [`(${kind})`]), ...parts].join(' ');
}
