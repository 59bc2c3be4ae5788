import * as z from 'zod';
import { toSeconds } from '../../../core/clock.ts';
import { translate } from '../../../core/text/translate.ts';
import { defineEvent, Rejection, reject } from '../../../plan/event/event.ts';
import type { Context } from '../../../plan/feature.ts';
import { isSandboxName, type SandboxApp } from '../../../plan/sandbox.ts';
import { appIds, type ClientApp, toAppIds } from '../client/app-row.ts';
import { anyOwnerStage, findShownApp } from '../client/owned-app.ts';
import { countSandboxes, NO_SANDBOX, updateSandbox } from '../client/sandbox-sql.ts';
import { lockApp, updateApp } from '../sql.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const NAME_LETTERS = 22;

/** A name that nobody guesses: 22 of 36 letters are 113 bits. */
function createName(random: Context['services']['random']): string {
  let name = '';
  // Bytes from 252 on would make some letters likelier.
  while (name.length < NAME_LETTERS)
    for (const byte of random(NAME_LETTERS)) if (byte < 252 && name.length < NAME_LETTERS) name += LETTERS[byte % 36];
  return name;
}

const toSandboxApp = (app: ClientApp): SandboxApp => ({
  ...app,
  isPublic: app.secretHash === undefined,
});

/** Takes a free place for the app's sandbox; a text says why there is none. */
async function takeRoom({ plan, services }: Context, app: ClientApp, name: string): Promise<string | undefined> {
  const { database, clock } = services;
  const most = plan.model.settings.sandboxes;
  return database.write(async () => {
    // Two apps must not take the last place together.
    await database.lock('app sandboxes');
    if ((await lockApp(database, app.appId))?.sandbox !== undefined)
      return translate('{title} has a sandbox already. Throw it away first.', { title: app.title });
    if ((await countSandboxes(database)) >= most)
      return translate('The site has {most} sandboxes, and no room for more. Try again later.', { most });
    const at = toSeconds(clock.now());
    await updateApp(database, app.appId, { sandbox: name, sandbox_client_id: '', sandbox_at: at });
    return undefined;
  });
}

const person = () => z.object({ email: z.string(), password: z.string() });

export const appSandboxCreate = defineEvent({
  name: 'app-sandbox-create',
  description: 'Makes a sandbox for an app: the site a second time, with rows, accounts and tokens of its own.',
  kind: 'silent',
  stage: () => z.object(anyOwnerStage()),
  results: () =>
    z
      .object({
        ...appIds(),
        title: z.string(),
        address: z.string(),
        client_secret: z.string().optional(),
        webhook_secrets: z.unknown().optional(),
        people: z.array(person()),
      })
      .describe(
        '`address` of the sandbox, `client_id` of the app in it, and, only this once, `client_secret`, `webhook_secrets` and `people` (accounts to log in with).',
      ),
  async run(choice, context, { request }) {
    const { database, random, sandboxes } = context.services;
    const app = await findShownApp(context, request, choice);
    if (app instanceof Rejection) return app;
    if (sandboxes === undefined || context.plan.model.settings.sandboxes === 0)
      return reject({ status: 404, code: 'SANDBOX_CLOSED', message: 'This site gives no sandboxes.' });
    if (!app.isActive)
      return reject({ status: 409, code: 'SANDBOX_REFUSED', message: 'The app is not active, so it gets no sandbox.' });
    const name = createName(random);
    const refused = isSandboxName(name) ? await takeRoom(context, app, name) : 'The random source is not random.';
    if (refused !== undefined) return reject({ status: 409, code: 'SANDBOX_REFUSED', message: refused });
    const made = { appId: app.appId, sandbox: name };
    try {
      const { client_id, ...credentials } = await sandboxes.create(name, toSandboxApp(app));
      const isThere = await database.write(() => updateSandbox(database, made, { sandbox_client_id: client_id }));
      if (isThere)
        return { ...toAppIds(app), title: app.title, address: sandboxes.address(name), ...credentials, client_id };
    } catch (error) {
      await database.write(() => updateSandbox(database, made, NO_SANDBOX));
      throw error;
    }
    await sandboxes.remove(name);
    const message = 'The sandbox was thrown away while it was being made.';
    return reject({ status: 409, code: 'SANDBOX_REFUSED', message });
  },
});
