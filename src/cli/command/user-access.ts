import type { Response } from '../../core/request/response.ts';
import { normalizeEmail } from '../../core/text/email.ts';
import { type Application, refuseFailure, withApplication } from '../application.ts';
import { type CommandSpec, getText, type Outcome } from '../spec.ts';

interface Change {
  readonly verb: 'enable' | 'disable' | 'verify';
  readonly event: string;
  readonly description?: string;
  readonly sample?: string;
  /** The text for a person, and the data for a program. */
  readonly tell: (email: string, response: Response, app: Application) => Outcome & { readonly data: object };
}

/** A command that changes whether a user has access. A dry run only looks whether there is that user. */
const toCommand = ({ verb, event, description = 'e-mail of the user', tell, sample }: Change): CommandSpec => ({
  arguments: [{ name: 'email', description }],
  isWriting: true,
  examples: [`treadle user ${verb} ${sample ?? 'somebody@example.org'}`],
  run: (invocation) =>
    withApplication(invocation, async (app) => {
      const { isDryRun, values } = invocation;
      const response = await app.emit(isDryRun ? 'auth-detail' : event, { auth_slug: getText(values, 'email') });
      refuseFailure(response, { auth_slug: '<email>' });
      const email = String(response.getResults('auth_slug') ?? getText(values, 'email'));
      const told = tell(email, response, app);
      return {
        ...told,
        data: { email, ...told.data, isDryRun },
        ...(isDryRun ? { lines: [`would ${verb} ${email}`] } : {}),
      };
    }),
});

export const enable = toCommand({
  verb: 'enable',
  event: 'auth-restore',
  tell: (email) => ({ data: {}, lines: [`${email} can log in again`] }),
});

export const disable = toCommand({
  verb: 'disable',
  event: 'auth-remove',
  tell: (email) => ({ data: {}, lines: [`${email} can no longer log in; all sessions and tokens have ended`] }),
});

export const verify = toCommand({
  verb: 'verify',
  event: 'auth-verify',
  description: 'e-mail that you know belongs to the user',
  sample: 'me@example.org',
  tell(email, response, { plan }) {
    const apps = [...plan.model.apps]
      .filter(([, { definition }]) => normalizeEmail(definition.owner ?? '') === normalizeEmail(email))
      .map(([name]) => name);
    const owns = apps.length === 0 ? '' : `; it owns ${apps.join(', ')}`;
    return {
      data: { apps },
      lines: [`${email} is verified${owns}`],
      next: response.getResults('auth_active') === 1 ? [] : [`treadle user enable ${email}`],
    };
  },
});
