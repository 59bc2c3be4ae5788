import { asSystem, getAccess } from '../../core/access.ts';
import type { Listener } from '../../core/bus/followers.ts';
import { Request } from '../../core/request/request.ts';
import { Response } from '../../core/request/response.ts';
import { toLocalPath } from '../../core/text/local-path.ts';
import { currentLocale } from '../../core/text/translate.ts';
import type { Context } from '../../plan/feature.ts';
import { LANGUAGE_COOKIE } from '../../plan/language/language-cookie.ts';
import { toLanguagePath } from '../../plan/language/language-path.ts';

const YEAR_SECONDS = 31_536_000;

/** Saves the language in the account of the person who is logged in: it comes before the cookie, and holds on other devices. */
async function saveForAccount(context: Context, tag: string): Promise<void> {
  const { authId } = getAccess();
  if (authId === undefined) return;
  const request = new Request().setStage({ auth_id: authId, auth_language: tag });
  await asSystem(() => context.emit('auth-update', request, new Response(request)));
}

/** Saves the language that a visitor chose in the language menu, and goes back to the page in that language. */
export function chooseLanguage(context: Context): Listener {
  const { plan, services } = context;
  return async (request, response) => {
    const locale = currentLocale();
    const wanted = request.getPost('language');
    const chosen = locale?.offered.find(({ tag }) => tag === wanted);
    const path = toLocalPath(request.getPost('redirect_uri'), plan.model.settings.home);
    response.setRedirect(chosen ? toLanguagePath(locale, chosen.tag, path) : path);
    if (!chosen) return;
    const secure = services.baseUrl().startsWith('https:') ? '; Secure' : '';
    const cookie = `${LANGUAGE_COOKIE}=${chosen.tag}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax; HttpOnly${secure}`;
    response.addHeader('set-cookie', cookie);
    await saveForAccount(context, chosen.tag);
  };
}
