/** Body of an error answer. @see RFC 9457 */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly message: string;
  /** Messages by column. */
  readonly validation: Readonly<Record<string, unknown>>;
  /** Each error with its place in the body, as a JSON pointer. */
  readonly errors?: readonly { readonly pointer?: string; readonly detail: string }[];
  readonly code?: string;
  readonly hint?: string;
}

/** Thrown if the API answers with an error. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Name of the call. */
  readonly call: string;
  readonly status: number;
  readonly problem: ProblemBody | undefined;
  /** Id of the request in the server's log. */
  readonly requestId: string | undefined;
  /** Seconds to wait, if the server sends them. */
  readonly retryAfter: number | undefined;
  /** Current version of the row after a 412. */
  readonly etag: string | undefined;

  constructor(call: string, answer: Response, problem: ProblemBody | undefined) {
    super(`${call}: ${answer.status} ${problem?.message ?? answer.statusText}`);
    this.call = call;
    this.status = answer.status;
    this.problem = problem;
    this.requestId = answer.headers.get('x-request-id') ?? undefined;
    this.retryAfter = toSeconds(answer.headers.get('retry-after'));
    this.etag = answer.headers.get('etag') ?? undefined;
  }

  /** The message for a column, or for a path such as `lines.0.name`; undefined without an error there. */
  messageOf(place: string): string | undefined {
    let at: unknown = this.problem?.validation;
    for (const key of place.split('.')) at = (at as Record<string, unknown> | undefined)?.[key];
    return typeof at === 'string' ? at : undefined;
  }
}

/** Tokens of the standard endpoints. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
  readonly scope?: string;
}

export interface ClientOptions {
  /** Public address of the site, without a trailing slash. */
  readonly baseUrl: string;
  /** Access token of a user, or a function that returns one. Needed for user calls. */
  readonly token?: string | (() => string | Promise<string>);
  /** Tokens of a user: the client refreshes them when they expire, and passes the new ones to `onTokens`. */
  readonly tokens?: Tokens;
  readonly onTokens?: (tokens: Tokens) => void | Promise<void>;
  /** Client id of the app. Needed for app calls, and to refresh. */
  readonly clientId?: string;
  /** Client secret of the app. Never use it in a browser. */
  readonly clientSecret?: string;
  /** Number of times that a call is repeated after 429, 503 or a broken connection. Default 2. */
  readonly retries?: number;
  /** Maximum milliseconds to wait before a repeat. Default 60,000. */
  readonly maxWaitMs?: number;
  /** Milliseconds that one attempt may take. Default 30,000. */
  readonly timeoutMs?: number;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** Options of one call, in addition to its parameters and its body. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Key that makes a repeated write happen once. Default: a new one; `false` sends none. */
  readonly idempotencyKey?: string | false;
  /** Expected version of the row; the call fails with 412 if the row has another. */
  readonly ifMatch?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Status and headers of an answer. */
export interface AnswerFacts {
  readonly status: number;
  /** Version of the row, for `ifMatch`. */
  readonly etag: string | undefined;
  readonly requestId: string | undefined;
  /** True if this is the stored answer to an earlier request with the same key. */
  readonly isReplayed: boolean;
}

/** One page of a search. */
export interface Page<Row> {
  readonly rows: Row[];
  /** Rows on all pages; absent with `total: 0`. */
  readonly total?: number;
  /** True if the count stopped at the number that `total` asked for, and there are more rows. */
  readonly total_more?: true;
  /** Value for `after`, if there are rows after this page. */
  readonly next?: string;
  /** Value for `before`, if there may be rows before this page. */
  readonly previous?: string;
}

interface Call {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly access: 'public' | 'app' | 'user';
  /** Media type of a JSON body. */
  readonly type?: string;
}

type Values = Readonly<Record<string, unknown>>;

function toSeconds(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}

/** Waits, or rejects when the signal aborts. */
function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/** `filter: { price: { gte: 5 } }` becomes `filter[price][gte]=5`; a list is joined with commas. */
function appendQuery(query: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) query.append(name, value.join(','));
  else if (typeof value === 'object')
    for (const [key, inner] of Object.entries(value)) appendQuery(query, `${name}[${key}]`, inner);
  else query.append(name, String(value));
}

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
const toBase64Url = (bytes: Uint8Array): string =>
  toBase64(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');

/** Sends calls: credentials, refreshing, retries, errors. */
class Transport {
  readonly options: ClientOptions;
  tokens: Tokens | undefined;
  readonly facts = new WeakMap<object, AnswerFacts>();
  refreshing: Promise<void> | undefined;

  constructor(options: ClientOptions) {
    this.options = options;
    this.tokens = options.tokens;
  }

  async send<Results>(call: Call, parameters: Values, body: unknown, options: CallOptions = {}): Promise<Results> {
    const key = call.method === 'GET' ? false : (options.idempotencyKey ?? crypto.randomUUID());
    let isRefreshed = false;
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= (this.options.retries ?? 2);
      let answer: Response;
      try {
        answer = await this.attempt(call, parameters, body, { ...options, idempotencyKey: key });
      } catch (error) {
        // A write without a key may have happened even if its answer was lost.
        if (isLast || options.signal?.aborted || (call.method !== 'GET' && key === false)) throw error;
        await wait(2 ** attempt * 200, options.signal);
        continue;
      }
      if (answer.ok) return this.read<Results>(answer);
      const problem = (await answer.json().catch(() => undefined)) as ProblemBody | undefined;
      const failure = new ApiError(call.name, answer, problem);
      if (answer.status === 401 && call.access === 'user' && this.tokens?.refreshToken && !isRefreshed) {
        isRefreshed = true;
        attempt -= 1;
        await this.refresh();
        continue;
      }
      const isBusy = answer.status === 429 || answer.status === 503 || (answer.status === 409 && failure.retryAfter);
      const waiting = (failure.retryAfter ?? 2 ** attempt * 0.2) * 1000;
      if (!isBusy || isLast || waiting > (this.options.maxWaitMs ?? 60_000)) throw failure;
      await wait(waiting, options.signal);
    }
  }

  async read<Results>(answer: Response): Promise<Results> {
    const text = await answer.text();
    const results = text === '' ? {} : (JSON.parse(text) as { results: unknown }).results;
    if (typeof results === 'object' && results !== null) {
      this.facts.set(results, {
        status: answer.status,
        etag: answer.headers.get('etag') ?? undefined,
        requestId: answer.headers.get('x-request-id') ?? undefined,
        isReplayed: answer.headers.get('idempotency-replayed') === 'true',
      });
    }
    return results as Results;
  }

  async attempt(call: Call, parameters: Values, body: unknown, options: CallOptions): Promise<Response> {
    const rest: Record<string, unknown> = { ...parameters };
    const path = call.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
      const value = rest[name];
      delete rest[name];
      return encodeURIComponent(String(value));
    });
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(rest)) appendQuery(query, name, value);
    const headers: Record<string, string> = { accept: 'application/json, application/problem+json', ...this.options.headers };
    await this.prove(call, headers, query);
    if (options.ifMatch !== undefined) headers['if-match'] = options.ifMatch;
    if (typeof options.idempotencyKey === 'string') headers['idempotency-key'] = options.idempotencyKey;
    const isForm = typeof FormData !== 'undefined' && body instanceof FormData;
    if (body !== undefined && !isForm) headers['content-type'] = call.type ?? 'application/json';
    const url = `${this.options.baseUrl}${path}${query.size > 0 ? `?${query}` : ''}`;
    const sent = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) };
    return this.fetch(url, { method: call.method, headers: { ...headers, ...options.headers }, ...sent }, options.signal);
  }

  /** One request, aborted by the caller's signal or the timeout. */
  async fetch(url: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Response> {
    const controller = new AbortController();
    const end = (): void => controller.abort(signal?.reason);
    if (signal?.aborted) end();
    signal?.addEventListener('abort', end, { once: true });
    const limit = this.options.timeoutMs ?? 30_000;
    const timer = setTimeout(() => controller.abort(new Error(`No answer within ${limit} ms.`)), limit);
    try {
      return await (this.options.fetch ?? fetch)(url, { ...init, signal: controller.signal });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
  }

  /** Adds the credentials. */
  async prove(call: Call, headers: Record<string, string>, query: URLSearchParams): Promise<void> {
    const { clientId, clientSecret } = this.options;
    if (call.access === 'app') {
      if (clientId === undefined) throw new Error(`${call.name} is an app call: give the client a clientId.`);
      if (clientSecret !== undefined) headers.authorization = this.basic();
      else query.set('client_id', clientId);
    }
    if (call.access === 'user') headers.authorization = `Bearer ${await this.findToken(call)}`;
  }

  basic(): string {
    const { clientId = '', clientSecret = '' } = this.options;
    const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
    return `Basic ${toBase64(new TextEncoder().encode(pair))}`;
  }

  async findToken(call: Call): Promise<string> {
    const { token } = this.options;
    if (this.tokens) {
      const { expiresAt, refreshToken, accessToken } = this.tokens;
      // Refreshes a few seconds early, so that the token does not expire in transit.
      if (!refreshToken || expiresAt === undefined || expiresAt - 5000 > Date.now()) return accessToken;
      await this.refresh();
      return this.tokens.accessToken;
    }
    if (token === undefined) throw new Error(`${call.name} is a user call: give the client a token, or tokens.`);
    return typeof token === 'function' ? token() : token;
  }

  /** A refresh token works once: calls that need it at the same time share one refresh. */
  refresh(): Promise<void> {
    this.refreshing ??= this.requestTokens({
      grant_type: 'refresh_token',
      refresh_token: this.tokens?.refreshToken ?? '',
    })
      .then(() => undefined)
      .finally(() => {
        this.refreshing = undefined;
      });
    return this.refreshing;
  }

  /** Requests tokens from the standard endpoint, and stores them. @see RFC 6749 */
  async requestTokens(fields: Readonly<Record<string, string>>): Promise<Tokens> {
    const answer = await this.post('/oauth/token', fields);
    const given = (await answer.json()) as Record<string, unknown>;
    const { access_token, refresh_token, expires_in, scope } = given;
    const tokens: Tokens = {
      accessToken: String(access_token),
      ...(typeof refresh_token === 'string' ? { refreshToken: refresh_token } : {}),
      ...(typeof expires_in === 'number' ? { expiresAt: Date.now() + expires_in * 1000 } : {}),
      ...(typeof scope === 'string' ? { scope } : {}),
    };
    this.tokens = tokens;
    await this.options.onTokens?.(tokens);
    return tokens;
  }

  async post(path: string, fields: Readonly<Record<string, string>>): Promise<Response> {
    const { clientId, clientSecret, baseUrl } = this.options;
    const body = new URLSearchParams(fields);
    const headers: Record<string, string> = {};
    if (clientSecret !== undefined) headers.authorization = this.basic();
    else if (clientId !== undefined) body.set('client_id', clientId);
    const answer = await this.fetch(`${baseUrl}${path}`, { method: 'POST', headers, body }, undefined);
    if (answer.ok) return answer;
    const said = (await answer.json().catch(() => ({}))) as Record<string, unknown>;
    const message = [said.error, said.error_description].filter((part) => typeof part === 'string').join(': ');
    throw new ApiError(path, answer, { ...said, message } as unknown as ProblemBody);
  }
}

/** Yields every row of a search, page after page. */
async function* iterate<Row>(
  load: (parameters: Values) => Promise<Page<Row>>,
  parameters: Values,
): AsyncGenerator<Row, void, undefined> {
  let page = await load({ ...parameters, total: 0 });
  while (true) {
    yield* page.rows;
    if (page.next === undefined) return;
    const { offset: _, ...rest } = parameters;
    page = await load({ ...rest, total: 0, after: page.next });
  }
}

/** The authorization code flow, refresh and revocation. */
class OAuth {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** URL of the consent dialog. Keep `state` and `verifier` until the redirect. @see RFC 7636 */
  async authorize(redirectUri: string, scopes: readonly Scope[]): Promise<{ url: string; state: string; verifier: string }> {
    const { baseUrl, clientId = '' } = this.#transport.options;
    const verifier = toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
    const state = toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: scopes.join(' '),
      state,
      code_challenge: toBase64Url(new Uint8Array(digest)),
      code_challenge_method: 'S256',
    });
    return { url: `${baseUrl}/oauth/authorize?${query}`, state, verifier };
  }

  /** Exchanges the code of the redirect; user calls use the token from then on. */
  exchange(code: string, redirectUri: string, verifier: string): Promise<Tokens> {
    return this.#transport.requestTokens({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });
  }

  /** Exchanges the refresh token for new tokens. */
  async refresh(): Promise<Tokens | undefined> {
    await this.#transport.refresh();
    return this.#transport.tokens;
  }

  /** Revokes the tokens on the server and forgets them here. @see RFC 7009 */
  async revoke(): Promise<void> {
    const { tokens } = this.#transport;
    const token = tokens?.refreshToken ?? tokens?.accessToken;
    if (token !== undefined) await this.#transport.post('/oauth/revoke', { token });
    this.#transport.tokens = undefined;
  }
}
