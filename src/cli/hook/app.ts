import { toDidYouMean } from '../../core/text/suggest.ts';
import type { Definitions } from '../../model/definitions.ts';
import { type Application, withApplication } from '../application.ts';
import { readDefinitions } from '../change/definition.ts';
import { createUsageError } from '../failure.ts';
import type { Invocation } from '../spec.ts';

/** An app that receives web hooks, by its definition's name or by its client id. */
export interface HookApp {
  readonly clientId: string;
  /** Name of its definition file; undefined where it was registered in the browser. */
  readonly name: string | undefined;
  /** The version that its signing secrets are made from. */
  readonly secretVersion: number;
}

interface AppRow {
  readonly client_id: string;
  readonly secret_version: number;
}

function findDefined(definitions: Definitions, word: string): HookApp | undefined {
  for (const [name, { value }] of definitions.app) {
    if (name !== word && value.clientId !== word) continue;
    return { name, clientId: value.clientId, secretVersion: value.secretVersion ?? 1 };
  }
  return undefined;
}

async function findRegistered(app: Application, clientId: string): Promise<HookApp | undefined> {
  if (!app.plan.events.some(({ name }) => name === 'webhook-app-search')) return undefined;
  const response = await app.emit('webhook-app-search', { client_id: clientId });
  const row = response.getResults<AppRow | undefined>('rows', 0);
  return row && { name: undefined, clientId: row.client_id, secretVersion: row.secret_version };
}

/** Whether the log has a delivery that a stage selects. */
export async function isLogged(app: Application, stage: Readonly<Record<string, string>>): Promise<boolean> {
  const answer = await app.emit('webhook-delivery-search', { ...stage, limit: 1 });
  return !answer.isError() && answer.getResults('rows', 0) !== undefined;
}

const createUnknown = (definitions: Definitions, word: string) =>
  createUsageError(
    `There is no app "${word}".`,
    `${toDidYouMean(word, definitions.app.keys())} Use a name in config/app or a client id. List them: treadle app list`,
  );

/** The app that `--app` names. @throws CLI_USAGE where there is none. */
export async function getHookApp(invocation: Invocation, definitions: Definitions, word: string): Promise<HookApp> {
  const found =
    findDefined(definitions, word) ?? (await withApplication(invocation, (app) => findRegistered(app, word)));
  if (found) return found;
  throw createUnknown(definitions, word);
}

/** The client id of the app that `--app` names. @throws CLI_USAGE if there is no such app. */
export const getClient = async (invocation: Invocation, word: string): Promise<string> =>
  (await getHookApp(invocation, await readDefinitions(invocation), word)).clientId;

/** The client id of the app that `--app` names; of one that is no more, the log may know it. @throws CLI_USAGE where there is none. */
export async function findLoggedClient(invocation: Invocation, word: string): Promise<string> {
  const definitions = await readDefinitions(invocation);
  const defined = findDefined(definitions, word);
  if (defined) return defined.clientId;
  return withApplication(invocation, async (app) => {
    if (await findRegistered(app, word)) return word;
    if (await isLogged(app, { client_id: word })) return word;
    throw createUnknown(definitions, word);
  });
}
