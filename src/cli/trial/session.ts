import { Request } from '../../core/request/request.ts';
import { createSessions } from '../../http/session/session.ts';
import { type Application, getUser } from '../application.ts';

/** A browser session that this command created for a user of the running server. */
export interface TrialSession {
  /** The Cookie header. */
  readonly cookie: string;
  end(): Promise<void>;
}

/** Lifetime of the session in seconds, in case the command is interrupted before it ends it. */
const IDLE_SECONDS = 120;

/**
 * Logs a user in by adding a session row to the server's database.
 *
 * @throws CLI_USAGE for an unknown user.
 */
export async function openSession(app: Application, email: string, isSecure: boolean): Promise<TrialSession> {
  const user = await getUser(app, email);
  const sessions = createSessions({ ...app.services, idleSeconds: () => IDLE_SECONDS });
  const request = new Request();
  sessions.attach(request, undefined, isSecure);
  request.setSession('me', user);
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
