import type { Contribution, Facts, RouteContribution } from '../../plan/feature.ts';
import { bindOwner, createOwnerNotice } from './client/owner.ts';
import { seedApps } from './client/seeds.ts';
import { createCounter, createTrafficWriter } from './client/traffic.ts';
import { endWithAccount } from './consent/account-end.ts';
import { dialogRoutes } from './consent/dialog-routes.ts';
import { grantedRoutes } from './consent/granted-routes.ts';
import { developerRoutes } from './developer/routes.ts';
import { endpointRoutes, toTokenEndpoint } from './endpoint/endpoint.ts';
import { findIssuerProblems } from './endpoint/issuer.ts';
import { metadataRoutes } from './endpoint/metadata.ts';
import { tokenRoutes } from './endpoint/token-route.ts';
import { userinfoRoutes } from './endpoint/userinfo.ts';
import { appApprove } from './events/app-approve.ts';
import { appCreate } from './events/app-create.ts';
import { appPendingSearch } from './events/app-pending-search.ts';
import { appRefresh } from './events/app-refresh.ts';
import { appRemove } from './events/app-remove.ts';
import { appRequestSearch } from './events/app-request-search.ts';
import { appRestore } from './events/app-restore.ts';
import { appSandboxCreate } from './events/app-sandbox-create.ts';
import { appSandboxRemove } from './events/app-sandbox-remove.ts';
import { appSearch } from './events/app-search.ts';
import { appSessionRemove } from './events/app-session-remove.ts';
import { appSessionSearch } from './events/app-session-search.ts';
import { appSuspend } from './events/app-suspend.ts';
import { appTraffic } from './events/app-traffic.ts';
import { appTrial } from './events/app-trial.ts';
import { appTrialToken } from './events/app-trial-token.ts';
import { appUpdate } from './events/app-update.ts';
import { grantRemove } from './events/grant-remove.ts';
import { grantSearch } from './events/grant-search.ts';
import { oauthIntrospect } from './events/oauth-introspect.ts';
import { oauthRevoke } from './events/oauth-revoke.ts';
import { oauthToken } from './events/oauth-token.ts';
import { restAccess } from './events/rest-access.ts';
import { restResource } from './events/rest-resource.ts';
import { restSourceAppDetail } from './events/rest-source-app-detail.ts';
import { restSourceOriginSearch } from './events/rest-source-origin-search.ts';
import { restSourceSessionDetail } from './events/rest-source-session-detail.ts';
import { sessionRemove } from './events/session-remove.ts';
import { webhookAppRename } from './events/webhook-app-rename.ts';
import { webhookAppRotate } from './events/webhook-app-rotate.ts';
import { webhookAppSearch } from './events/webhook-app-search.ts';
import { webhookSubscriberSearch } from './events/webhook-subscriber-search.ts';
import { tables } from './tables.ts';
import { createTidier } from './tidier.ts';
import { createUseWriter } from './token/last-use.ts';
import { sessions } from './token/sessions.ts';

/** OAuth 2.1 has one form of the exchange: there the classic path is an alias of the standard endpoint. */
function listRoutes({ settings }: Facts['model']): RouteContribution[] {
  // People still see and end what they once allowed.
  if (settings.api === false) return [...grantedRoutes];
  return [
    ...dialogRoutes,
    ...(settings.oauth.mode === 'strict' ? toTokenEndpoint('/rest/access') : tokenRoutes),
    ...endpointRoutes,
    ...userinfoRoutes,
    ...metadataRoutes,
    ...grantedRoutes,
    ...(settings.api ? developerRoutes : []),
  ];
}

/** Tokens act for users, and users need profiles: without a `profile` schema there is no OAuth. */
export function contribute({ model, isDevelopment }: Facts): Contribution {
  if (!model.schemas.has('profile')) return {};
  return {
    tables,
    ownTables: [sessions],
    events: [
      restAccess,
      restResource,
      restSourceAppDetail,
      restSourceSessionDetail,
      restSourceOriginSearch,
      webhookAppSearch,
      webhookAppRename,
      webhookAppRotate,
      webhookSubscriberSearch,
      appCreate,
      appSearch,
      appPendingSearch,
      appUpdate,
      appRefresh,
      appRemove,
      appApprove,
      appSuspend,
      appRestore,
      appTraffic,
      appRequestSearch,
      appTrial,
      appSandboxCreate,
      appSandboxRemove,
      appTrialToken,
      appSessionSearch,
      appSessionRemove,
      ...sessions.events,
      sessionRemove,
      grantSearch,
      grantRemove,
      oauthToken,
      oauthRevoke,
      oauthIntrospect,
    ],
    routes: listRoutes(model),
    workers: [createUseWriter, createTrafficWriter, createTidier, createOwnerNotice],
    seeds: [seedApps],
    commits: [endWithAccount, bindOwner],
    answers: [createCounter],
    problems: findIssuerProblems(model.settings, isDevelopment),
  };
}
