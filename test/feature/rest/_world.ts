import * as z from 'zod';
import { type Access, getAccess } from '../../../src/core/access.ts';
import { systemClock, systemRandom } from '../../../src/core/clock.ts';
import { silentLog } from '../../../src/core/log/log.ts';
import { Memory } from '../../../src/core/memory.ts';
import { Request } from '../../../src/core/request/request.ts';
import { Response } from '../../../src/core/request/response.ts';
import { createRootSecret } from '../../../src/core/secret/secret.ts';
import { WriteMoments } from '../../../src/database/version/table-version.ts';
import { rest } from '../../../src/feature/rest/index.ts';
import { type Definitions, linkModel } from '../../../src/model/link.ts';
import type { Model } from '../../../src/model/model.ts';
import { parseDefinition } from '../../../src/model/parse.ts';
import type { FileKind } from '../../../src/model/shape.ts';
import { activatePlan } from '../../../src/plan/activate.ts';
import { type CompiledPlan, compilePlan } from '../../../src/plan/compile.ts';
import { createDraft } from '../../../src/plan/draft.ts';
import type { CallPlan, Context, Feature, Services } from '../../../src/plan/feature.ts';
import { toEvent } from '../../plan/_event.ts';

type Files = Partial<Record<FileKind, Record<string, unknown>>>;

/** Links a model from definitions in a test. */
export function toModel(files: Files, settings: unknown = {}): Model {
  const parse = (kind: FileKind, name: string, value: unknown) => {
    const { source, problems } = parseDefinition(kind, `config/${kind}/${name}.json`, JSON.stringify(value));
    if (!source) throw new Error(JSON.stringify(problems));
    return source;
  };
  const kinds = ['schema', 'fieldset', 'rest', 'scope', 'webhook', 'app', 'role'] as const;
  const definitions = Object.fromEntries(
    kinds.map((kind) => [
      kind,
      new Map(Object.entries(files[kind] ?? {}).map(([name, value]) => [name, parse(kind, name, value)])),
    ]),
  );
  const { model, problems } = linkModel({
    ...definitions,
    settings: parse('settings', 'settings', settings),
    broken: new Set(),
  } as unknown as Definitions);
  if (!model) throw new Error(JSON.stringify(problems, null, 2));
  return model;
}

const call = (access: string, method: string, path: string, event: string, more: object = {}) => ({
  title: `${access} ${event}`,
  access,
  method,
  path,
  event,
  parameters: { schema: 'comment' },
  ...more,
});

export const SCHEMAS = {
  profile: {
    name: 'profile',
    singular: 'Profile',
    plural: 'Profiles',
    fields: [
      { name: 'name', type: 'text', required: true },
      { name: 'created', type: 'created' },
    ],
  },
  comment: {
    name: 'comment',
    singular: 'Comment',
    plural: 'Comments',
    fields: [
      { name: 'detail', type: 'textarea', required: true },
      { name: 'active', type: 'active' },
      { name: 'created', type: 'created', sortable: true },
    ],
    relations: [{ schema: 'profile', kind: '1:1' }],
  },
};

const profile = { parameters: { schema: 'profile' } };

/** Calls of every access and method, a scope of each kind. */
export const FILES: Files = {
  schema: SCHEMAS,
  rest: {
    'public-comment-search': call('public', 'get', '/public/comment/search', 'system-model-search'),
    'public-comment-detail': call('public', 'get', '/public/comment/detail/:comment_id', 'system-model-detail'),
    'public-comment-create': call('public', 'post', '/public/comment/create', 'system-model-create'),
    'public-unheard': call('public', 'get', '/public/unheard', 'nobody-listens', { parameters: {} }),
    'app-comment-search': call('app', 'get', '/app/comment/search', 'system-model-search'),
    'app-comment-create': call('app', 'post', '/app/comment/create', 'system-model-create'),
    'app-scoped': call('app', 'get', '/app/scoped', 'system-model-search'),
    'user-profile-detail': call('user', 'get', '/user/profile/detail', 'system-model-detail', profile),
    'user-comment-create': call('user', 'post', '/user/comment/create', 'system-model-create'),
    'user-comment-update': call('user', 'all', '/user/comment/update/:comment_id', 'system-model-update'),
    'user-open': call('user', 'get', '/user/open', 'system-model-search', { own: false }),
    'user-lost': call('user', 'get', '/user/lost', 'system-model-search'),
  },
  scope: {
    app_read: { slug: 'app_read', name: 'Read as an app', access: 'app', calls: ['app-scoped'] },
    profile_read: { slug: 'profile_read', name: 'See your profile', access: 'user', calls: ['user-profile-detail'] },
    comment_write: {
      slug: 'comment_write',
      name: 'Write comments',
      access: 'user',
      calls: ['user-comment-create', 'user-comment-update', 'user-open'],
    },
  },
};

export interface World {
  readonly plan: CompiledPlan;
  readonly context: Context;
  /** Requests that reached a model event. */
  readonly reached: { event: string; request: Request; access: Access }[];
  send(method: string, path: string, options?: Sent): Promise<{ request: Request; response: Response }>;
}

export interface Sent {
  readonly query?: Record<string, unknown>;
  readonly post?: Record<string, unknown>;
  readonly headers?: Record<string, string>;
}

/** What the calls of these tests send; a search refuses other parameters. */
const MODEL_STAGE = () =>
  z.object({
    schema: z.unknown(),
    q: z.unknown(),
    limit: z.unknown(),
    offset: z.unknown(),
    comment_id: z.unknown(),
    profile_id: z.unknown(),
  });

/** Replaces oauth and the schema feature: app `reader`, tokens `profile`, `writer`, `nothing`. */
function toSources(reached: World['reached']): Feature {
  const secrets: Record<string, string> = { profile: 'profile-secret', writer: 'writer-secret', nothing: 'no-secret' };
  const scopes: Record<string, string[]> = { profile: ['profile_read'], writer: ['comment_write'], nothing: [] };
  const listenApp = () => (request: Request, response: Response) => {
    const { client_id, client_secret, isSecretNeeded } = request.getStage() as Record<string, unknown>;
    const isKnown = client_id === 'reader' || client_id === 'scoped';
    const isRight = client_secret === 'right' || (client_secret === undefined && !isSecretNeeded);
    if (!isKnown || !isRight) return void response.setStatus(401).setError(true, 'no');
    response.setResults({ app_id: 1, client_id, scopes: client_id === 'scoped' ? ['app_read'] : [] });
  };
  const listenSession = () => (request: Request, response: Response) => {
    const { access_token, access_secret } = request.getStage() as Record<string, string>;
    const held = scopes[access_token ?? ''];
    const isRight = access_secret === undefined || access_secret === secrets[access_token ?? ''];
    if (!held || !isRight) return void response.setStatus(401).setError(true, 'no');
    response.setResults({ app_id: 1, client_id: 'reader', auth_id: 7, profile_id: 7, scopes: held });
  };
  const listenModel = () => (request: Request, response: Response, meta: { event: string }) => {
    reached.push({ event: meta.event, request, access: getAccess() });
    if (meta.event.endsWith('search')) response.setResults({ rows: [{ comment_id: 1 }], total: 3 });
    else if (Number(request.getStage('comment_id')) !== 404) {
      response.setResults({ comment_id: 5, client_secret: 'leak' });
    }
  };
  const models = ['search', 'detail', 'create', 'update'].map((action) => `system-model-${action}`);
  return {
    name: 'sources',
    contribute: () => ({
      events: [
        toEvent('rest-source-app-detail', listenApp),
        toEvent('rest-source-session-detail', listenSession),
        ...models.map((name) => toEvent(name, listenModel, { stage: MODEL_STAGE })),
      ],
    }),
  };
}

export function createWorld(
  settings: unknown = {},
  options: { files?: Files; calls?: CallPlan[]; limiter?: Services['limiter'] } = {},
): World {
  const draft = createDraft();
  draft.calls.push(...(options.calls ?? []));
  const reached: World['reached'] = [];
  const model = toModel(options.files ?? FILES, settings);
  const { plan } = compilePlan({ model, draft, features: [toSources(reached), rest], isDevelopment: false });
  const services = {
    memory: new Memory(),
    database: { recentVersions: { find: () => new WriteMoments().advance('1') } },
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
    secret: createRootSecret('test', systemRandom),
    limiter: options.limiter ?? {
      take: (_key: string, limit: number) => ({ isAllowed: true, left: limit - 1, retrySeconds: 0 }),
    },
    baseUrl: () => 'https://example.org',
  } as unknown as Services;
  const context = activatePlan(plan, services);
  return {
    plan,
    context,
    reached,
    async send(method, path, { query = {}, post = {}, headers = {} } = {}) {
      const server = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name === 'content-type' ? 'CONTENT_TYPE' : `HTTP_${name.toUpperCase().replace(/-/g, '_')}`,
          value,
        ]),
      );
      const request = new Request({
        // As the runtime does: the event keeps HEAD, the request reads as GET.
        method: method === 'HEAD' ? 'GET' : method,
        path,
        query: new URLSearchParams(query as Record<string, string>).toString(),
        get: () => query,
        post: () => ({ ...post }),
        server: () => server,
      });
      const response = new Response(request);
      await plan.bus.emit(`${method} ${path}`, request, response);
      return { request, response };
    },
  };
}
