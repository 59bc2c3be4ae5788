import { refuseFailure, withApplication } from '../application.ts';
import { type CommandSpec, getText } from '../spec.ts';

interface Turn {
  readonly event: 'app-suspend' | 'app-restore';
  readonly verb: 'suspend' | 'resume';
  readonly done: string;
}

/** The command that suspends or resumes an app registered in the browser. */
export const toCommand = ({ event, verb, done }: Turn): CommandSpec => ({
  arguments: [{ name: 'client', description: 'client id of an app registered in the browser' }],
  isWriting: true,
  examples: [`treadle app ${verb} app_Zk3`],
  async run(invocation) {
    const clientId = getText(invocation.values, 'client');
    if (invocation.isDryRun) return { data: { clientId, isDryRun: true }, lines: [`would ${verb} ${clientId}`] };
    return withApplication(invocation, async (app) => {
      refuseFailure(await app.emit(event, { client_id: clientId }));
      return { data: { clientId }, lines: [`${clientId} ${done}`] };
    });
  },
});

export const suspend = toCommand({
  event: 'app-suspend',
  verb: 'suspend',
  done: 'is suspended: its dialog, secrets and tokens no longer work',
});

export const resume = toCommand({ event: 'app-restore', verb: 'resume', done: 'is active again, and its tokens work' });
