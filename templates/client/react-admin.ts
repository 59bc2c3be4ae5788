interface ListParams {
  readonly pagination?: { readonly page: number; readonly perPage: number };
  readonly sort?: { readonly field: string; readonly order: 'ASC' | 'DESC' };
  readonly filter?: Values;
  readonly signal?: AbortSignal;
}

const OPERATORS = ['ne', 'gt', 'gte', 'lt', 'lte', 'contains', 'starts', 'ends', 'in', 'nin', 'between', 'has', 'null', 'below', 'above'];

/**
 * Adds the conditions of a filter, whose forms nest names at dots: `{ price: { gte: 5 } }`, `{ author: { name: 'Ann' } }`, and
 * `q` for words. A list finds rows with any of its values; `or` is a list of filters, of which a row must meet one.
 *
 * @param key The column that a filter calls `id`.
 * @param prefix What stands before a column in brackets.
 */
function addConditions(
  conditions: Conditions,
  filter: Values,
  { key, prefix = 'filter', path = [] }: { readonly key: string; readonly prefix?: string; readonly path?: readonly string[] },
): void {
  for (const [given, value] of Object.entries(filter)) {
    const isFirst = path.length === 0;
    const name = isFirst && given === 'id' ? key : given;
    const place = [...path, name];
    if (value === undefined || value === null || value === '') continue;
    if (isFirst && name === 'or' && Array.isArray(value)) {
      conditions.addAlternatives(value as Values[], (each, own, at) => addConditions(own, each, { key, prefix: at }));
      continue;
    }
    if (typeof value === 'object' && !Array.isArray(value)) {
      addConditions(conditions, value as Values, { key, prefix, path: place });
      continue;
    }
    const isOperator = !isFirst && OPERATORS.includes(name);
    const column = (isOperator ? path : place).join('.');
    const operator = isOperator ? name : Array.isArray(value) ? 'in' : undefined;
    const condition = `${prefix}[${column}]${operator === undefined ? '' : `[${operator}]`}`;
    conditions.add(column === 'q' ? 'q' : condition, value);
  }
}

function toSearch(resource: string, { pagination, sort, filter = {}, signal }: ListParams): Search {
  const { page = 1, perPage = 25 } = pagination ?? {};
  const key = RESOURCES[resource]?.key ?? 'id';
  const conditions = new Conditions();
  addConditions(conditions, filter, { key });
  const column = sort?.field === 'id' ? key : sort?.field;
  return {
    offset: (page - 1) * perPage,
    limit: perPage,
    sort: column === undefined || column === '' ? undefined : `${sort?.order === 'DESC' ? '-' : ''}${column}`,
    conditions: conditions.sent,
    signal,
  };
}

/** A data provider of react-admin 5 for the calls of one access. The resources are the schemas. */
export function createDataProvider(options: ProviderOptions = {}) {
  const rows = new Rows(options);
  return {
    /** react-admin may abort what it no longer needs. */
    supportAbortSignal: true,

    async getList<Row>(resource: string, params: ListParams): Promise<{ data: Row[]; total: number }> {
      return rows.search<Row>(resource, toSearch(resource, params));
    },

    async getOne<Row>(resource: string, params: { readonly id: Id; readonly signal?: AbortSignal }): Promise<{ data: Row }> {
      return { data: await rows.detail<Row>(resource, params.id, params.signal) };
    },

    async getMany<Row>(
      resource: string,
      params: { readonly ids: readonly Id[]; readonly signal?: AbortSignal },
    ): Promise<{ data: Row[] }> {
      return { data: await rows.many<Row>(resource, params.ids, params.signal) };
    },

    async getManyReference<Row>(
      resource: string,
      params: ListParams & { readonly target: string; readonly id: Id },
    ): Promise<{ data: Row[]; total: number }> {
      const filter = { ...params.filter, [params.target]: params.id };
      return rows.search<Row>(resource, toSearch(resource, { ...params, filter }));
    },

    async create<Row>(resource: string, params: { readonly data: object }): Promise<{ data: Row }> {
      return { data: await rows.create<Row>(resource, params.data as Values) };
    },

    async update<Row>(
      resource: string,
      params: { readonly id: Id; readonly data: object; readonly previousData?: object },
    ): Promise<{ data: Row }> {
      const before = params.previousData as Values | undefined;
      return { data: await rows.update<Row>(resource, params.id, params.data as Values, before) };
    },

    async updateMany(resource: string, params: { readonly ids: readonly Id[]; readonly data: object }): Promise<{ data: Id[] }> {
      for (const id of params.ids) await rows.update(resource, id, params.data as Values);
      return { data: [...params.ids] };
    },

    async delete<Row>(resource: string, params: { readonly id: Id }): Promise<{ data: Row }> {
      return { data: await rows.remove<Row>(resource, params.id) };
    },

    async deleteMany(resource: string, params: { readonly ids: readonly Id[] }): Promise<{ data: Id[] }> {
      for (const id of params.ids) await rows.remove(resource, id);
      return { data: [...params.ids] };
    },
  };
}
