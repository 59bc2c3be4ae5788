/** The calls on the rows of one schema. */
interface Resource {
  /** Primary key of a row; rows get it as `id`, too. */
  readonly key: string;
  readonly search?: string;
  /** Most rows of one page. */
  readonly most?: number;
  readonly detail?: string;
  readonly create?: Write;
  readonly update?: Write;
  readonly remove?: Write;
}

interface Write {
  readonly method: string;
  readonly path: string;
  /** Columns that the body takes. */
  readonly columns: readonly string[];
  /** True if the call changes one version of a row only. */
  readonly needsVersion: boolean;
}

export interface ProviderOptions {
  /** Public address of the site, without a trailing slash. */
  readonly baseUrl?: string;
  /** Access token of a user, or a function that returns one. Needed for user calls. */
  readonly token?: string | (() => string | Promise<string>);
  /** Client id and secret of an app, on a server only. Needed for app calls. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** Thrown if the API answers with an error. The members are those that react-admin and refine read. */
export class ProviderError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly statusCode: number;
  readonly code: string | undefined;
  /** Messages by column. */
  readonly errors: Readonly<Record<string, string>>;
  readonly body: { readonly errors: Readonly<Record<string, string>> };

  constructor(status: number, problem: Readonly<Record<string, unknown>>) {
    super(String(problem.message ?? `The API answered ${status}.`));
    this.status = status;
    this.statusCode = status;
    this.code = typeof problem.code === 'string' ? problem.code : undefined;
    const entries = Object.entries((problem.validation ?? {}) as Record<string, unknown>);
    this.errors = Object.fromEntries(
      entries.map(([column, text]) => [column, typeof text === 'string' ? text : JSON.stringify(text)]),
    );
    this.body = { errors: this.errors };
  }
}

type Values = Readonly<Record<string, unknown>>;
type Id = string | number;

/** Parameters of a search, by their names. */
class Conditions {
  readonly sent: Record<string, string> = {};

  /** @throws TypeError for a second value of a parameter, of which the API would read one only. */
  #set(name: string, value: unknown): void {
    const text = String(value);
    if ((this.sent[name] ?? text) !== text)
      throw new TypeError(`There are two conditions ${name}, and the API reads one: join them, or filter what it answers.`);
    this.sent[name] = text;
  }

  /** Adds a condition: a list is joined with commas; one with a comma in an item is numbered. */
  add(name: string, value: unknown): void {
    if (!Array.isArray(value)) this.#set(name, value);
    else if (!value.some((item) => String(item).includes(','))) this.#set(name, value.join(','));
    else for (const [index, item] of value.entries()) this.#set(`${name}[${index}]`, item);
  }

  /**
   * Adds alternatives, of which a row must meet one; one without a condition is left out.
   *
   * @param fill Adds the conditions of an alternative, each below the prefix.
   * @throws TypeError for what the API does not take: several lists, a list within an alternative, or words in one.
   */
  addAlternatives<Alternative>(
    alternatives: readonly Alternative[],
    fill: (alternative: Alternative, conditions: Conditions, prefix: string) => void,
  ): void {
    if (Object.keys(this.sent).some((name) => name.startsWith('filter[or]')))
      throw new TypeError('A search takes one list of alternatives: "or" stands once, and not within another "or".');
    let index = 0;
    for (const alternative of alternatives) {
      const conditions = new Conditions();
      fill(alternative, conditions, `filter[or][${index}]`);
      const names = Object.keys(conditions.sent);
      if (names.some((name) => !name.startsWith(`filter[or][${index}]`)))
        throw new TypeError('An alternative takes conditions on columns: "q", and another "or", stand beside "or".');
      if (names.length > 0) index += 1;
      Object.assign(this.sent, conditions.sent);
    }
  }
}

interface Search {
  readonly offset: number;
  readonly limit: number;
  /** Column, with `-` before it for descending. */
  readonly sort?: string | undefined;
  /** Conditions by their place, such as `filter[price][gte]`. */
  readonly conditions: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Sends the calls of one access. */
class Rows {
  readonly #options: ProviderOptions;
  readonly #versions = new Map<string, string>();

  constructor(options: ProviderOptions) {
    this.#options = options;
  }

  /** @throws TypeError if the API has no such call on the resource. */
  find<Name extends 'search' | 'detail' | 'create' | 'update' | 'remove'>(
    resource: string,
    name: Name,
  ): { readonly about: Resource; readonly call: NonNullable<Resource[Name]> } {
    const about = RESOURCES[resource];
    if (about === undefined) throw new TypeError(`There is no resource ${resource}: ${Object.keys(RESOURCES).join(', ')}.`);
    const call = about[name];
    if (call === undefined) throw new TypeError(`The resource ${resource} has no ${ACCESS} call for ${name}.`);
    return { about, call };
  }

  async send(method: string, path: string, body?: unknown, more: { version?: string; signal?: AbortSignal | undefined } = {}) {
    const { baseUrl = BASE_URL, token, clientId = '', clientSecret = '' } = this.#options;
    const headers: Record<string, string> = { accept: 'application/json' };
    if (ACCESS === 'user') headers.authorization = `Bearer ${typeof token === 'function' ? await token() : (token ?? '')}`;
    if (ACCESS === 'app')
      headers.authorization = `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)}`;
    if (method !== 'GET') headers['idempotency-key'] = crypto.randomUUID();
    if (more.version !== undefined) headers['if-match'] = more.version;
    const isForm = body instanceof FormData;
    if (body !== undefined && !isForm) headers['content-type'] = 'application/json';
    const sent = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) };
    const init: RequestInit = { method, headers, ...sent, ...(more.signal ? { signal: more.signal } : {}) };
    const answer = await (this.#options.fetch ?? fetch)(`${baseUrl}${path}`, init);
    const data = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
    if (!answer.ok) throw new ProviderError(answer.status, data);
    return { results: (data.results ?? {}) as Record<string, unknown>, etag: answer.headers.get('etag') ?? undefined };
  }

  /** A path with an id; calls that name the row in the query have `?key={id}`. */
  #to(path: string, id: Id): string {
    return path.replace('{id}', encodeURIComponent(String(id)));
  }

  async search<Row>(resource: string, { offset, limit, sort, conditions, signal }: Search): Promise<{ data: Row[]; total: number }> {
    const { about, call } = this.find(resource, 'search');
    const most = about.most ?? limit;
    const data: Row[] = [];
    let total = 0;
    // More rows than one page holds come in several.
    for (let at = offset; at < offset + limit; at += most) {
      const query = new URLSearchParams({ offset: String(at), limit: String(Math.min(most, offset + limit - at)), ...conditions });
      if (sort !== undefined) query.set('sort', sort);
      const { results } = await this.send('GET', `${call}?${query}`, undefined, { signal });
      const rows = results.rows as Values[];
      total = Number(results.total ?? at + rows.length);
      data.push(...rows.map((row) => this.#toRecord<Row>(about, row)));
      if (at + most >= total) break;
    }
    return { data, total };
  }

  async detail<Row>(resource: string, id: Id, signal?: AbortSignal): Promise<Row> {
    const { about, call } = this.find(resource, 'detail');
    const { results, etag } = await this.send('GET', this.#to(call, id), undefined, { signal });
    if (etag !== undefined) this.#versions.set(`${resource}/${id}`, etag);
    return this.#toRecord<Row>(about, results);
  }

  /** The rows of these ids in their order; those that nobody may see are left out. */
  async many<Row>(resource: string, ids: readonly Id[], signal?: AbortSignal): Promise<Row[]> {
    const { about } = this.find(resource, 'search');
    const most = about.most ?? ids.length;
    const found = new Map<string, Row>();
    for (let at = 0; at < ids.length; at += most) {
      const part = ids.slice(at, at + most);
      const conditions = { [`filter[${about.key}][in]`]: part.join(','), total: '0' };
      const { data } = await this.search<Row>(resource, { offset: 0, limit: part.length, conditions, signal });
      for (const row of data) found.set(String((row as { id: Id }).id), row);
    }
    return ids.flatMap((id) => found.get(String(id)) ?? []);
  }

  async create<Row>(resource: string, values: Values): Promise<Row> {
    const { about, call } = this.find(resource, 'create');
    const { results } = await this.send(call.method, call.path, await this.#toBody(call, values));
    return this.#toRecord<Row>(about, results);
  }

  /** @param before The row before the change: columns that are the same are not sent. */
  async update<Row>(resource: string, id: Id, values: Values, before: Values = {}): Promise<Row> {
    const { about, call } = this.find(resource, 'update');
    const isChanged = ([name, value]: [string, unknown]): boolean =>
      !(name in before) || JSON.stringify(value) !== JSON.stringify(before[name]);
    const body = await this.#toBody(call, Object.fromEntries(Object.entries(values).filter(isChanged)));
    const version = await this.#findVersion(resource, id, call);
    const { results, etag } = await this.send(call.method, this.#to(call.path, id), body, version);
    if (etag !== undefined) this.#versions.set(`${resource}/${id}`, etag);
    return this.#toRecord<Row>(about, results);
  }

  async remove<Row>(resource: string, id: Id): Promise<Row> {
    const { about, call } = this.find(resource, 'remove');
    const version = await this.#findVersion(resource, id, call);
    const { results } = await this.send(call.method, this.#to(call.path, id), undefined, version);
    this.#versions.delete(`${resource}/${id}`);
    return this.#toRecord<Row>(about, { [about.key]: id, ...results });
  }

  /** The version that was read last, where the call needs one. */
  async #findVersion(resource: string, id: Id, { needsVersion }: Write): Promise<{ version?: string }> {
    if (!needsVersion) return {};
    if (!this.#versions.has(`${resource}/${id}`)) await this.detail(resource, id);
    const version = this.#versions.get(`${resource}/${id}`);
    return version === undefined ? {} : { version };
  }

  #toRecord<Row>(about: Resource, row: Values): Row {
    return { ...row, id: row[about.key] } as Row;
  }

  async #toBody({ columns }: Write, values: Values): Promise<Record<string, unknown>> {
    const body: Record<string, unknown> = {};
    for (const name of columns) if (name in values) body[name] = await this.#upload(values[name]);
    return body;
  }

  /** A file becomes the address that the upload answers with, also in a list; any other value stays. */
  async #upload(value: unknown): Promise<unknown> {
    if (Array.isArray(value)) return Promise.all(value.map((item) => this.#upload(item)));
    const raw = (value as { rawFile?: unknown } | null | undefined)?.rawFile ?? value;
    if (!(raw instanceof Blob) || UPLOAD === undefined) return value;
    const form = new FormData();
    form.append(UPLOAD.field, raw, raw instanceof File ? raw.name : 'file');
    return (await this.send('POST', UPLOAD.path, form)).results.url;
  }
}
