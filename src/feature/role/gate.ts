import { getAccess } from '../../core/access.ts';
import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import type { Model } from '../../model/model.ts';
import type { PathGate } from '../../plan/gates.ts';
import { compilePathGuard, toHeld } from '../../plan/path-guard.ts';

const LOGIN = '/auth/login';
const SECOND_FACTOR = '/auth/second-factor';

function wantsJson(request: Request): boolean {
  const accept = String(request.getServer('accept') ?? '');
  return accept.includes('json') && !accept.includes('text/html');
}

/** Leads to a page that leads back to the requested one. */
function leadTo(page: string, request: Request, response: Response): void {
  const query = request.getQuery();
  const target = `${request.getPath('string')}${query === '' ? '' : `?${query}`}`;
  response.setRedirect(`${page}?redirect_uri=${encodeURIComponent(target)}`).addHeader('cache-control', 'no-store');
}

/** Leads a visitor to the login, which leads back; a program gets 401. */
function askForLogin(request: Request, response: Response, hasLogin: boolean): void {
  if (hasLogin && !wantsJson(request)) leadTo(LOGIN, request, response);
  else response.setStatus(401).setError(true, 'Log in to open this.');
}

/** Leads a user to set up the second factor that the role requires; a program gets 403. */
function askForFactor(request: Request, response: Response): void {
  if (!wantsJson(request)) leadTo(SECOND_FACTOR, request, response);
  else response.setStatus(403).setError(true, `Your role requires a second factor: set it up at ${SECOND_FACTOR}.`);
}

/** Guards the paths that roles name: before static files, and before every listener. */
export function createRoleGate(model: Model): PathGate {
  const guard = compilePathGuard(model);
  const hasLogin = model.schemas.has('profile');
  return {
    guards: (path) => guard.guards(path),
    judge(path, request, response) {
      const { roles, authId, waiting = [] } = getAccess();
      const isLoggedIn = authId !== undefined;
      const opens = (held: readonly string[]): boolean => {
        const verdict = guard.judge(path, request.getMethod(), toHeld(held, isLoggedIn));
        return verdict === undefined || verdict.by !== undefined;
      };
      if (opens(roles)) return true;
      if (waiting.length > 0 && opens([...roles, ...waiting])) askForFactor(request, response);
      else if (isLoggedIn) response.setStatus(403).setError(true, 'Your account may not open this.');
      else askForLogin(request, response, hasLogin);
      return false;
    },
  };
}
