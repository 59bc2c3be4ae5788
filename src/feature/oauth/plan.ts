import type { Contribution, Facts } from '../../plan/feature.ts';
import { developerRoutes } from './developer-routes.ts';
import { dialogRoutes } from './dialog-routes.ts';
import { appCreate } from './events/app-create.ts';
import { appRefresh } from './events/app-refresh.ts';
import { appRemove } from './events/app-remove.ts';
import { appUpdate } from './events/app-update.ts';
import { restAccess } from './events/rest-access.ts';
import { restResource } from './events/rest-resource.ts';
import { restSourceAppDetail } from './events/rest-source-app-detail.ts';
import { restSourceSessionDetail } from './events/rest-source-session-detail.ts';
import { webhookReceiverSearch } from './events/webhook-receiver-search.ts';
import { createUseWriter } from './last-use.ts';
import { seedApps } from './seeds.ts';
import { tables } from './tables.ts';
import { tokenRoutes } from './token-route.ts';

/** Tokens act for users, and users hang on profiles: a model without a `profile` schema has none of this. */
export function contribute({ model }: Facts): Contribution {
  if (!model.schemas.has('profile')) return {};
  return {
    tables,
    events: [
      restAccess,
      restResource,
      restSourceAppDetail,
      restSourceSessionDetail,
      webhookReceiverSearch,
      appCreate,
      appUpdate,
      appRefresh,
      appRemove,
    ],
    routes: [...dialogRoutes, ...tokenRoutes, ...(model.settings.api ? developerRoutes : [])],
    workers: [createUseWriter],
    seeds: [seedApps],
  };
}
