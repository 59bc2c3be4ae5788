import type { HookFormat } from './shape.ts';

/** An event as receivers are told of it: the same at every attempt. */
export interface HookEvent {
  readonly format: HookFormat;
  /** As `webhook-id`. */
  readonly id: string;
  /** Counts the events of a site up. */
  readonly sequence: number;
  /** Address of the site without a trailing slash; only CloudEvents have it. */
  readonly source: string;
  /** Such as `profile.created`. */
  readonly type: string;
  /** When it happened, in unix seconds. */
  readonly at: number;
  /** Minified JSON. */
  readonly data: string;
}

/** What a format makes of an event: the exact text that is signed and sent, and the headers that belong to it. */
export interface HookMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const JSON_TYPE = 'application/json';
const CLOUD_EVENT_TYPE = 'application/cloudevents+json';
/** Digits of a number that JavaScript holds exactly. */
const SEQUENCE_DIGITS = 16;

const toTime = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** @see CloudEvents 1.0.2; its extension `sequence` is compared as a text, hence the zeros before. */
const toAttributes = ({ id, source, type, at, sequence }: HookEvent): Record<string, string> => ({
  specversion: '1.0',
  id,
  source,
  type,
  time: toTime(at),
  sequence: String(sequence).padStart(SEQUENCE_DIGITS, '0'),
});

/** What a header cannot hold, or could mean otherwise, as `%20` of its UTF-8. @see CloudEvents HTTP binding 1.0.2, 3.1.3.2 */
export const toHeaderValue = (text: string): string =>
  text.replace(/[^\u0021-\u007e]|["%]/gu, (character) =>
    [...Buffer.from(character, 'utf8')].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );

/** How each format is written. The data are never parsed: who signed them once signs the same bytes again. */
const WRITERS: Readonly<Record<HookFormat, (event: HookEvent) => HookMessage>> = {
  standard: ({ type, at, data }) => ({
    headers: { 'content-type': JSON_TYPE },
    body: `{"type":${JSON.stringify(type)},"timestamp":"${toTime(at)}","data":${data}}`,
  }),
  'cloudevents-structured': (event) => {
    const attributes = JSON.stringify({ ...toAttributes(event), datacontenttype: JSON_TYPE });
    return {
      headers: { 'content-type': `${CLOUD_EVENT_TYPE}; charset=utf-8` },
      body: `${attributes.slice(0, -1)},"data":${event.data}}`,
    };
  },
  'cloudevents-binary': (event) => {
    const attributes = Object.entries(toAttributes(event));
    return {
      headers: {
        'content-type': JSON_TYPE,
        ...Object.fromEntries(attributes.map(([name, value]) => [`ce-${name}`, toHeaderValue(value)])),
      },
      body: event.data,
    };
  },
};

/** An event in its format. The headers of Standard Webhooks are sent beside these, whatever the format. */
export const toHookMessage = (event: HookEvent): HookMessage => WRITERS[event.format](event);

const LABELS: Readonly<Record<HookFormat, string | undefined>> = {
  standard: undefined,
  'cloudevents-structured': 'CloudEvents',
  'cloudevents-binary': 'CloudEvents, binary',
};

/** What a page's badge says of a format; undefined of `standard`, which needs none, and of what is no format. */
export const toFormatLabel = (format: string | null | undefined): string | undefined =>
  LABELS[format as HookFormat] ?? undefined;

/** Media type of a format's body. */
export const toMediaType = (format: HookFormat | undefined): string =>
  format === 'cloudevents-structured' ? CLOUD_EVENT_TYPE : JSON_TYPE;
