import { isDatabaseThere } from '../../database/file.ts';
import { type Application, withApplication } from '../application.ts';
import { readSettings } from '../database.ts';
import type { Invocation } from '../spec.ts';
import { readDefinitions } from './definition.ts';

/** An app that was registered in the browser, or that lost its definition file. */
export interface RegisteredApp {
  /** Name of its former file; null for an app from the browser. */
  readonly name: string | null;
  readonly title: string;
  readonly clientId: string;
  readonly state: 'active' | 'suspended';
  readonly isPublic: boolean;
  /** E-mail of the owner's account. */
  readonly owner: string | null;
  readonly website: string | null;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  /** Approved scopes, including scopes that are no longer defined. */
  readonly approved: readonly string[];
  /** Scopes that wait for `treadle app approve`. */
  readonly pending: readonly string[];
  readonly webhook: string | null;
  readonly hooks: readonly string[];
  /** Approved web hooks, including hooks that are no longer defined. */
  readonly approvedHooks: readonly string[];
  /** Web hooks that wait for approval. */
  readonly pendingHooks: readonly string[];
}

type Row = Readonly<Record<string, unknown>>;

/** A list as a row of the database has it: as JSON, or read. */
export function readList(value: unknown): string[] {
  const list: unknown = typeof value === 'string' && value !== '' ? JSON.parse(value) : value;
  return Array.isArray(list) ? list.map(String) : [];
}

const findText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

function describeApp({ plan }: Application, row: Row): RegisteredApp {
  const [scopes, approved] = [readList(row.scopes), readList(row.approved)];
  const [hooks, approvedHooks] = [readList(row.hooks), readList(row.approved_hooks)];
  const guarded = new Set(plan.hooks.filter(({ definition }) => definition.approval === true).map(({ name }) => name));
  const isPending = (slug: string): boolean =>
    plan.model.scopes.get(slug)?.definition.approval === true && row.name === null && !approved.includes(slug);
  return {
    name: findText(row.name),
    title: String(row.title),
    clientId: String(row.client_id),
    state: row.active === 1 ? 'active' : 'suspended',
    isPublic: findText(row.secret_hash) === null,
    owner: findText(row.auth_slug),
    website: findText(row.website),
    redirectUris: readList(row.redirect_uris),
    scopes,
    approved,
    pending: scopes.filter(isPending),
    webhook: findText(row.webhook),
    hooks,
    approvedHooks,
    pendingHooks: hooks.filter((name) => guarded.has(name) && row.name === null && !approvedHooks.includes(name)),
  };
}

/** Finds an app by name or client id: an app without a file, or otherwise the name of a file, which may be missing. */
export async function findApp(invocation: Invocation, name: string): Promise<string | RegisteredApp> {
  const { app } = await readDefinitions(invocation);
  // Client ids issued in the browser have this prefix, so a typo in a name opens no database.
  if (app.has(name) || !name.startsWith('app_')) return name;
  const file = [...app].find(([, { value }]) => value.clientId === name)?.[0];
  return file ?? (await readRegistered(invocation)).find(({ clientId }) => clientId === name) ?? name;
}

/** Apps without a definition file; none if there is no database yet, or the API is not open. */
export async function readRegistered(invocation: Invocation): Promise<RegisteredApp[]> {
  const { url } = (await readSettings(invocation)).database;
  if (!isDatabaseThere(url, invocation.root())) return [];
  return withApplication(invocation, async (app) => {
    const { plan, services } = app;
    if (!plan.tables.some(({ name }) => name === 'treadle_app')) return [];
    const rows = await services.database.kysely
      .selectFrom('treadle_app')
      .leftJoin('treadle_auth', 'treadle_auth.auth_id', 'treadle_app.owner_auth_id')
      .selectAll('treadle_app')
      .select('treadle_auth.auth_slug')
      .orderBy('app_id')
      .execute();
    const known = new Set([...plan.model.apps.values()].map(({ definition }) => definition.clientId));
    return rows.filter((row) => !known.has(String(row.client_id))).map((row) => describeApp(app, row));
  });
}
