import { refuseFailure, withApplication } from '../application.ts';
import { type CommandSpec, getText } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'email', description: 'e-mail that you know belongs to the user' }],
  isWriting: true,
  examples: ['treadle user verify me@example.org'],
  async run(invocation) {
    const email = getText(invocation.values, 'email');
    return withApplication(invocation, async (app) => {
      const event = invocation.isDryRun ? 'auth-detail' : 'auth-verify';
      const response = await app.emit(event, { auth_slug: email });
      refuseFailure(response, { auth_slug: '<email>' });
      const slug = String(response.getResults('auth_slug'));
      const apps = [...app.plan.model.apps]
        .filter(([, { definition }]) => definition.owner?.trim().normalize('NFC').toLowerCase() === slug)
        .map(([name]) => name);
      const owns = apps.length === 0 ? '' : `; it owns ${apps.join(', ')}`;
      const isDisabled = response.getResults('auth_active') !== 1;
      return {
        data: { email: slug, apps, isDryRun: invocation.isDryRun },
        lines: [invocation.isDryRun ? `would verify ${slug}` : `${slug} is verified${owns}`],
        next: isDisabled ? [`treadle user enable ${slug}`] : [],
      };
    });
  },
};
