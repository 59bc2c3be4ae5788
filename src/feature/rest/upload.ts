import { Readable } from 'node:stream';
import type { Actor } from '../../access/grant.ts';
import type { Listener } from '../../core/bus/followers.ts';
import { compose } from '../../core/compose.ts';
import { continueWith } from '../../core/continue-with.ts';
import { findOwn } from '../../core/record.ts';
import type { Request } from '../../core/request/request.ts';
import type { Refusal } from '../../core/request/response.ts';
import { type FileReceiver, isSentFile, type SentFile } from '../../core/request/sent-file.ts';
import { translate } from '../../core/text/translate.ts';
import { describeAccepted, FILE_TYPES, findAccepted } from '../../model/field/file-type.ts';
import type { Field } from '../../model/shape.ts';
import { toUploadPlan, type UploadCall } from '../../plan/call/upload-call.ts';
import type { Context, RouteContribution } from '../../plan/feature.ts';
import { type FileContent, readFileContent, readFileImageSize } from '../../project/file-content.ts';
import type { FileDraft } from '../../project/file-store.ts';
import { findFieldLimit, findPixelError, hasPixels } from '../../project/upload-check.ts';
import { compileAuthentication } from './authenticate.ts';
import type { CallTools } from './call.ts';
import { type CallExchange, type CallStep, PUBLIC } from './call-step.ts';
import { removeCredentials } from './credentials.ts';
import { refuse } from './errors.ts';

/** The fields that a caller can write by some call. */
const listFields = ({ writers }: UploadCall, { scopes }: Actor): Field[] =>
  writers
    .filter((writer) => writer.scopes.length === 0 || writer.scopes.some((slug) => scopes.includes(slug)))
    .flatMap(({ fields }) => fields);

/** A stored file with the name that the sender gave it. */
interface ReceivedFile {
  readonly draft: FileDraft;
  readonly name: string;
}

/** The field that takes a file, with the extension under which it does. */
interface Taker {
  readonly field: Field;
  readonly extension: string;
}

function refuseType(content: FileContent, fields: readonly Field[]): Refusal {
  const taken = [...new Set(fields.flatMap((field) => describeAccepted(field).split(', ')))].join(', ');
  return {
    status: 415,
    code: 'UPLOAD_TYPE',
    message: translate('No field that you can write takes a file of the type {type}. They take {taken}.', {
      type: content.isOtherText ? 'text (not in UTF-8)' : content.extension,
      taken,
    }),
  };
}

/** Finds the first field that takes a file, by type, size and pixels. */
async function findTaker(
  { draft, name }: ReceivedFile,
  content: FileContent,
  { fields, limit }: { readonly fields: readonly Field[]; readonly limit: number },
): Promise<Taker | Refusal> {
  const takers = fields.flatMap((field): Taker[] => {
    const extension = findAccepted(field, content, name);
    return extension === undefined ? [] : [{ field, extension }];
  });
  if (takers.length === 0) return refuseType(content, fields);
  const fitting = takers.filter(({ field }) => draft.bytes <= findFieldLimit(field, limit));
  if (fitting.length === 0) {
    const most = Math.max(...takers.map(({ field }) => findFieldLimit(field, limit)));
    const message = translate('The file has {bytes} bytes; at most {most} are taken.', { bytes: draft.bytes, most });
    return { status: 413, code: 'UPLOAD_TOO_LARGE', message };
  }
  const size = hasPixels(content) ? await readFileImageSize(draft.path) : undefined;
  const shown = fitting.find(({ field }) => !hasPixels(content) || findPixelError(size, field) === undefined);
  if (shown) return shown;
  const message = translate('The picture has too many pixels, or its size cannot be read.');
  return { status: 422, code: 'UPLOAD_PIXELS', message };
}

/** The one file of a form that was read before, because project code listens to the route. */
const createLateReceiver =
  (request: Request): FileReceiver =>
  (take) => {
    const sent = Object.values((request.getFiles() ?? {}) as Record<string, unknown>).flat();
    const [file] = sent.filter((one): one is SentFile => isSentFile(one));
    if (file === undefined || sent.length > 1) return Promise.reject(new MissingFile());
    return take({ name: file.name, type: file.type, stream: Readable.from([file.buffer]) });
  };

/** The form of a late receiver has no file, or several. */
class MissingFile extends Error {}

/** Receives the file, and stores it if a field takes it. Whatever fails leaves nothing behind. */
async function receive(
  upload: UploadCall,
  context: Context,
  { request, response, caller }: CallExchange,
): Promise<void> {
  const { files } = context.services;
  const limit = context.plan.model.settings.server.uploadBytes;
  removeCredentials(request);
  request.set('actor', caller.actor);
  const received: { draft?: FileDraft } = {};
  try {
    const file = await (request.receiveFile ?? createLateReceiver(request))(async ({ name, stream }) => {
      received.draft = await files.receive(stream);
      return { draft: received.draft, name };
    });
    const { draft, name } = file;
    if (draft.bytes === 0) {
      refuse(response, { status: 422, code: 'UPLOAD_EMPTY', message: translate('The file is empty.') });
      return await draft.drop();
    }
    const content = await readFileContent(draft.path);
    const taker = await findTaker(file, content, { fields: listFields(upload, caller.actor), limit });
    if ('status' in taker) {
      refuse(response, taker);
      return await draft.drop();
    }
    const url = await draft.keep(taker.extension);
    const type = findOwn(FILE_TYPES, taker.extension)?.mime ?? content.mime;
    response.setStatus(201).addHeader('location', url).succeed({ url, name, type, size: draft.bytes });
  } catch (error) {
    await received.draft?.drop();
    if (!(error instanceof MissingFile)) throw error;
    refuse(response, {
      status: 422,
      code: 'UPLOAD_NO_FILE',
      message: translate('Send one file, as multipart/form-data.'),
    });
  }
}

function listSteps(upload: UploadCall, context: Context, { corsOf }: CallTools): CallStep[] {
  const cors = corsOf(context);
  const mark = upload.access === 'public' ? cors.markPublic : cors.mark;
  return [
    { name: 'cors', run: (x, next) => continueWith(mark(x.request, x.response), () => next(x)) },
    ...compileAuthentication(toUploadPlan(upload), context),
    {
      name: 'origin',
      run(x, next) {
        cors.withdraw(x.response, x.caller.actor);
        return next(x);
      },
    },
    { name: 'emit', run: (x) => receive(upload, context, x) },
  ];
}

/** The route of an upload call. Credentials are judged before the body is read. */
export const createUploadRoute = (upload: UploadCall, state: CallTools): RouteContribution => ({
  method: 'POST',
  path: upload.path,
  description: `Stores a file, whose address the other ${upload.access} calls take`,
  kind: 'api',
  takesFiles: true,
  isStreamed: true,
  listen(context) {
    const run = compose<CallExchange>(listSteps(upload, context, state));
    const listener: Listener = async (request, response, meta) => {
      if (response.hasJson() || response.isAnswered()) return;
      await run({ request, response, meta, caller: PUBLIC });
      // A refusal may have left the body unread.
      if (response.isError() && request.receiveFile !== undefined) response.addHeader('connection', 'close');
    };
    return listener;
  },
});
