import type { Json } from '../../../model/json/value-schema.ts';
import { listUploadCalls, toUploadPlan, type UploadCall } from '../../../plan/call/upload-call.ts';
import type { Plan } from '../../../plan/feature.ts';
import { headerRef, RATE_HEADERS, responseRef, schemaRef, TAG_TEXTS } from './parts.ts';
import { listSecurity } from './security.ts';

const FORM_NAME = 'upload-form';
const FORM: Json = {
  type: 'object',
  required: ['file'],
  properties: {
    file: {
      type: 'string',
      format: 'binary',
      contentMediaType: 'application/octet-stream',
      description: 'The file; its part may have any name',
    },
  },
};

const STORED: Json = {
  type: 'object',
  required: ['url', 'name', 'type', 'size'],
  properties: {
    url: { type: 'string', description: 'Address of the file; every call takes it as the value of a file field' },
    name: { type: 'string', description: 'As it was sent' },
    type: { type: 'string', description: 'Media type, as the bytes show it' },
    size: { type: 'integer', minimum: 1, description: 'Bytes' },
  },
};

const EXAMPLE = { url: '/upload/AbCdEfGhIjKlMnOpQrStUv.png', name: 'plan.png', type: 'image/png', size: 48213 };

const ANSWER: Json = {
  'application/json': {
    schema: {
      type: 'object',
      required: ['error', 'results'],
      properties: { error: { type: 'boolean', const: false }, results: STORED },
    },
    example: { error: false, results: EXAMPLE },
  },
};

const DESCRIPTIONS = {
  public: 'A file that no row uses may be removed after a day.',
  app: 'The app writes a schema with files by some call. A file that no row uses may be removed after a day.',
  user: 'The token has a scope with a call that writes a schema with files. A file that no row uses may be removed after a day.',
} as const;

function toOperation(upload: UploadCall, { model }: Plan): Json {
  const { access, name } = upload;
  const isGuarded = access !== 'public';
  const limited = isGuarded ? RATE_HEADERS : {};
  const statuses = [400, ...(isGuarded ? [401, 403] : []), 413, 415, 422, ...(isGuarded ? [429] : [])];
  return {
    operationId: name,
    summary: 'Upload a file',
    description: `Stores one file, and answers its address. ${DESCRIPTIONS[access]}`,
    tags: [access],
    requestBody: { required: true, content: { 'multipart/form-data': { schema: schemaRef(FORM_NAME) } } },
    responses: {
      201: {
        description: 'Stored',
        headers: { Location: headerRef('Location'), ...limited, 'X-Request-Id': headerRef('X-Request-Id', true) },
        content: ANSWER,
      },
      ...Object.fromEntries(statuses.map((status) => [status, responseRef(`problem${status}`)])),
      default: responseRef('problem'),
    },
    security: listSecurity(toUploadPlan(upload), model, false),
    'x-treadle-access': access,
  };
}

type Document = Json & {
  readonly paths: Json;
  readonly tags: readonly Json[];
  readonly components: { readonly schemas: Json };
};

/** The document with the calls that upload a file. */
export function withUploads<Made extends Document>(document: Made, plan: Plan): Made {
  const uploads = listUploadCalls(plan.calls, plan.model);
  if (uploads.length === 0) return document;
  const { components } = document;
  const missing = uploads.filter(({ access }) => !document.tags.some(({ name }) => name === access));
  const tags = missing.map(({ access }) => ({ name: access, description: TAG_TEXTS[access] }));
  const paths = uploads.map((upload) => [upload.path, { post: toOperation(upload, plan) }] as const);
  return {
    ...document,
    tags: [...document.tags, ...tags],
    paths: { ...document.paths, ...Object.fromEntries(paths) },
    components: { ...components, schemas: { ...components.schemas, [FORM_NAME]: FORM } },
  };
}
