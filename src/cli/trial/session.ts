import { Request } from '../../core/request.ts';
import { createSessions } from '../../runtime/session.ts';
import type { Application } from '../application.ts';
import { createUsageError } from '../failure.ts';

/** A browser's session that this command made for a user of the running server. */
export interface TrialSession {
  /** The header that carries it. */
  readonly cookie: string;
  end(): Promise<void>;
}

/** Seconds that the session lives, should the command be cut off before it ends it. */
const IDLE_SECONDS = 120;

/**
 * Logs a user in by a row in the database that the server shares.
 *
 * @throws CLI_USAGE where there is no such user.
 */
export async function openSession(app: Application, email: string, isSecure: boolean): Promise<TrialSession> {
  const found = await app.emit('auth-detail', { auth_slug: email });
  if (found.isError()) throw createUsageError(`There is no user ${email}.`, 'See: treadle user list');
  const sessions = createSessions({ ...app.services, idleSeconds: () => IDLE_SECONDS });
  const request = new Request();
  sessions.attach(request, undefined, isSecure);
  request.setSession('me', found.getResults());
  const [cookie = ''] = (await sessions.close(request))?.split(';') ?? [];
  return {
    cookie,
    async end() {
      const last = new Request();
      sessions.attach(last, await sessions.open(cookie, isSecure), isSecure);
      sessions.end(last);
      await sessions.close(last);
      await sessions.settled();
    },
  };
}
