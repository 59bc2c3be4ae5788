import { TreadleError } from '../../core/errors.ts';
import { refuseFailure, withApplication } from '../application.ts';
import { findApp, type RegisteredApp } from '../change/registered.ts';
import { type CommandSpec, getText, type Invocation, isOn, type Outcome } from '../spec.ts';
import { toCommand } from './definition-remove.ts';

const ofFile = toCommand('app');

/** `treadle app remove`: removes an app's file, or by its client id the row of an app registered in the browser. */
export const command: CommandSpec = {
  ...ofFile,
  arguments: [
    { name: 'name', description: 'name of the app, or client id of one registered in the browser', of: 'app' },
  ],
  options: [
    ...(ofFile.options ?? []),
    { name: 'allow-loss', description: 'for a registered app: confirms that its consents and tokens are deleted' },
  ],
  examples: [...ofFile.examples, 'treadle app remove app_Zk3 --allow-loss'],
  async run(invocation) {
    const found = await findApp(invocation, getText(invocation.values, 'name'));
    if (typeof found !== 'string') return removeRow(invocation, found);
    return ofFile.run({ ...invocation, values: { ...invocation.values, name: found } });
  },
};

async function removeRow(invocation: Invocation, { clientId, title }: RegisteredApp): Promise<Outcome> {
  const what = `${title} (${clientId}) with its consents, tokens and statistics`;
  if (invocation.isDryRun) {
    return { data: { clientId, isDryRun: true }, lines: [`would remove ${what}, with --allow-loss`] };
  }
  if (!isOn(invocation.values, 'allow-loss')) {
    throw new TreadleError('CLI_APP_LOSES', `This removes ${what} and cannot be undone.`, {
      hint: `Pass --allow-loss to confirm. To stop the app only: treadle app suspend ${clientId}.`,
    });
  }
  return withApplication(invocation, async (app) => {
    refuseFailure(await app.emit('app-remove', { client_id: clientId }));
    return { data: { clientId, removed: true }, lines: [`removed ${title}; its tokens no longer work`] };
  });
}
