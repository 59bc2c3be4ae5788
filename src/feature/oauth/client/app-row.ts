import * as z from 'zod';
import type { Row } from '../../../database/row-statement.ts';
import { APP_STATE } from '../tables.ts';

/** The sandbox of an app. */
export interface AppSandbox {
  readonly name: string;
  /** The app's client id in it. */
  readonly clientId: string;
  /** Unix seconds. */
  readonly createdAt: number;
}

/** A stored app, from a file or registered in the browser. */
export interface ClientApp {
  readonly appId: number;
  readonly clientId: string;
  /** Name of its definition file; undefined if registered in the browser. */
  readonly name: string | undefined;
  readonly title: string;
  /** Undefined for a public client, which cannot keep a secret. */
  readonly secretHash: string | undefined;
  /** The previous secret, valid until `oldSecretUntil` (unix seconds). */
  readonly oldSecretHash: string | undefined;
  readonly oldSecretUntil: number;
  /** The secret for trying the flow, valid until `trialUntil` (unix seconds). */
  readonly trialHash: string | undefined;
  readonly trialUntil: number;
  readonly ownerAuthId: number | undefined;
  readonly website: string | undefined;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly webhook: string | undefined;
  readonly hooks: readonly string[];
  /** Version of the secrets that sign its web hooks, from 1. */
  readonly secretVersion: number;
  readonly isRemembering: boolean;
  /** Whether it may omit PKCE at the standard endpoint. */
  readonly isPkceOptional: boolean;
  /** Whether unknown scopes are ignored instead of refused. */
  readonly isIgnoringScopes: boolean;
  /** Slugs of scopes that need approval and have it. */
  readonly approved: readonly string[];
  /** Names of the web hooks that need approval and have it. */
  readonly approvedHooks: readonly string[];
  /** Its sandbox; undefined if it has none. */
  readonly sandbox: AppSandbox | undefined;
  readonly isActive: boolean;
  /** Whether its owner stopped it; a suspended app is neither active nor stopped. */
  readonly isStopped: boolean;
  readonly createdAt: number;
}

/** The ids of an app, as results of events have them. */
export const appIds = () => ({ app_id: z.number(), client_id: z.string() });

export const toAppIds = ({ appId, clientId }: Pick<ClientApp, 'appId' | 'clientId'>) => ({
  app_id: appId,
  client_id: clientId,
});

/** A stored list of texts: JSON text, or what a driver that knows JSON made of it. */
export function parseList(value: unknown): string[] {
  const list: unknown = typeof value === 'string' && value !== '' ? JSON.parse(value) : value;
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}

export const toOptional = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** A stored number; null without one. */
export const toNullable = (value: unknown): number | null =>
  value === null || value === undefined ? null : Number(value);

function parseSandbox(row: Row): AppSandbox | undefined {
  const name = toOptional(row.sandbox);
  return name === undefined
    ? undefined
    : { name, clientId: String(row.sandbox_client_id), createdAt: Number(row.sandbox_at) };
}

export function parseApp(row: Row): ClientApp {
  return {
    appId: Number(row.app_id),
    clientId: String(row.client_id),
    name: toOptional(row.name),
    title: String(row.title),
    secretHash: toOptional(row.secret_hash),
    oldSecretHash: toOptional(row.old_secret_hash),
    oldSecretUntil: Number(row.old_secret_until ?? 0),
    trialHash: toOptional(row.trial_hash),
    trialUntil: Number(row.trial_until ?? 0),
    ownerAuthId: row.owner_auth_id === null ? undefined : Number(row.owner_auth_id),
    website: toOptional(row.website),
    redirectUris: parseList(row.redirect_uris),
    scopes: parseList(row.scopes),
    webhook: toOptional(row.webhook),
    hooks: parseList(row.hooks),
    secretVersion: Number(row.secret_version ?? 1),
    isRemembering: row.remember_consent === 1,
    isPkceOptional: row.pkce === 'optional',
    isIgnoringScopes: row.unknown_scopes === 'ignore',
    approved: parseList(row.approved),
    approvedHooks: parseList(row.approved_hooks),
    sandbox: parseSandbox(row),
    isActive: row.active === APP_STATE.active,
    isStopped: row.active === APP_STATE.stopped,
    createdAt: Number(row.created_at),
  };
}
