import { getResults, withApplication } from '../application.ts';
import { type CommandSpec, getList, getText, isOn } from '../spec.ts';
import { toTable } from '../terminal.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'client', description: 'client id of an app registered in the browser' }],
  options: [
    { name: 'scope', value: 'slug', description: 'a scope', isRepeated: true },
    {
      name: 'hook',
      value: 'name',
      description: 'a web hook; without --scope and --hook, everything that waits',
      isRepeated: true,
    },
    { name: 'revoke', description: 'withdraws the approval: tokens lose the scopes and the hooks stop, at once' },
  ],
  isWriting: true,
  examples: [
    'treadle app approve app_Zk3 --scope message_read --hook message-created',
    'treadle app approve app_Zk3 --revoke',
  ],
  async run(invocation) {
    const clientId = getText(invocation.values, 'client');
    const scopes = getList(invocation.values, 'scope', true);
    const hooks = getList(invocation.values, 'hook', true);
    const isRevoking = isOn(invocation.values, 'revoke');
    if (invocation.isDryRun) {
      const what = [...scopes, ...hooks].join(', ') || 'all';
      const lines = [`would ${isRevoking ? 'withdraw the approval of' : 'approve'} ${clientId}: ${what}`];
      return { data: { clientId, scopes, hooks, isDryRun: true }, lines };
    }
    return withApplication(invocation, async (app) => {
      const stage = { client_id: clientId, scopes, hooks, ...(isRevoking ? { revoke: '1' } : {}) };
      const { approved, pending, ...more } = await getResults<Results>(app, 'app-approve', stage);
      const [approvedHooks, pendingHooks] = [more.approved_hooks, more.pending_hooks];
      return {
        data: { clientId, approved, pending, approvedHooks, pendingHooks },
        lines: toTable([
          ['', 'scopes', 'web hooks'],
          ['approved', toWords(approved), toWords(approvedHooks)],
          ['waiting', toWords(pending), toWords(pendingHooks)],
        ]),
      };
    });
  },
};

interface Results {
  readonly approved: readonly string[];
  readonly pending: readonly string[];
  readonly approved_hooks: readonly string[];
  readonly pending_hooks: readonly string[];
}

const toWords = (names: readonly string[]): string => names.join(', ') || '(none)';
