/** A code that the API gives its errors, or one of the site's own. */
export type ErrorCode =
  | 'ACCESS_REFUSED'
  | 'BODY_TOO_LARGE'
  | 'COLUMN_NOT_WRITABLE'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'IDEMPOTENCY_KEY_RUNNING'
  | 'IF_MATCH_MISSING'
  | 'KEY_UNKNOWN'
  | 'NOT_ALLOWED'
  | 'NOT_AUTHENTICATED'
  | 'PARAMETER_UNKNOWN'
  | 'PERIOD_TAKEN'
  | 'RATE_REACHED'
  | 'ROW_CHANGED'
  | 'ROW_MISSING'
  | 'ROW_REFERENCED'
  | 'SCOPE_MISSING'
  | 'SEARCH_INVALID'
  | 'SERVER_FAILED'
  | 'SERVICE_BUSY'
  | 'TOKEN_MISSING'
  | 'TOKEN_REFUSED'
  | 'VALIDATION_FAILED'
  | 'VALUE_TAKEN'
  | (string & {});

/** One error of a request, with the place that is wrong: in the body, a parameter, or a header. */
export interface Fault {
  /** JSON pointer into the body; empty for the whole body. @see RFC 6901 */
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
  /** Rule that is broken, such as `required`, `taken` or `char_lte`. */
  readonly rule?: string;
  readonly detail: string;
  /** Values of the rule, such as `{ max: 10 }`. */
  readonly params?: Readonly<Record<string, unknown>>;
  readonly suggestion?: string;
}

/** Body of an error answer. @see RFC 9457 */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly message: string;
  /** Messages by column. */
  readonly validation: Readonly<Record<string, unknown>>;
  readonly errors?: readonly Fault[];
  readonly code?: string;
  readonly hint?: string;
  /** Address of the page about the code. */
  readonly docs?: string;
}

/** Thrown if the API answers with an error. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Name of the call. */
  readonly call: string;
  readonly status: number;
  /** Of the error; undefined if the answer has none, for example from a proxy. */
  readonly code: ErrorCode | undefined;
  /** Each error with its place. */
  readonly errors: readonly Fault[];
  readonly problem: ProblemBody | undefined;
  /** Id of the request in the server's log. */
  readonly requestId: string | undefined;
  /** Seconds to wait, if the server sends them. */
  readonly retryAfter: number | undefined;
  /** Current version of the row after a 412. */
  readonly etag: string | undefined;

  constructor(call: string, answer: Response, problem: ProblemBody | undefined, now: number = Date.now()) {
    super(`${call}: ${answer.status} ${problem?.message ?? answer.statusText}`);
    this.call = call;
    this.status = answer.status;
    this.code = problem?.code;
    this.errors = problem?.errors ?? [];
    this.problem = problem;
    this.requestId = answer.headers.get('x-request-id') ?? undefined;
    this.retryAfter = toSeconds(answer.headers.get('retry-after'), now);
    this.etag = answer.headers.get('etag') ?? undefined;
  }

  /** The message for a column, or for a path such as `lines.0.name`; undefined without an error there. */
  messageOf(place: string): string | undefined {
    let at: unknown = this.problem?.validation;
    for (const key of place.split('.'))
      at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined;
    return typeof at === 'string' ? at : undefined;
  }
}

/** True for an error of the API; with codes, for one that has any of them. */
export const isApiError = <Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is ApiError & { readonly code: Code } =>
  error instanceof ApiError && (codes.length === 0 || codes.some((code) => code === error.code));

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
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
  /** From 0 to 1; waits without a `Retry-After` are spread by it. Default: `Math.random`. */
  readonly random?: () => number;
  /** Waits, and rejects when the signal aborts. Default: a timer. */
  readonly wait?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Makes the `Idempotency-Key` of a write. Default: `crypto.randomUUID`. */
  readonly makeKey?: () => string;
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

function toSeconds(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000);
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

/**
 * `filter: { price: { gte: 5 } }` becomes `filter[price][gte]=5`. A list is joined with commas; one of alternatives, or with a
 * comma in an item, is numbered: `filter[or][0][price]=5`.
 */
function appendQuery(query: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  const isNumbered = (item: unknown): boolean => typeof item === 'object' || String(item).includes(',');
  if (Array.isArray(value) && !(name.includes('[') && value.some(isNumbered))) query.append(name, value.join(','));
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

  now(): number {
    return (this.options.now ?? Date.now)();
  }

  wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    return (this.options.wait ?? wait)(milliseconds, signal);
  }

  makeKey(): string {
    return (this.options.makeKey ?? (() => crypto.randomUUID()))();
  }

  /** A file as the form that an upload takes; a form stays as it is. */
  toForm(file: Blob | FormData, field: string, name: string | undefined): FormData {
    if (file instanceof FormData) return file;
    const form = new FormData();
    form.append(field, file, name ?? (file instanceof File ? file.name : 'file'));
    return form;
  }

  /** Milliseconds before a repeat, at least half of 200, 400, 800 …: many clients come back at different times. */
  toPause(attempt: number): number {
    return 2 ** attempt * 200 * (0.5 + (this.options.random ?? Math.random)() / 2);
  }

  async send<Results>(call: Call, parameters: Values, body: unknown, options: CallOptions = {}): Promise<Results> {
    const key = call.method === 'GET' ? false : (options.idempotencyKey ?? this.makeKey());
    let isRefreshed = false;
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= (this.options.retries ?? 2);
      let answer: Response;
      try {
        answer = await this.attempt(call, parameters, body, { ...options, idempotencyKey: key });
      } catch (error) {
        // A write without a key may have happened even if its answer was lost.
        if (isLast || options.signal?.aborted || (call.method !== 'GET' && key === false)) throw error;
        await this.wait(this.toPause(attempt), options.signal);
        continue;
      }
      if (answer.ok) return this.read<Results>(answer);
      const problem = (await answer.json().catch(() => undefined)) as ProblemBody | undefined;
      const failure = new ApiError(call.name, answer, problem, this.now());
      if (answer.status === 401 && call.access === 'user' && this.tokens?.refreshToken && !isRefreshed) {
        isRefreshed = true;
        attempt -= 1;
        await this.refresh();
        continue;
      }
      const isBusy = answer.status === 429 || answer.status === 503 || (answer.status === 409 && failure.retryAfter !== undefined);
      const waiting = failure.retryAfter === undefined ? this.toPause(attempt) : failure.retryAfter * 1000;
      if (!isBusy || isLast || waiting > (this.options.maxWaitMs ?? 60_000)) throw failure;
      await this.wait(waiting, options.signal);
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
      if (!refreshToken || expiresAt === undefined || expiresAt - 5000 > this.now()) return accessToken;
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
      ...(typeof expires_in === 'number' ? { expiresAt: this.now() + expires_in * 1000 } : {}),
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
    page = await load({ ...parameters, total: 0, offset: undefined, before: undefined, after: page.next });
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
