import type { Clock } from '../core/clock.ts';
import { TreadleError } from '../core/errors.ts';
import { createOutbound } from '../outbound/http.ts';
import type { Outbound, OutboundRequest, OutboundResponse } from '../outbound/outbound.ts';

/** What another server answers. */
export interface TestReply {
  /** Default 204. */
  readonly status?: number;
  /** Default none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A text, or a value that is sent as JSON. Default empty. */
  readonly body?: unknown;
}

/** A request that would have left the process. */
export interface TestRequest {
  /** In capitals. */
  readonly method: string;
  /** The whole URL. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** As text; empty without one. */
  readonly body: string;
}

/** The reply to a request; nothing is a 204. An error that it throws is a failed connection. */
export type Reply = (request: TestRequest) => TestReply | undefined | Promise<TestReply | undefined>;

/** A request with the status of its reply. */
export interface SentRequest extends TestRequest {
  /** Of the reply; undefined for a failed connection. */
  readonly status: number | undefined;
}

export interface RecordedOutbound extends Outbound {
  readonly sent: readonly SentRequest[];
  reply: Reply;
}

function toText(body: string | Uint8Array | undefined): string {
  return body === undefined || typeof body === 'string' ? (body ?? '') : Buffer.from(body).toString('utf8');
}

const lower = (headers: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function toResponse({ status = 204, headers, body = '' }: TestReply, maxBytes = 20_480): OutboundResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    status,
    headers: lower(headers),
    body: Buffer.from(text).subarray(0, maxBytes).toString('utf8'),
    milliseconds: 1,
  };
}

/** Keeps what would leave the process and gives the replies of the test. Opens no connection and resolves no name. */
export function createRecordedOutbound(clock: Clock): RecordedOutbound {
  const { judge } = createOutbound({ clock });
  const sent: SentRequest[] = [];
  const recorded: RecordedOutbound = {
    sent,
    reply: () => undefined,
    judge,
    async send({ method, url, headers, body, maxBytes }: OutboundRequest) {
      if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
        throw new TreadleError('OUTBOUND_URL_INVALID', `${url} is not an http or https URL.`);
      const request = { method: method.toUpperCase(), url, headers: lower(headers), body: toText(body) };
      try {
        const response = toResponse((await recorded.reply(request)) ?? {}, maxBytes);
        sent.push({ ...request, status: response.status });
        return response;
      } catch (cause) {
        sent.push({ ...request, status: undefined });
        const message = cause instanceof Error ? cause.message : String(cause);
        throw new TreadleError('OUTBOUND_FAILED', message, { detail: 'connect', cause });
      }
    },
  };
  return recorded;
}
