import type { SystemTable } from '../../database/database.ts';

export const APP = 'treadle_app';
export const GRANT = 'treadle_grant';
export const CODE = 'treadle_code';
export const TOKEN = 'treadle_token';
export const TRAFFIC = 'treadle_app_traffic';
export const REQUEST = 'treadle_app_request';

const user = { type: 'integer', references: 'treadle_auth.auth_id' } as const;
const app = { type: 'integer', isRequired: true, references: `${APP}.app_id` } as const;

/** Values of an app's column `active`. An owner can resume a stopped app, but not a suspended one. */
export const APP_STATE = { suspended: 0, active: 1, stopped: 2 } as const;

/**
 * Times named `…_at` or `…_until` are unix seconds, except two of a code that decide a race: those are
 * milliseconds.
 */
export const tables: readonly SystemTable[] = [
  {
    name: APP,
    columns: [
      { name: 'app_id', type: 'id' },
      { name: 'client_id', type: 'text', isRequired: true },
      { name: 'name', type: 'text' },
      { name: 'title', type: 'text', isRequired: true },
      { name: 'secret_hash', type: 'text' },
      // The previous secret, valid until then.
      { name: 'old_secret_hash', type: 'text' },
      { name: 'old_secret_until', type: 'integer' },
      // A secret for trying the flow, valid for minutes.
      { name: 'trial_hash', type: 'text' },
      { name: 'trial_until', type: 'integer' },
      { name: 'owner_auth_id', type: 'integer' },
      { name: 'website', type: 'text' },
      { name: 'redirect_uris', type: 'json', isRequired: true },
      { name: 'scopes', type: 'json', isRequired: true },
      { name: 'webhook', type: 'text' },
      { name: 'hooks', type: 'json', isRequired: true },
      // Version of the secrets that sign its web hooks.
      { name: 'secret_version', type: 'integer', isRequired: true, default: 1 },
      { name: 'remember_consent', type: 'integer', isRequired: true, default: 0 },
      { name: 'pkce', type: 'text' },
      { name: 'unknown_scopes', type: 'text' },
      // Scopes with `approval` that it was given.
      { name: 'approved', type: 'json' },
      // Web hooks with `approval` that it was given: a hook and a scope may be named alike.
      { name: 'approved_hooks', type: 'json' },
      // One of APP_STATE.
      { name: 'active', type: 'integer', isRequired: true, default: 1 },
      // Name of its sandbox, its client id there, and when it was made.
      { name: 'sandbox', type: 'text' },
      { name: 'sandbox_client_id', type: 'text' },
      { name: 'sandbox_at', type: 'integer' },
      { name: 'created_at', type: 'integer', isRequired: true },
    ],
    indexes: [
      { name: 'treadle_app_client', columns: ['client_id'], isUnique: true },
      { name: 'treadle_app_owner', columns: ['owner_auth_id'] },
    ],
  },
  {
    name: GRANT,
    columns: [
      { name: 'grant_id', type: 'id' },
      { name: 'app_id', ...app },
      { name: 'auth_id', ...user, isRequired: true },
      { name: 'profile_id', type: 'integer', isRequired: true },
      { name: 'scopes', type: 'json', isRequired: true },
      { name: 'created_at', type: 'integer', isRequired: true },
      // When it last gave tokens.
      { name: 'used_at', type: 'integer' },
      { name: 'revoked_at', type: 'integer' },
    ],
    indexes: [
      { name: 'treadle_grant_user', columns: ['auth_id', 'app_id'] },
      { name: 'treadle_grant_app', columns: ['app_id', 'grant_id'] },
    ],
  },
  {
    name: CODE,
    columns: [
      { name: 'code_hash', type: 'key' },
      { name: 'grant_id', type: 'integer', isRequired: true, references: `${GRANT}.grant_id` },
      { name: 'app_id', ...app },
      { name: 'auth_id', ...user, isRequired: true },
      { name: 'profile_id', type: 'integer', isRequired: true },
      { name: 'redirect_uri', type: 'text', isRequired: true },
      // Whether the request named its redirect URI: then the exchange must too, unless a verifier proves
      // it.
      { name: 'redirect_named', type: 'integer', isRequired: true, default: 0 },
      { name: 'scopes', type: 'json', isRequired: true },
      { name: 'challenge', type: 'text' },
      // Number of wrong verifiers.
      { name: 'tries', type: 'integer', isRequired: true, default: 0 },
      // Whether the dialog told the user of the longer life that a refresh token gives.
      { name: 'refreshable', type: 'integer', isRequired: true, default: 0 },
      { name: 'created_at', type: 'integer', isRequired: true },
      { name: 'expires_at', type: 'integer', isRequired: true },
      { name: 'consumed_at', type: 'integer' },
      { name: 'committed_at', type: 'integer' },
    ],
    indexes: [
      { name: 'treadle_code_expiry', columns: ['expires_at'] },
      { name: 'treadle_code_grant', columns: ['grant_id'] },
    ],
  },
  {
    name: TOKEN,
    columns: [
      { name: 'token_hash', type: 'key' },
      { name: 'secret_hash', type: 'text' },
      { name: 'kind', type: 'text', isRequired: true },
      { name: 'grant_id', type: 'integer', references: `${GRANT}.grant_id` },
      { name: 'app_id', ...app },
      { name: 'auth_id', ...user },
      { name: 'profile_id', type: 'integer' },
      { name: 'scopes', type: 'json', isRequired: true },
      { name: 'created_at', type: 'integer', isRequired: true },
      { name: 'expires_at', type: 'integer', isRequired: true },
      { name: 'consumed_at', type: 'integer' },
      // Seed for the successors of a used refresh token.
      { name: 'seed', type: 'text' },
      { name: 'revoked_at', type: 'integer' },
      { name: 'used_at', type: 'integer' },
    ],
    indexes: [
      { name: 'treadle_token_grant', columns: ['grant_id'] },
      { name: 'treadle_token_expiry', columns: ['expires_at'] },
    ],
  },
  {
    // Responses to an app per hour (unix seconds of its start); saved every few seconds, never by the
    // request.
    name: TRAFFIC,
    columns: [
      { name: 'traffic_id', type: 'id' },
      { name: 'app_id', type: 'integer', isRequired: true },
      { name: 'hour', type: 'integer', isRequired: true },
      { name: 'succeeded', type: 'integer', isRequired: true, default: 0 },
      { name: 'refused', type: 'integer', isRequired: true, default: 0 },
      { name: 'failed', type: 'integer', isRequired: true, default: 0 },
      { name: 'last_at', type: 'integer', isRequired: true },
    ],
    indexes: [
      { name: 'treadle_app_traffic_hour', columns: ['app_id', 'hour'], isUnique: true },
      { name: 'treadle_app_traffic_old', columns: ['hour'] },
    ],
  },
  {
    // The last requests of each app, saved with the counts above.
    name: REQUEST,
    columns: [
      { name: 'entry_id', type: 'id' },
      { name: 'app_id', type: 'integer', isRequired: true },
      // Unix milliseconds.
      { name: 'at', type: 'integer', isRequired: true },
      { name: 'method', type: 'text', isRequired: true },
      { name: 'path', type: 'text', isRequired: true },
      { name: 'status', type: 'integer', isRequired: true },
      { name: 'milliseconds', type: 'integer', isRequired: true },
      { name: 'request_id', type: 'text', isRequired: true },
    ],
    indexes: [{ name: 'treadle_app_request_app', columns: ['app_id', 'entry_id'] }],
  },
];
