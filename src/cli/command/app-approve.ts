import { refuseFailure, withApplication } from '../application.ts';
import { type CommandSpec, getList, getText, isOn } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'client', description: 'client id of an app that was registered in the browser' }],
  options: [
    { name: 'scope', value: 'slug', description: 'a scope; without any, all that it waits for', isRepeated: true },
    { name: 'revoke', description: 'takes the approval back; its tokens lose those scopes at once' },
  ],
  isWriting: true,
  examples: ['treadle app approve app_Zk3 --scope message_read', 'treadle app approve app_Zk3 --revoke'],
  async run(invocation) {
    const clientId = getText(invocation.values, 'client');
    const scopes = getList(invocation.values, 'scope', true);
    const isRevoking = isOn(invocation.values, 'revoke');
    if (invocation.isDryRun) {
      const lines = [
        `would ${isRevoking ? 'take approval from' : 'approve'} ${clientId}: ${scopes.join(', ') || 'all'}`,
      ];
      return { data: { clientId, scopes, isDryRun: true }, lines };
    }
    return withApplication(invocation, async (app) => {
      const stage = { client_id: clientId, scopes, ...(isRevoking ? { revoke: '1' } : {}) };
      const answer = await app.emit('app-approve', stage);
      refuseFailure(answer);
      const { approved, pending } = answer.getResults() as { approved: string[]; pending: string[] };
      return {
        data: { clientId, approved, pending },
        lines: [`approved  ${approved.join(', ') || '(none)'}`, `waiting   ${pending.join(', ') || '(none)'}`],
      };
    });
  },
};
