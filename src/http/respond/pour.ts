import type { ServerResponse } from 'node:http';
import { pipeline, type Readable, Transform } from 'node:stream';

/** Ends what reads: an unread stream would keep its file open. */
export const dropStream = (stream: NodeJS.ReadableStream & Partial<Pick<Readable, 'destroy'>>): void =>
  void stream.destroy?.();

/** Why a stream has nothing to send any more; undefined if it has. */
export function findBreak(stream: NodeJS.ReadableStream & Partial<Pick<Readable, 'errored' | 'destroyed'>>): unknown {
  return stream.errored ?? (stream.destroyed ? new Error('The stream has ended before it was sent.') : undefined);
}

/** Fails at what is neither text nor bytes: Node would throw it where nobody can catch it. */
const createByteCheck = (): Transform =>
  new Transform({
    writableObjectMode: true,
    transform(chunk: unknown, _encoding, done) {
      const isSendable = typeof chunk === 'string' || chunk instanceof Uint8Array;
      if (isSendable) done(null, chunk);
      else
        done(new TypeError(`The stream gave ${chunk === null ? 'null' : typeof chunk}, but texts or bytes are sent.`));
    },
  });

/** Sends a stream. @param end Called once, with an error if it did not come to its end. */
export function pour(
  stream: NodeJS.ReadableStream & Partial<Pick<Readable, 'readableObjectMode'>>,
  res: ServerResponse,
  end: (error: NodeJS.ErrnoException | null) => void,
): void {
  if (stream.readableObjectMode === false) pipeline(stream, res, end);
  else pipeline(stream, createByteCheck(), res, end);
}
