import type { Listener } from '../../core/bus.ts';
import { currentLocale } from '../../core/translate.ts';
import type { Context } from '../../plan/feature.ts';
import { LANGUAGE_COOKIE } from '../../plan/language-cookie.ts';
import { toLocalPath } from '../../plan/local-path.ts';

const YEAR_SECONDS = 31_536_000;

/** Keeps the language that a visitor chose in the language menu, and goes back to the page. */
export function chooseLanguage({ plan, services }: Context): Listener {
  return (request, response) => {
    const wanted = request.getPost('language');
    const chosen = currentLocale()?.offered.find(({ tag }) => tag === wanted);
    if (chosen) {
      const secure = services.baseUrl().startsWith('https:') ? '; Secure' : '';
      const cookie = `${LANGUAGE_COOKIE}=${chosen.tag}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax; HttpOnly${secure}`;
      response.addHeader('set-cookie', cookie);
    }
    response.setRedirect(toLocalPath(request.getPost('redirect_uri'), plan.model.settings.home));
  };
}
