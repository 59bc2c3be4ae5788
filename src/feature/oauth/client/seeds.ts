import { toSeconds } from '../../../core/clock.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { AppModel } from '../../../model/model.ts';
import type { Context } from '../../../plan/feature.ts';
import { deleteOldCodes, findFileApps, hasOldCodes, suspendOthers, upsertApp } from '../sql.ts';
import { toOptional } from './app-row.ts';
import { findOwner } from './owner.ts';
import { OVERLAP_SECONDS } from './registration.ts';

/**
 * Creates or updates the rows of apps in definition files, and suspends apps with a removed file. Writes
 * only differences, so that an unchanged start needs no disk write.
 */
export async function seedApps(context: Context): Promise<void> {
  const { database, clock } = context.services;
  const apps = [...context.plan.model.apps.values()];
  const known = new Map((await findFileApps(database)).map((row) => [row.client_id, row]));
  const wanted = await Promise.all(apps.map((app) => prepareRow(context, app)));
  const changed = wanted.filter((row) => isChanged(row, known.get(row.client_id)));
  const now = toSeconds(clock.now());
  const defined = new Set(apps.map(({ definition }) => definition.clientId));
  const isSuspending = [...known.values()].some((row) => row.active === 1 && !defined.has(String(row.client_id)));
  const isPurging = await hasOldCodes(database, now);
  if (changed.length === 0 && !isSuspending && !isPurging) return;
  await database.write(async () => {
    for (const row of changed) {
      const secret = rotateSecret(row, known.get(row.client_id), now);
      await upsertApp(database, { ...row, ...secret, created_at: now });
    }
    if (isSuspending) await suspendOthers(database, [...defined]);
    if (isPurging) await deleteOldCodes(database, now);
  });
}

/** A new secret in the file: the previous one remains valid for a day, so that an app can switch. */
function rotateSecret(wanted: Row, known: Row | undefined, now: number): Row {
  const old = toOptional(known?.secret_hash);
  if (old === undefined || wanted.secret_hash === old || wanted.secret_hash === null) return {};
  return { old_secret_hash: old, old_secret_until: now + OVERLAP_SECONDS };
}

function isChanged(wanted: Row, known: Row | undefined): boolean {
  return known === undefined || Object.keys(wanted).some((column) => wanted[column] !== known[column]);
}

async function prepareRow({ services }: Context, { name, definition }: AppModel): Promise<Row> {
  const owner = await findOwner(services.database, definition);
  return {
    client_id: definition.clientId,
    name,
    title: definition.title,
    secret_hash: definition.secretHash?.replace(/^sha256:/, '') ?? null,
    owner_auth_id: owner?.isBound ? owner.authId : null,
    website: definition.website ?? null,
    redirect_uris: JSON.stringify(definition.redirectUris ?? []),
    scopes: JSON.stringify(definition.scopes ?? []),
    webhook: definition.webhook ?? null,
    hooks: JSON.stringify(definition.hooks ?? []),
    secret_version: definition.secretVersion ?? 1,
    remember_consent: definition.rememberConsent === true ? 1 : 0,
    pkce: definition.pkce === 'optional' ? 'optional' : null,
    unknown_scopes: definition.unknownScopes === 'ignore' ? 'ignore' : null,
    active: 1,
  };
}
