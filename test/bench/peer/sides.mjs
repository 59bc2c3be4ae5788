// How Treadle and the bare handler are asked for the lines, and what their answers hold.

const JSON_TYPE = { 'content-type': 'application/json' };

/** A request with a body. */
const write = (method, path, values, status) => ({
  method,
  path,
  status,
  ...(values === undefined ? {} : { headers: { ...JSON_TYPE }, body: JSON.stringify(values) }),
});

const toOurColumns = (values) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name === 'author' ? 'author_id' : `article_${name}`,
      typeof value === 'boolean' ? Number(value) : value,
    ]),
  );

const ARTICLE = '/rest/public/article';

function toSearch({ sort, limit, offset, hasTotal, hasAuthor, words, contains, viewsAbove }) {
  const parts = [`limit=${limit}`, `offset=${offset}`, `sort=${sort.replace(/\w+/, 'article_$&')}`];
  if (!hasTotal) parts.push('total=0');
  if (hasAuthor) parts.push('expand=author');
  if (words) parts.push(`q=${words.join('+')}`);
  if (contains) parts.push(`filter[article_title][contains]=${contains}`);
  if (viewsAbove !== undefined) parts.push(`filter[article_published]=1&filter[article_views][gt]=${viewsAbove}`);
  return `${ARTICLE}/search?${parts.join('&')}`;
}

const toOurRow = ({ article_id: id, article_views: views, author_id: author, author: named }) => ({
  id,
  views,
  author,
  ...(named ? { name: named.author_name } : {}),
});

export const TREADLE = {
  name: 'Treadle',
  takes: () => true,
  requests: {
    list: (asked) => ({ path: toSearch(asked) }),
    detail: ({ id, hasAuthor }) => ({ path: `${ARTICLE}/detail/${id}?expand=${hasAuthor ? 'author' : ''}` }),
    create: ({ values }) => write('POST', `${ARTICLE}/create`, toOurColumns(values), 201),
    update: ({ id, values }) => write('PATCH', `${ARTICLE}/update/${id}`, toOurColumns(values)),
    delete: ({ id }) => write('DELETE', `${ARTICLE}/remove/${id}`),
  },
  status: { mixed: [200, 201] },
  /** What a sample's answer holds, to compare it with another side's. */
  toContent: ({ results }) =>
    results.rows === undefined
      ? { rows: [toOurRow(results)] }
      : { rows: results.rows.map(toOurRow), total: results.total },
};

export const BARE = {
  name: 'bare',
  /** What the handler knows: the plain list, a row, and the writes of one statement. */
  takes: ({ title, hasWriter }) =>
    !hasWriter && /^(list, (20 newest, )?(no )?total|row by id|create|update of a number|mixed|delete)/.test(title),
  requests: {
    list: ({ limit, offset, hasTotal }) => ({
      path: `/article?limit=${limit}&offset=${offset}${hasTotal ? '' : '&total=0'}`,
    }),
    detail: ({ id, hasAuthor }) => ({ path: `/article/${id}${hasAuthor ? '/author' : ''}` }),
    create: ({ values }) => write('POST', '/article', toOurColumns(values), 201),
    update: ({ id, values }) => write('PATCH', `/article/${id}`, toOurColumns(values)),
    delete: ({ id }) => write('DELETE', `/article/${id}`),
  },
  status: TREADLE.status,
  toContent: TREADLE.toContent,
};
