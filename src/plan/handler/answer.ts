import { Readable } from 'node:stream';
import type { Listener } from '../../core/bus/followers.ts';
import { isThenable } from '../../core/continue-with.ts';
import { isPlain } from '../../core/record.ts';
import type { Response } from '../../core/request/response.ts';

/** Calls back with what a handler returned: at once, or when its promise is there. */
export const whenDone = (result: unknown, next: (value: unknown) => unknown): unknown =>
  isThenable(result) ? Promise.resolve(result).then(next) : next(result);

/** Another name, for stack traces and lists of listeners. */
export function renameAs<L extends Listener>({ name }: { readonly name: string }, listener: L): L {
  return Object.defineProperty(listener, 'name', { value: name });
}

/** Streams of other libraries do not inherit from those of Node. */
const isNodeStream = (value: object): value is NodeJS.ReadableStream =>
  value instanceof Readable || ('pipe' in value && typeof value.pipe === 'function');

/** Headers of an answer that `fetch` has unpacked: they are about the connection and its encoding. */
const OF_CONNECTION = /^(?:connection|content-encoding|content-length|keep-alive|transfer-encoding)$/;

/** Sends what another server, or a library, answers in the form of the web: the body as it comes. */
function sendWeb(response: Response, { status, statusText, headers, body, url }: globalThis.Response): void {
  response.setStatus(status, statusText);
  for (const [name, value] of headers)
    if (name !== 'set-cookie' && (url === '' || !OF_CONNECTION.test(name))) response.addHeader(name, value);
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) response.addHeader('set-cookie', [response.getHeaders('set-cookie') ?? [], cookies].flat());
  if (body === null) response.setAnswered();
  else response.setStream({ stream: Readable.from(body) });
}

/**
 * Answers with what a handler returned: an object or a list are the results, a text is the content, a `Response` of the web and a
 * stream are sent. Anything else says nothing.
 *
 * @returns Whether it answered.
 */
export function answerWith(response: Response, value: unknown): boolean {
  if (typeof value === 'string') {
    response.setContent(value);
    if (value === '') response.setAnswered();
    return true;
  }
  if (typeof value !== 'object' || value === null) return false;
  if (isPlain(value)) response.succeed(value);
  else if (value instanceof globalThis.Response) sendWeb(response, value);
  else if (value instanceof globalThis.ReadableStream) response.setStream({ stream: Readable.from(value) });
  else if (isNodeStream(value)) response.setStream({ stream: value });
  else return false;
  return true;
}

/** What a handler may have answered by. */
const listAnswers = (response: Response): readonly unknown[] => [
  response.errorCount,
  response.getContent(),
  response.getResults(),
  response.getStream(),
  response.getHeaders('location'),
  response.get('answered'),
];

/**
 * Makes a listener that answers with what the handler returns. What the handler sets on the response itself comes first: older code
 * that returns a value by accident answers as before.
 */
export function answering(handler: Listener): Listener {
  return renameAs(handler, (request, response, meta) => {
    const before = listAnswers(response);
    return whenDone(handler(request, response, meta), (value) => {
      if (value === false) return false;
      const isSilent = value !== undefined && listAnswers(response).every((part, index) => part === before[index]);
      if (isSilent) answerWith(response, value);
      return undefined;
    });
  });
}
