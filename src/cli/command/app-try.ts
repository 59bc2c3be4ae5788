import type { Response } from '../../core/request/response.ts';
import { toDidYouMean } from '../../core/text/suggest.ts';
import { readAddress } from '../address.ts';
import { type Application, refuseFailure, withApplication } from '../application.ts';
import { readDefinitions } from '../change/definition.ts';
import { readList } from '../change/registered.ts';
import { createUsageError } from '../failure.ts';
import { findRunning } from '../running.ts';
import { type CommandSpec, findText, getChoice, getText, type Invocation } from '../spec.ts';
import { openSession } from '../trial/session.ts';
import { type Step, TRIAL_DOORS, type TrialResult, walkFlow } from '../trial/walk.ts';

const WORDS: Readonly<Record<Step['name'], string>> = {
  ask: 'The app sends the user to the consent dialog',
  allow: 'The user allows',
  exchange: 'The app exchanges the code',
  call: 'The app calls for the user',
};

export const command: CommandSpec = {
  arguments: [{ name: 'name', description: 'name of the app, or client id of one registered in the browser' }],
  options: [
    { name: 'as', value: 'email', description: 'e-mail of the user who allows it', isRequired: true },
    {
      name: 'url',
      value: 'address',
      description:
        "URL of the running server. Default: the running treadle dev, the settings' base URL, or localhost with PORT",
    },
    { name: 'door', value: 'door', description: 'which endpoints to use', choices: TRIAL_DOORS, default: 'standard' },
    {
      name: 'secret',
      value: 'secret',
      description: 'the client secret; without it, a temporary one that works for ten minutes',
    },
  ],
  isWriting: true,
  examples: [
    'treadle app try reader --as ann@example.org',
    'treadle app try reader --as ann@example.org --door classic --json',
  ],
  async run(invocation) {
    const { values, terminal } = invocation;
    const name = getText(values, 'name');
    const clientId = await findClientId(invocation, name);
    if (invocation.isDryRun) {
      const lines = [`would run the flow of ${clientId} as ${getText(values, 'as')}`];
      return { data: { clientId, as: getText(values, 'as'), isDryRun: true }, lines };
    }
    return withApplication(invocation, async (app) => {
      const url = findUrl(invocation, app);
      const walked = await walk(invocation, app, { clientId, url });
      terminal.say(
        'The code, the token and the secret below are real. The user can withdraw the access at /auth/apps.',
      );
      const { steps, accessToken, scopes } = walked;
      return {
        data: { clientId, as: getText(values, 'as'), url, accessToken, scopes, steps },
        lines: steps.flatMap(toLines),
        next: [`${url}/auth/apps, where the user can withdraw the access`],
      };
    });
  },
};

/** Client id of a definition; any other name is taken as a client id. */
async function findClientId(invocation: Invocation, name: string): Promise<string> {
  const { app } = await readDefinitions(invocation);
  return app.get(name)?.value.clientId ?? name;
}

function findUrl(invocation: Invocation, { plan }: Application): string {
  const given = findText(invocation.values, 'url')?.replace(/\/+$/, '');
  if (given !== undefined && !/^https?:\/\/[^/]+/.test(given)) {
    throw createUsageError(`--url can't be "${given}".`, 'Write a URL such as --url http://127.0.0.1:3000.');
  }
  const { port } = readAddress(invocation);
  const running = findRunning(invocation.root());
  return given ?? running ?? plan.model.settings.server.baseUrl ?? `http://127.0.0.1:${port}`;
}

/** A client secret for this trial. @throws CLI_USAGE if neither a file nor a row defines the app. */
async function makeTrial(app: Application, name: string, clientId: string): Promise<Response> {
  const made = await app.emit('app-trial', { client_id: clientId });
  if (made.getStatus() !== 404) {
    refuseFailure(made);
    return made;
  }
  const near = toDidYouMean(name, app.plan.model.apps.keys());
  throw createUsageError(
    `There is no app "${name}".`,
    `${near} Use its file name or its client id. List them: treadle app list`,
  );
}

async function walk(
  invocation: Invocation,
  app: Application,
  { clientId, url }: { readonly clientId: string; readonly url: string },
): Promise<TrialResult> {
  const { values } = invocation;
  const made = await makeTrial(app, getText(values, 'name'), clientId);
  const row = await app.services.database.kysely
    .selectFrom('treadle_app')
    .select('redirect_uris')
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  const trialSecret = made.getResults('client_secret');
  const session = await openSession(app, getText(values, 'as'), url.startsWith('https:'));
  try {
    return await walkFlow({
      outbound: app.services.outbound,
      url,
      door: getChoice(values, 'door', TRIAL_DOORS),
      clientId,
      secret: findText(values, 'secret') ?? (typeof trialSecret === 'string' ? trialSecret : undefined),
      redirectUris: readList(row?.redirect_uris),
      cookie: session.cookie,
      calls: app.plan.calls,
    });
  } finally {
    await session.end();
  }
}

function toLines({ name, curl, status, body, location }: Step, index: number): string[] {
  const answer =
    body === undefined ? (location === undefined ? [] : [`-> ${location}`]) : JSON.stringify(body, null, 2).split('\n');
  return [
    `${index + 1}. ${WORDS[name]}`,
    '',
    ...curl.split('\n').map((line) => `   ${line}`),
    '',
    `   ${status}`,
    ...answer.map((line) => `   ${line}`),
    '',
  ];
}
