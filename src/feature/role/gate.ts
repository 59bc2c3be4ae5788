import { getAccess } from '../../core/access.ts';
import type { Request } from '../../core/request.ts';
import type { Response } from '../../core/response.ts';
import type { Model } from '../../model/model.ts';
import type { PathGate } from '../../plan/feature.ts';
import { compilePathGuard, toHeld } from '../../plan/path-guard.ts';

const LOGIN = '/auth/login';

function wantsJson(request: Request): boolean {
  const accept = String(request.getServer('accept') ?? '');
  return accept.includes('json') && !accept.includes('text/html');
}

/** Leads a visitor to the login, which leads back; a program gets 401. */
function askForLogin(request: Request, response: Response, hasLogin: boolean): void {
  if (!hasLogin || wantsJson(request)) {
    response.setStatus(401).setError(true, 'Log in to open this.');
    return;
  }
  const query = request.getQuery();
  const target = `${request.getPath('string')}${query === '' ? '' : `?${query}`}`;
  response.setRedirect(`${LOGIN}?redirect_uri=${encodeURIComponent(target)}`).addHeader('cache-control', 'no-store');
}

/** Guards the paths that roles name: before static files, and before every listener. */
export function createRoleGate(model: Model): PathGate {
  const guard = compilePathGuard(model);
  const hasLogin = model.schemas.has('profile');
  return {
    guards: (path) => guard.guards(path),
    judge(path, request, response) {
      const { roles, authId } = getAccess();
      const isLoggedIn = authId !== undefined;
      const verdict = guard.judge(path, request.getMethod(), toHeld(roles, isLoggedIn));
      if (verdict === undefined || verdict.by !== undefined) return true;
      if (isLoggedIn) response.setStatus(403).setError(true, 'Your account may not open this.');
      else askForLogin(request, response, hasLogin);
      return false;
    },
  };
}
