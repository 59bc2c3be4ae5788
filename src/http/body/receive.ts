import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy';
import { ClientGone } from '../../core/client-gone.ts';
import { TreadleError } from '../../core/errors.ts';
import type { ArrivingFile, FileReceiver } from '../../core/request/sent-file.ts';
import { translate } from '../../core/text/translate.ts';
import { expectsContinue, refuseEncoding, refuseLength, toMediaType, tooLarge } from './body.ts';
import { brokenForm, PART_HEADERS, readBoundary } from './multipart.ts';

interface Connection {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** One part more than is taken, so that it can be named. */
const LIMITS = { ...PART_HEADERS, files: 2, fields: 1, parts: 3, fieldSize: 1024 } as const;

function refuse(code: string, status: number, message: string): TreadleError {
  // What follows of the body is not read.
  return new TreadleError(code, message, { status, headers: { connection: 'close' } });
}

const several = (): TreadleError =>
  refuse('UPLOAD_SEVERAL_FILES', 400, 'Send one file in each request: this form has several.');

const withField = (name: unknown): TreadleError =>
  refuse(
    'UPLOAD_FIELD',
    400,
    translate('Send the file alone: the form also has the field "{name}". Credentials belong in a header.', {
      name: String(name).slice(0, 64),
    }),
  );

/** Refuses what can be judged by the headers alone. */
function judgeHeaders(req: IncomingMessage, limit: number): string {
  if (toMediaType(req.headers['content-type']) !== 'multipart/form-data') {
    const message = 'Send the file as multipart/form-data.';
    const headers = { 'accept-post': 'multipart/form-data', connection: 'close' };
    throw new TreadleError('UPLOAD_NOT_A_FORM', message, { status: 415, headers });
  }
  refuseEncoding(req);
  refuseLength(req, limit);
  return readBoundary(req.headers);
}

/** Reads one form. It ends once: with what `take` made of the file, or with the first error. */
class FormReading<T> {
  readonly #req: IncomingMessage;
  readonly #parser: BusboyInstance;
  readonly #take: (file: ArrivingFile) => Promise<T>;
  #stream: BusboyFileStream | undefined;
  #taken: Promise<T> | undefined;
  #bytes = 0;
  #isOver = false;
  #reject: (error: unknown) => void = () => {};

  constructor(req: IncomingMessage, parser: BusboyInstance, take: (file: ArrivingFile) => Promise<T>) {
    this.#req = req;
    this.#parser = parser;
    this.#take = take;
  }

  read(limit: number): Promise<T> {
    const [req, parser] = [this.#req, this.#parser];
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      parser.on('file', (_field, stream, name, _encoding, type) => this.#begin(stream, name, type));
      parser.on('field', (name) => this.#fail(withField(name)));
      parser.on('partsLimit', () => this.#fail(several()));
      parser.on('error', () => this.#fail(brokenForm()));
      parser.on('finish', () => {
        if (this.#isOver) return;
        if (this.#taken === undefined) return this.#fail(refuse('UPLOAD_NO_FILE', 422, 'The form has no file.'));
        this.#taken.then((value) => {
          this.#isOver = true;
          resolve(value);
        }, reject);
      });
      req.on('data', (chunk: Buffer) => {
        this.#bytes += chunk.length;
        if (this.#bytes > limit) this.#fail(tooLarge(limit));
      });
      let isEnded = false;
      req.on('end', () => {
        isEnded = true;
      });
      for (const event of ['error', 'close']) req.on(event, () => isEnded || this.#fail(new ClientGone()));
      req.pipe(parser);
    });
  }

  /** A file is refused after it was taken, if another one follows. */
  #begin(stream: BusboyFileStream, name: string, type: string): void {
    if (this.#isOver || name === '' || this.#taken !== undefined) {
      stream.resume();
      if (name !== '') this.#fail(several());
      return;
    }
    this.#stream = stream;
    // An error after its end is told by the form.
    stream.on('error', () => {});
    this.#taken = this.#take({ name: name ?? '', type, stream });
    this.#taken.catch((error) => this.#fail(error));
  }

  /** Stops reading, and waits for `take`, which removes what it has written. */
  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#req.unpipe(this.#parser);
    this.#req.removeAllListeners('data');
    this.#req.pause();
    this.#stream?.destroy(error as Error);
    const refused = (): void => this.#reject(error);
    if (this.#taken) void this.#taken.then(refused, refused);
    else refused();
  }
}

/**
 * Makes the function by which a route reads the one file of a form while it arrives, so that no more than a piece of it is in
 * memory.
 *
 * @param limit Maximum bytes of the form.
 * @throws UPLOAD_NOT_A_FORM (415). @throws UPLOAD_NO_FILE (422). @throws UPLOAD_SEVERAL_FILES (400). @throws UPLOAD_FIELD (400).
 * @throws REQUEST_BODY_TOO_LARGE (413). @throws REQUEST_MULTIPART_BROKEN (400). @throws ClientGone.
 * @see RFC 7578
 */
export const createReceiver =
  ({ req, res }: Connection, limit: number): FileReceiver =>
  async (take) => {
    const boundary = judgeHeaders(req, limit);
    if (expectsContinue(req)) res.writeContinue();
    const { Busboy } = await import('@fastify/busboy');
    // Its end would not be told again.
    if (req.destroyed) throw new ClientGone();
    const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` } as const;
    return new FormReading(req, new Busboy({ headers, limits: LIMITS }), take).read(limit);
  };
