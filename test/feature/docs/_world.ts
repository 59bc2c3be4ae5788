import { join } from 'node:path';
import { systemClock } from '../../../src/core/clock.ts';
import { packageRoot } from '../../../src/core/file/package-root.ts';
import { Memory } from '../../../src/core/memory.ts';
import { docs } from '../../../src/feature/docs/index.ts';
import { createViews } from '../../../src/pages/view.ts';
import { activatePlan } from '../../../src/plan/activate.ts';
import { type CompiledPlan, compilePlan } from '../../../src/plan/compile.ts';
import { createDraft } from '../../../src/plan/draft.ts';
import type { Context, Services, Views } from '../../../src/plan/feature.ts';
import { FILES, SCHEMAS, toModel } from '../rest/_world.ts';

/** Text that breaks a page, a shell or a JSON document without escaping. */
export const NASTY = `<script>alert('"&{{x}}')</script>`;

const article = {
  name: 'article',
  singular: 'Article',
  plural: 'Articles',
  description: NASTY,
  fields: [
    { name: 'title', type: 'text', required: true, searchable: true, sortable: true, unique: true },
    { name: 'detail', type: 'wysiwyg', label: NASTY },
    { name: 'kind', type: 'select', filterable: true, options: [{ key: "it's", value: 'News' }] },
    { name: 'secret', type: 'password' },
    { name: 'price', type: 'price', validation: [{ method: 'gt', parameters: 5, message: `More than 5 ${NASTY}` }] },
    { name: 'active', type: 'active' },
    { name: 'published', type: 'datetime', sortable: true, filterable: true },
  ],
  relations: [{ schema: 'comment', kind: '1:N' }],
};

const more = { access: 'public', parameters: { schema: 'article' } };

export const DOC_FILES = {
  ...FILES,
  schema: { ...SCHEMAS, article },
  rest: {
    ...FILES.rest,
    'public-article-search': {
      ...more,
      title: NASTY,
      method: 'get',
      path: '/public/article/search',
      event: 'system-model-search',
    },
    'public-article-detail': {
      ...more,
      title: 'One article',
      description: NASTY,
      method: 'get',
      path: '/public/article/detail/:article_id',
      event: 'system-model-detail',
    },
    'app-article-create': {
      ...more,
      access: 'app',
      title: 'Write an article',
      method: 'post',
      path: '/app/article/create',
      event: 'system-model-create',
    },
    'app-article-remove': {
      ...more,
      access: 'app',
      title: 'Remove an article',
      method: 'delete',
      path: '/app/article/remove',
      event: 'system-model-remove',
    },
  },
  scope: {
    ...FILES.scope,
    nasty: { slug: 'nasty', name: NASTY, access: 'user', description: NASTY, calls: ['user-lost'] },
  },
  webhook: {
    'profile-created': {
      title: NASTY,
      event: 'system-model-create',
      parameters: { schema: 'profile' },
      type: 'profile.created',
      description: NASTY,
    },
  },
};

export function createDocs(
  settings: object = {},
  webhook: Record<string, unknown> = {},
): { plan: CompiledPlan; context: Context; views: Views } {
  const model = toModel(
    { ...DOC_FILES, webhook: { ...DOC_FILES.webhook, ...webhook } },
    { name: `Ann's "site"`, api: true, ...settings },
  );
  const draft = createDraft();
  const { plan } = compilePlan({ model, draft, features: [docs], isDevelopment: false });
  const views = createViews({ folder: join(packageRoot, 'templates'), clock: systemClock });
  const services = {
    memory: new Memory(),
    views,
    sessions: { formToken: () => 'form-token' },
    baseUrl: () => 'http://127.0.0.1:3000',
  } as unknown as Services;
  return { plan, context: activatePlan(plan, services), views };
}
