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

/** Only a path of this site: `//host`, `/\host` and control characters lead browsers elsewhere. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused.
const SITE_PATH = /^\/(?![/\\])[^\\\u0000-\u001f\u007f]*$/;

/** Whether a text is a path on this site that a browser cannot take for another one. */
const isSitePath = (path: string): boolean => SITE_PATH.test(path);

/** The package named `global`: what any controller may do to the exchange that it answers. */
export function createGlobalPackage(draft: Draft): GlobalPackage {
  const global: GlobalPackage = {
    flash(message: string, kind: FlashKind = 'info') {
      currentExchange('flash').request.setSession('flash', { message, type: kind });
    },
    redirect(path: string) {
      if (!isSitePath(path)) {
        throw new TreadleError('REDIRECT_REFUSED', 'A redirect leads to a path of this site only.', {
          status: 400,
          hint: 'Give a path such as /articles; for another site use response.setRedirect(url).',
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
