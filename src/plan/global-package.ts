import { TreadleError } from '../core/errors.ts';
import type { Request } from '../core/request.ts';
import type { FlashKind, Response } from '../core/response.ts';
import { currentScope } from '../core/scope.ts';
import type { GlobalPackage, VirtualMethod } from './app.ts';
import type { Draft } from './draft.ts';

function currentExchange(method: string): { request: Request; response: Response } {
  const { request, response } = currentScope.getStore() ?? {};
  if (request && response) return { request, response };
  throw new TreadleError('GLOBAL_OUTSIDE_REQUEST', `package('global').${method} was called outside a request.`, {
    hint: 'Call it inside a listener or a route.',
  });
}

/**
 * Only a path of this site: browsers open another site for `//host`, `/\host` and some control characters.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
const SITE_PATH = /^\/(?![/\\])[^\\\u0000-\u001f\u007f]*$/;

/** True if a text is a path of this site that no browser can read as another site. */
const isSitePath = (path: string): boolean => SITE_PATH.test(path);

/** The package named `global`: methods for the current request of any controller. */
export function createGlobalPackage(draft: Draft): GlobalPackage {
  const global: GlobalPackage = {
    flash(message: string, kind: FlashKind = 'info') {
      currentExchange('flash').request.setSession('flash', { message, type: kind });
    },
    redirect(path: string) {
      if (!isSitePath(path)) {
        throw new TreadleError('REDIRECT_REFUSED', 'A redirect must be a path of this site.', {
          status: 400,
          hint: 'Use a path such as /articles; for another site use response.setRedirect(url).',
        });
      }
      currentExchange('redirect').response.setRedirect(path);
    },
    formToken() {
      const { request } = currentExchange('formToken');
      return draft.context().services.sessions.formToken(request);
    },
    method(name: string, fn: VirtualMethod) {
      draft.checkOpen(`The method "${name}" of the package global`);
      global[name] = fn;
      return global;
    },
  };
  return global;
}
