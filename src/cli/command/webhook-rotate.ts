import type { Definitions } from '../../model/definitions.ts';
import type { App, Hook } from '../../model/shape.ts';
import { refuseFailure, withApplication } from '../application.ts';
import { applyChanges, type Change, getDefinition, readDefinitions, toOutcome } from '../definition.ts';
import { createUsageError } from '../failure.ts';
import { getHookApp, type HookApp } from '../hook/app.ts';
import { type CommandSpec, findText, type Invocation, type Outcome } from '../spec.ts';

const BOTH = 'For 24 hours each delivery is signed with the former secret and with the new one.';

export const command: CommandSpec = {
  arguments: [{ name: 'name', description: 'name of the hook', of: 'webhook', isOptional: true }],
  options: [
    {
      name: 'app',
      value: 'app',
      description: "this app's secrets of all its hooks instead: a name of config/app, or a client id",
    },
  ],
  isWriting: true,
  examples: ['treadle webhook rotate profile-created', 'treadle webhook rotate --app reader'],
  async run(invocation) {
    const name = findText(invocation.values, 'name');
    const word = findText(invocation.values, 'app');
    const definitions = await readDefinitions(invocation);
    if (name !== undefined && word !== undefined) {
      const hint = `An app has one version for all its hooks: treadle webhook rotate --app ${word}`;
      throw createUsageError('A hook and --app exclude each other.', hint);
    }
    if (word !== undefined) return rotateApp(invocation, definitions, await getHookApp(invocation, definitions, word));
    if (name === undefined) throw createUsageError('The argument <name> is missing: name of the hook, or --app.');
    const hook = getDefinition(definitions, 'webhook', name);
    const value: Hook = { ...hook, secretVersion: (hook.secretVersion ?? 1) + 1 };
    return writeVersion(invocation, { kind: 'webhook', name, value }, value.secretVersion, [
      `treadle webhook secret ${name}`,
    ]);
  },
};

async function writeVersion(
  invocation: Invocation,
  change: Change,
  secretVersion: number | undefined,
  next: readonly string[],
): Promise<Outcome> {
  const files = await applyChanges(invocation, [change]);
  return toOutcome(invocation, files, { data: { secretVersion }, lines: [BOTH], next });
}

async function rotateApp(invocation: Invocation, definitions: Definitions, app: HookApp): Promise<Outcome> {
  const { clientId, name, secretVersion } = app;
  if (name !== undefined) {
    const before = getDefinition(definitions, 'app', name);
    const value: App = { ...before, secretVersion: secretVersion + 1 };
    const next = (before.hooks ?? []).map((hook) => `treadle webhook secret ${hook} --app ${name}`);
    return writeVersion(invocation, { kind: 'app', name, value }, value.secretVersion, next);
  }
  if (invocation.isDryRun) {
    return { data: { clientId, secretVersion, isDryRun: true }, lines: [`would give ${clientId} new secrets`] };
  }
  return withApplication(invocation, async (running) => {
    const answer = await running.emit('webhook-secret-rotate', { client_id: clientId });
    refuseFailure(answer);
    const version = answer.getResults('secret_version');
    return { data: { clientId, secretVersion: version }, lines: [`${clientId} has new secrets.`, BOTH] };
  });
}
