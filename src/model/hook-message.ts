import { findOwn } from '../core/record.ts';
import { translate } from '../core/text/translate.ts';
import type { HookFormat } from './shape.ts';

/** An event as it is sent to receivers, identical in every attempt. */
export interface HookEvent {
  readonly format: HookFormat;
  /** Sent as `webhook-id`. */
  readonly id: string;
  /** Increases with every event of a site. */
  readonly sequence: number;
  /** Address of the site without a trailing slash; used only by CloudEvents. */
  readonly source: string;
  /** Such as `profile.created`. */
  readonly type: string;
  /** When it happened, in unix seconds. */
  readonly at: number;
  /** Minified JSON. */
  readonly data: string;
}

/** An event in its format: the exact text that is signed and sent, and the headers that belong to it. */
export interface HookMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const JSON_TYPE = 'application/json';
const CLOUD_EVENT_TYPE = 'application/cloudevents+json';
/** Digits of the largest exact integer in JavaScript. */
const SEQUENCE_DIGITS = 16;

const toTime = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** @see CloudEvents 1.0.2. Its extension `sequence` compares as text, hence the leading zeros. */
const toAttributes = ({ id, source, type, at, sequence }: HookEvent): Record<string, string> => ({
  specversion: '1.0',
  id,
  source,
  type,
  time: toTime(at),
  sequence: String(sequence).padStart(SEQUENCE_DIGITS, '0'),
});

/**
 * Percent-encodes the UTF-8 of characters that a header cannot hold or would misinterpret. @see CloudEvents
 * HTTP binding 1.0.2, 3.1.3.2
 */
export const toHeaderValue = (text: string): string =>
  text.replace(/[^\u0021-\u007e]|["%]/gu, (character) =>
    [...Buffer.from(character, 'utf8')].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );

/** Writers of the formats. The data are not parsed, so that each attempt signs the same bytes. */
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

/** An event in its format. The headers of Standard Webhooks are always sent in addition. */
export const toHookMessage = (event: HookEvent): HookMessage => WRITERS[event.format](event);

const LABELS: Readonly<Record<HookFormat, string | undefined>> = {
  standard: undefined,
  'cloudevents-structured': 'CloudEvents',
  'cloudevents-binary': 'CloudEvents, binary',
};

/** The badge of a format on pages; undefined for `standard`, which needs none, and for unknown formats. */
export const toFormatLabel = (format: string | null | undefined): string | undefined => {
  const label = findOwn(LABELS, format ?? '');
  return label && translate(label);
};

/** Media type of a format's body. */
export const toMediaType = (format: HookFormat | undefined): string =>
  format === 'cloudevents-structured' ? CLOUD_EVENT_TYPE : JSON_TYPE;
