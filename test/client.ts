import { appendFileSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, request as sendRequest } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';

export type Form = Readonly<Record<string, string | readonly string[]>>;

/** A request. Of `body`, `json` and `form`, at most one is given. */
export interface Sent {
  /** Default: POST with a body, otherwise GET. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly json?: unknown;
  readonly form?: Form;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The header `Location`, or an empty text. */
  readonly location: string;
  /** The parsed text; undefined without a text. Throws if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into as it comes.
  json(): any;
}

function toForm(form: Form): string {
  const pairs = Object.entries(form).flatMap(([key, value]) => [value].flat().map((item) => [key, String(item)]));
  return String(new URLSearchParams(pairs));
}

/** Body and content type of a request. */
function toBody({ body, json, form }: Sent): [string | Buffer | undefined, Record<string, string>] {
  if (json !== undefined) return [JSON.stringify(json), { 'content-type': 'application/json' }];
  if (form !== undefined) return [toForm(form), { 'content-type': 'application/x-www-form-urlencoded' }];
  return [body, {}];
}

const URL_PARTS = /^http:\/\/(\[[^\]]+\]|[^/:?#]+)(?::(\d+))?(\/[^#]*)?/;

/**
 * Sends one request over a connection of its own, and reads the whole answer. The path is sent as it is given: neither
 * normalized nor encoded. No redirect is followed.
 */
export const ask = (url: string, sent: Sent = {}): Promise<Answer> => exchange(url, sent, false);

function exchange(url: string, sent: Sent, agent: Agent | false): Promise<Answer> {
  const [, host = '', port, path = '/'] = URL_PARTS.exec(url) ?? [];
  const [body, typed] = toBody(sent);
  const isChunked = sent.headers?.['transfer-encoding'] !== undefined;
  const length: Record<string, string> =
    body === undefined || isChunked ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const method = sent.method ?? (body === undefined ? 'GET' : 'POST');
  const headers = { ...length, ...typed, ...sent.headers };
  return new Promise((resolve, reject) => {
    const hostname = host.replace(/^\[|\]$/g, '');
    const call = sendRequest({ hostname, port, path, method, headers, agent }, (message) => {
      const chunks: Buffer[] = [];
      message.on('data', (chunk: Buffer) => chunks.push(chunk));
      message.on('error', reject);
      message.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const answer: Answer = {
          status: message.statusCode ?? 0,
          headers: message.headers,
          text,
          location: message.headers.location ?? '',
          json: () => (text === '' ? undefined : JSON.parse(text)),
        };
        if (TAP !== undefined) note(method, path, answer);
        resolve(answer);
      });
    });
    call.on('error', (error: NodeJS.ErrnoException) => {
      // The server closed the kept connection before it saw this request.
      const isStale = call.reusedSocket && error.code === 'ECONNRESET';
      if (isStale) exchange(url, sent, false).then(resolve, reject);
      else reject(error);
    });
    call.end(body);
  });
}

/** Of `record/run.mjs --suites`: the folder that notes what every suite asks, and what it is answered. */
const TAP = process.env.TREADLE_RECORD_TAP;
/** What differs from run to run: ids, tokens and names that a test draws. */
const DRAWN = /\d+|[\w-]{16,}|%[\dA-F]{2}/gi;
/** Headers that depend on the clock, on the connection or on how large a body is. */
const UNSTEADY = new Set([
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'content-encoding',
]);

function note(method: string, path: string, { status, headers }: Answer): void {
  const names = Object.keys(headers).filter((name) => !UNSTEADY.has(name));
  const line = `${method} ${path.replace(DRAWN, '#')}\t${status}\t${names.sort().join(' ')}\n`;
  appendFileSync(join(TAP as string, String(process.pid)), line);
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

export const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

/** Connections of all clients: opening one takes a sixth of the time of most requests. */
const kept = new Agent({ keepAlive: true });

/** Somebody who uses a site: sends headers with each request, and keeps cookies and connections as a browser does. */
export class Client {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #cookies = new Map<string, string>();
  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.#url = url;
    this.#headers = headers;
  }
  async send(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const cookies = this.#cookies.size === 0 ? {} : { cookie: this.cookie() };
    const headers = { ...this.#headers, ...cookies, ...sent.headers };
    const url = path.startsWith('http') ? path : this.#url + path;
    const answer = await exchange(url, { ...sent, method, headers }, kept);
    for (const cookie of answer.headers['set-cookie'] ?? []) {
      const [pair = ''] = cookie.split(';');
      const [name = '', value = ''] = pair.split('=');
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return answer;
  }
  /** The Cookie header. */
  cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.send('GET', path, { headers });
  }
  /** Posts a form from a page of the site; the caller adds the form token, if the page had one. */
  post(path: string, form: Form): Promise<Answer> {
    return this.send('POST', path, { form, headers: { 'sec-fetch-site': 'same-origin' } });
  }
  /** Throws if the sign-up is refused. A site that mails a link to confirm the address answers 200, others 303. */
  async signUp(name: string, email: string, more: Readonly<Record<string, string>> = {}): Promise<Answer> {
    await this.get('/auth/signup');
    const passwords = { auth_password: PASSWORD, confirm: PASSWORD };
    const answer = await this.post('/auth/signup', { profile_name: name, auth_slug: email, ...passwords, ...more });
    if (answer.status >= 400) throw new Error(`sign-up of ${email}: ${answer.status} ${toVisible(answer.text)}`);
    return answer;
  }
}

/** Maximum characters of a page that an error shows. */
const SHOWN = 1000;

/** The words of a page, without tags, for an error. */
const toVisible = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, SHOWN);

/** The password of everybody in the tests. */
export const PASSWORD = 'a long enough word';
