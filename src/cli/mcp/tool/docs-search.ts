import { findPage, searchDocs } from '../docs/search.ts';
import { createInputError, readText, type Tool } from '../tool.ts';

export const docsSearch: Tool = {
  name: 'docs_search',
  description:
    "Treadle's guides and reference of the installed version. query: the best sections. page: a section or a whole page, as a result names it.",
  inputSchema: {
    type: 'object',
    properties: { query: { type: 'string' }, page: { type: 'string', description: 'such as guide/roles.md#rows' } },
  },
  async run(input) {
    const [query, page] = [readText(input, 'query'), readText(input, 'page')];
    if (page !== undefined) return findPage(page);
    if (query === undefined) throw createInputError('Give either "query" or "page".');
    return { results: searchDocs(query) };
  },
};
