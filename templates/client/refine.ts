interface Filter {
  readonly field?: string;
  readonly operator: string;
  readonly value: unknown;
}

interface ListParams {
  readonly resource: string;
  /** `current` of refine 4, `currentPage` of refine 5. */
  readonly pagination?: {
    readonly current?: number;
    readonly currentPage?: number;
    readonly pageSize?: number;
    readonly mode?: 'client' | 'server' | 'off';
  };
  readonly sorters?: readonly { readonly field: string; readonly order: 'asc' | 'desc' }[];
  readonly filters?: readonly Filter[];
  readonly meta?: object;
}

/** Operators of refine, as those of the API. */
const OPERATORS: Readonly<Record<string, string>> = {
  ...{ eq: 'eq', ne: 'ne', lt: 'lt', gt: 'gt', lte: 'lte', gte: 'gte', in: 'in', nin: 'nin', between: 'between' },
  ...{ contains: 'contains', startswith: 'starts', endswith: 'ends', null: 'null', nnull: 'null' },
};

/**
 * Adds conditions that rows must meet, all of them; of the filters of an `or` one. The field `q` finds words.
 *
 * @param key The column that a filter calls `id`.
 * @param prefix What stands before a column in brackets.
 * @throws TypeError for what the API has no operator for.
 */
function addConditions(conditions: Conditions, filters: readonly Filter[], key: string, prefix = 'filter'): void {
  for (const { field: given, operator, value } of filters) {
    const field = given === 'id' ? key : given;
    if (operator === 'and' && Array.isArray(value)) {
      addConditions(conditions, value as Filter[], key, prefix);
      continue;
    }
    if (operator === 'or' && Array.isArray(value)) {
      conditions.addAlternatives(value as Filter[], (each, own, at) => addConditions(own, [each], key, at));
      continue;
    }
    const own = OPERATORS[operator];
    if (own === undefined || field === undefined)
      throw new TypeError(`The API has no operator ${operator}: ${Object.keys(OPERATORS).join(', ')}, and, or.`);
    const isNull = own === 'null';
    if (!isNull && (value === undefined || value === null || value === '')) continue;
    const sent = isNull ? (operator === 'null' ? '1' : '0') : value;
    conditions.add(field === 'q' ? 'q' : `${prefix}[${field}][${own}]`, sent);
  }
}

function toSearch({ resource, pagination = {}, sorters = [], filters = [] }: ListParams): Search {
  const { current = 1, currentPage = current, pageSize = 10, mode = 'server' } = pagination;
  const key = RESOURCES[resource]?.key ?? 'id';
  const conditions = new Conditions();
  addConditions(conditions, filters, key);
  const sort = sorters.map(({ field, order }) => `${order === 'desc' ? '-' : ''}${field === 'id' ? key : field}`).join(',');
  const isPaged = mode === 'server';
  return {
    offset: isPaged ? (currentPage - 1) * pageSize : 0,
    limit: isPaged ? pageSize : Number.MAX_SAFE_INTEGER,
    sort: sort === '' ? undefined : sort,
    conditions: conditions.sent,
  };
}

/** A data provider of refine for the calls of one access. The resources are the schemas. */
export function createDataProvider(options: ProviderOptions = {}) {
  const rows = new Rows(options);
  return {
    getApiUrl: (): string => options.baseUrl ?? BASE_URL,

    async getList<Row>(params: ListParams): Promise<{ data: Row[]; total: number }> {
      return rows.search<Row>(params.resource, toSearch(params));
    },

    async getOne<Row>({ resource, id }: { readonly resource: string; readonly id: Id }): Promise<{ data: Row }> {
      return { data: await rows.detail<Row>(resource, id) };
    },

    async getMany<Row>({ resource, ids }: { readonly resource: string; readonly ids: readonly Id[] }): Promise<{ data: Row[] }> {
      return { data: await rows.many<Row>(resource, ids) };
    },

    async create<Row, Given = object>({
      resource,
      variables,
    }: { readonly resource: string; readonly variables: Given }): Promise<{ data: Row }> {
      return { data: await rows.create<Row>(resource, variables as Values) };
    },

    async update<Row, Given = object>({
      resource,
      id,
      variables,
    }: { readonly resource: string; readonly id: Id; readonly variables: Given }): Promise<{ data: Row }> {
      return { data: await rows.update<Row>(resource, id, variables as Values) };
    },

    async deleteOne<Row>({ resource, id }: { readonly resource: string; readonly id: Id }): Promise<{ data: Row }> {
      return { data: await rows.remove<Row>(resource, id) };
    },
  };
}
