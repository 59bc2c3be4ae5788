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

/** Conditions that rows must meet, all of them. The field `q` finds words. @throws TypeError for what the API has no operator for. */
function toConditions(filters: readonly Filter[]): Record<string, string> {
  const conditions: Record<string, string> = {};
  for (const { field, operator, value } of filters) {
    if (operator === 'and' && Array.isArray(value)) {
      Object.assign(conditions, toConditions(value as Filter[]));
      continue;
    }
    const own = OPERATORS[operator];
    if (own === undefined || field === undefined)
      throw new TypeError(`The API has no operator ${operator}: ${Object.keys(OPERATORS).join(', ')}.`);
    const isNull = own === 'null';
    if (!isNull && (value === undefined || value === null || value === '')) continue;
    const key = field === 'q' ? 'q' : `filter[${field}][${own}]`;
    const text = Array.isArray(value) ? value.join(',') : String(value);
    conditions[key] = isNull ? (operator === 'null' ? '1' : '0') : text;
  }
  return conditions;
}

function toSearch({ resource, pagination = {}, sorters = [], filters = [] }: ListParams): Search {
  const { current = 1, currentPage = current, pageSize = 10, mode = 'server' } = pagination;
  const key = RESOURCES[resource]?.key ?? 'id';
  const sort = sorters.map(({ field, order }) => `${order === 'desc' ? '-' : ''}${field === 'id' ? key : field}`).join(',');
  const isPaged = mode === 'server';
  return {
    offset: isPaged ? (currentPage - 1) * pageSize : 0,
    limit: isPaged ? pageSize : Number.MAX_SAFE_INTEGER,
    sort: sort === '' ? undefined : sort,
    conditions: toConditions(filters),
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
