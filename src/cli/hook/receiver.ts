import { readDefinitions } from '../definition.ts';
import { findText, type Invocation, type OptionSpec } from '../spec.ts';
import { getHookApp } from './app.ts';

/** Which of a hook's receivers; all of them where neither is given. */
export const RECEIVER_OPTIONS: readonly OptionSpec[] = [
  { name: 'app', value: 'app', description: 'only this app: a name of config/app, or a client id' },
  { name: 'url', value: 'url', description: 'only this address' },
];

/** The flags, and the hook of `--hook` or of the argument, as the events' stage. */
export async function toReceiverStage(invocation: Invocation): Promise<Record<string, string>> {
  const { values } = invocation;
  const hook = findText(values, 'hook') ?? findText(values, 'name');
  const word = findText(values, 'app');
  const url = findText(values, 'url');
  const app = word === undefined ? undefined : await getHookApp(invocation, await readDefinitions(invocation), word);
  return {
    ...(hook === undefined ? {} : { hook }),
    ...(app === undefined ? {} : { client_id: app.clientId }),
    ...(url === undefined ? {} : { url }),
  };
}
