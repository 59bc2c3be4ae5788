import { toSeconds } from '../../core/clock.ts';
import type { AppModel } from '../../model/model.ts';
import type { Context } from '../../plan/feature.ts';
import { deleteOldCodes, findAuthId, suspendOthers, upsertApp } from './sql.ts';

/** Makes or updates the rows of the apps that files define; a removed file suspends its app. */
export async function seedApps(context: Context): Promise<void> {
  const { database, clock } = context.services;
  const apps = [...context.plan.model.apps.values()];
  for (const app of apps) await seedApp(context, app);
  await suspendOthers(
    database,
    apps.map(({ definition }) => definition.clientId),
  );
  await deleteOldCodes(database, toSeconds(clock.now()));
}

async function seedApp({ services }: Context, { name, definition }: AppModel): Promise<void> {
  const { database, clock } = services;
  const owner = definition.owner === undefined ? undefined : await findAuthId(database, definition.owner);
  await upsertApp(database, {
    client_id: definition.clientId,
    name,
    title: definition.title,
    secret_hash: definition.secretHash?.replace(/^sha256:/, '') ?? null,
    owner_auth_id: owner ?? null,
    website: definition.website ?? null,
    redirect_uris: JSON.stringify(definition.redirectUris ?? []),
    scopes: JSON.stringify(definition.scopes ?? []),
    webhook: definition.webhook ?? null,
    hooks: JSON.stringify(definition.hooks ?? []),
    remember_consent: definition.rememberConsent === true ? 1 : 0,
    active: 1,
    created_at: toSeconds(clock.now()),
  });
}
