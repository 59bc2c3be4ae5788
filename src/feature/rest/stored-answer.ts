import { toEnvelope } from '../../core/json-list.ts';
import type { Response } from '../../core/response.ts';

/** An answer to replay. */
interface StoredAnswer {
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
  readonly isBytes: boolean;
}

/** Headers that belong to one request only. */
const PASSING = /^(?:ratelimit|ratelimit-policy|retry-after|vary|access-control-.+|www-authenticate|set-cookie)$/;
const JSON_TYPE = 'application/json; charset=utf-8';

/** The answer as text; undefined for a stream, which cannot be sent twice. */
export function printAnswer(response: Response): string | undefined {
  if (response.getStream()) return undefined;
  const headers = Object.fromEntries(Object.entries(response.getHeaders()).filter(([name]) => !PASSING.test(name)));
  const content = response.getContent();
  const isBytes = content instanceof Uint8Array;
  const kept = (body: string, type?: string): string =>
    JSON.stringify({
      headers:
        type === undefined || headers['content-type'] !== undefined ? headers : { ...headers, 'content-type': type },
      body,
      isBytes,
    } satisfies StoredAnswer);
  if (isBytes) return kept(Buffer.from(content).toString('base64'));
  if (response.hasContent()) return kept(String(content));
  return response.hasJson() && response.getStatus() !== 204
    ? kept(toEnvelope(response.getResults()), JSON_TYPE)
    : kept('');
}

/** Sets a kept answer on a response. */
export function setAnswer(response: Response, status: number, text: string): void {
  const { headers, body, isBytes } = JSON.parse(text) as StoredAnswer;
  for (const [name, value] of Object.entries(headers)) response.addHeader(name, value);
  response.addHeader('idempotency-replayed', 'true').setStatus(status);
  if (body !== '') response.setContent(isBytes ? Buffer.from(body, 'base64') : body);
  response.setAnswered();
}
