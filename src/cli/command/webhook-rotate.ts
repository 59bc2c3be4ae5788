import { applyChanges, type Change } from '../../edit/change.ts';
import type { Definitions } from '../../model/definitions.ts';
import type { App, Hook } from '../../model/shape.ts';
import { getResults, withApplication } from '../application.ts';
import { getDefinition, readDefinitions, toOutcome } from '../change/definition.ts';
import { createUsageError } from '../failure.ts';
import { getHookApp, type HookApp } from '../hook/app.ts';
import { getHook } from '../hook/known.ts';
import { warnOfRotation } from '../hook/rotation.ts';
import { type CommandSpec, findText, type Invocation, type Outcome, refuseEmpty } from '../spec.ts';

const BOTH = 'For 24 hours each delivery is signed with both the old and the new secret.';

export const command: CommandSpec = {
  arguments: [{ name: 'name', description: 'name of the hook', of: 'webhook', isOptional: true }],
  options: [
    {
      name: 'app',
      value: 'app',
      description: 'rotates the secrets of all hooks of this app: a name in config/app, or a client id',
    },
  ],
  isWriting: true,
  examples: ['treadle webhook rotate profile-created', 'treadle webhook rotate --app reader'],
  async run(invocation) {
    refuseEmpty(invocation.values, ['app']);
    const name = findText(invocation.values, 'name');
    const word = findText(invocation.values, 'app');
    const definitions = await readDefinitions(invocation);
    if (name !== undefined && word !== undefined) {
      const hint = `An app has one version for all its hooks: treadle webhook rotate --app ${word}`;
      throw createUsageError('A hook and --app cannot be combined.', hint);
    }
    if (word !== undefined) return rotateApp(invocation, definitions, await getHookApp(invocation, definitions, word));
    if (name === undefined) throw createUsageError('The argument <name> is missing: the name of a hook, or --app.');
    return rotateHook(invocation, definitions, name);
  },
};

/** @throws CLI_USAGE where the hook is one of the project's code, which no command writes. */
async function rotateHook(invocation: Invocation, definitions: Definitions, name: string): Promise<Outcome> {
  const { definition, code } = await getHook(invocation, definitions, name);
  const secretVersion = (definition.secretVersion ?? 1) + 1;
  if (code !== undefined) {
    const hint = `Set it there: secretVersion: ${secretVersion}`;
    throw createUsageError(`The secret version of "${name}" is set in code: app.webhook in ${code}.`, hint);
  }
  const value: Hook = { ...definition, secretVersion };
  const warning = await warnOfRotation(invocation, { hook: name });
  return writeVersion(invocation, { kind: 'webhook', name, value }, warning, [`treadle webhook secret ${name}`]);
}

async function writeVersion(
  invocation: Invocation,
  change: Change & { readonly value: { readonly secretVersion?: number | undefined } },
  warning: readonly string[],
  next: readonly string[],
): Promise<Outcome> {
  const files = await applyChanges(invocation, [change]);
  const { secretVersion } = change.value;
  return toOutcome(invocation, files, { data: { secretVersion, warning }, lines: [BOTH, ...warning], next });
}

async function rotateApp(invocation: Invocation, definitions: Definitions, to: HookApp): Promise<Outcome> {
  const { clientId, name, secretVersion } = to;
  const warning = await warnOfRotation(invocation, { client_id: clientId });
  if (name !== undefined) {
    const before = getDefinition(definitions, 'app', name);
    const value: App = { ...before, secretVersion: secretVersion + 1 };
    const next = (before.hooks ?? []).map((hook) => `treadle webhook secret ${hook} --app ${name}`);
    return writeVersion(invocation, { kind: 'app', name, value }, warning, next);
  }
  if (invocation.isDryRun) {
    const lines = [`would give ${clientId} new secrets`, ...warning];
    return { data: { clientId, secretVersion, warning, isDryRun: true }, lines };
  }
  return withApplication(invocation, async (app) => {
    const stage = { client_id: clientId };
    const results = await getResults<{ secret_version: number }>(app, 'webhook-secret-rotate', stage);
    const lines = [`${clientId} has new secrets.`, BOTH, ...warning];
    return { data: { clientId, secretVersion: results.secret_version, warning }, lines };
  });
}
