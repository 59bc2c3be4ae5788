import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Settings } from '../model/shape.ts';
import { overrideSettings, readEnvironment } from '../project/environment.ts';
import { withApplication } from './application.ts';
import { readDefinitions } from './definition.ts';
import type { Invocation } from './spec.ts';

export interface RegisteredApp {
  readonly name: string | null;
  readonly title: string;
  readonly clientId: string;
}

/** Apps that were registered in the browser; none where there is no database yet, or the API is not open. */
export async function readRegistered(invocation: Invocation): Promise<RegisteredApp[]> {
  if (!(await hasDatabase(invocation))) return [];
  return withApplication(invocation, async ({ plan, services }) => {
    if (!plan.tables.some(({ name }) => name === 'treadle_app')) return [];
    const rows = await services.database.kysely
      .selectFrom('treadle_app')
      .select(['name', 'title', 'client_id'])
      .where('name', 'is', null)
      .orderBy('app_id')
      .execute();
    return rows.map((row) => ({ name: null, title: String(row.title), clientId: String(row.client_id) }));
  });
}

async function hasDatabase(invocation: Invocation): Promise<boolean> {
  const root = invocation.root();
  const definitions = await readDefinitions(invocation);
  const settings = Settings.parse(definitions.settings.value);
  const { url } = overrideSettings(settings, readEnvironment(root, invocation.env)).database;
  return !url.startsWith('sqlite:') || existsSync(resolve(root, url.slice('sqlite:'.length).replace(/^\/\//, '')));
}
