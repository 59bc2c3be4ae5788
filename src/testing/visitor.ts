import { request as sendRequest } from 'node:http';

/** Fields of a form by name. A list is a field with several values; files need a `FormData`. */
export type TestForm = Readonly<Record<string, string | number | boolean | readonly (string | number)[]>> | FormData;

/** What a request sends: at most one of `body`, `json` and `form`. */
export interface TestSent {
  /** Headers besides cookies, length and type. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is, without a content type. */
  readonly body?: string | Uint8Array;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as a form. */
  readonly form?: TestForm;
}

/** An answer that was read whole. */
export interface TestAnswer {
  /** Such as 200. */
  readonly status: number;
  /** Such as `headers.get('etag')`. */
  readonly headers: Headers;
  /** The body. */
  readonly text: string;
  /** The header `Location`; empty without it. */
  readonly location: string;
  /** The parsed text. Throws if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer has the shape that the route gives it.
  json<T = any>(): T;
}

/** Somebody who uses the site: keeps cookies as a browser does, and follows no redirect. */
export interface TestVisitor {
  /** Asks for a path. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<TestAnswer>;
  /** Posts a form from a page of the site. */
  post(path: string, form?: TestForm): Promise<TestAnswer>;
  /** Any request: `send('PATCH', '/rest/…', { json: { … } })`. */
  send(method: string, path: string, sent?: TestSent): Promise<TestAnswer>;
}

function toForm(form: TestForm): FormData | URLSearchParams {
  if (form instanceof FormData) return form;
  const pairs = Object.entries(form).flatMap(([key, value]) => [value].flat().map((item) => [key, String(item)]));
  return new URLSearchParams(pairs);
}

/** Bytes and content type of a request. The platform's own `Response` knows how a form is written. */
async function readBody(sent: TestSent): Promise<{ bytes: Buffer | undefined; type: string | null }> {
  const { body, json, form } = sent;
  if (body !== undefined) return { bytes: Buffer.from(body), type: null };
  if (json !== undefined) return { bytes: Buffer.from(JSON.stringify(json)), type: 'application/json' };
  if (form === undefined) return { bytes: undefined, type: null };
  const whole = new Response(toForm(form));
  return { bytes: Buffer.from(await whole.arrayBuffer()), type: whole.headers.get('content-type') };
}

function toHeaders(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let index = 0; index < raw.length; index += 2) headers.append(raw[index] ?? '', raw[index + 1] ?? '');
  return headers;
}

interface Call {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer | undefined;
}

/** A connection of its own for each request: none is left open at the end. */
function call({ url, method, headers, bytes }: Call): Promise<TestAnswer> {
  return new Promise((resolve, reject) => {
    const length = bytes === undefined ? {} : { 'content-length': String(bytes.length) };
    const request = sendRequest(url, { method, headers: { ...length, ...headers }, agent: false }, (message) => {
      const chunks: Buffer[] = [];
      message.on('data', (chunk: Buffer) => chunks.push(chunk));
      message.on('error', reject);
      message.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const all = toHeaders(message.rawHeaders);
        resolve({
          status: message.statusCode ?? 0,
          headers: all,
          text,
          location: all.get('location') ?? '',
          json: () => JSON.parse(text),
        });
      });
    });
    request.on('error', reject);
    request.end(bytes);
  });
}

/** Cookies of one visitor. The server expires one by an empty value. */
class Jar {
  readonly #cookies = new Map<string, string>();
  read(headers: Headers): void {
    for (const cookie of headers.getSetCookie()) this.add(cookie);
  }
  add(cookie: string): void {
    const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(cookie) ?? [];
    if (value === '') this.#cookies.delete(name);
    else this.#cookies.set(name, value);
  }
  toHeader(): Record<string, string> {
    const pairs = [...this.#cookies].map(([name, value]) => `${name}=${value}`);
    return pairs.length === 0 ? {} : { cookie: pairs.join('; ') };
  }
}

export interface VisitorOptions {
  /** Where the server listens. */
  readonly url: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A `Set-Cookie` value to begin with. */
  readonly cookie?: string;
}

/** A path, or an address such as a mail's link, of which the path counts. */
function toUrl(path: string, url: string): URL {
  const { pathname, search } = new URL(path, url);
  return new URL(`${pathname}${search}`, url);
}

export function createVisitor({ url, headers: always = {}, cookie }: VisitorOptions): TestVisitor {
  const jar = new Jar();
  if (cookie !== undefined) jar.add(cookie);
  const send = async (method: string, path: string, sent: TestSent = {}): Promise<TestAnswer> => {
    const { bytes, type } = await readBody(sent);
    const typed: Record<string, string> = type === null ? {} : { 'content-type': type };
    const headers = { ...jar.toHeader(), ...typed, ...always, ...sent.headers };
    const answer = await call({ url: toUrl(path, url), method: method.toUpperCase(), headers, bytes });
    jar.read(answer.headers);
    return answer;
  };
  return {
    send,
    get: (path, headers = {}) => send('GET', path, { headers }),
    // A browser sends this header with each form.
    post: (path, form = {}) => send('POST', path, { form, headers: { 'sec-fetch-site': 'same-origin' } }),
  };
}
