import { toLocalText } from '../text/translate.ts';

/** Kinds of flash message, as pages style them. */
const FLASH_KINDS = ['info', 'success', 'warning', 'error'] as const;
/** How a message looks: `info`, `success`, `warning` or `error`. */
export type FlashKind = (typeof FLASH_KINDS)[number];

/** A message for the visitor, at the top of a page. */
export interface Flash {
  /** The text. */
  readonly message: string;
  /** How it looks. */
  readonly type: FlashKind;
  /** More lines, such as one for each field. */
  readonly list?: readonly string[];
}

/** Messages by field; of a fieldset by group (`0`, `1` … where it has many) and field. */
export interface Messages {
  [field: string]: string | Messages;
}

/** An expected failure, as data. */
export interface Refusal {
  /** HTTP status, 400 or more. */
  readonly status: number;
  /** For people. */
  readonly message: string;
  /** Messages by field. */
  readonly validation?: Readonly<Messages>;
  /** Name of the error for programs, such as `IDEMPOTENCY_KEY_REUSED`. Default: that of the status, such as `NOT_FOUND`. */
  readonly code?: string | undefined;
  /** The query parameter that is wrong. */
  readonly parameter?: string;
  /** The request header that is wrong. */
  readonly header?: string;
}

/** Messages in the language of the request, at any depth. */
export function toLocalMessage(value: unknown): unknown {
  if (typeof value === 'string') return toLocalText(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toLocalMessage(item)]));
}

export const toLocalFlash = ({ message, list, ...rest }: Flash): Flash => ({
  ...rest,
  message: toLocalText(message),
  ...(list ? { list: list.map(toLocalText) } : {}),
});

/** A response that is not text: a file or a stream that the runtime sends. */
export interface Sendable {
  readonly stream: NodeJS.ReadableStream;
  readonly bytes?: number;
}

/** A stream may fail before it is sent, and an error that nobody hears ends the process. Whoever sends it finds that it failed. */
export function hearErrors(sendable: Sendable): Sendable {
  sendable.stream.on?.('error', () => {});
  return sendable;
}
