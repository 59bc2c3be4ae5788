import type { Listener } from '../../core/bus/followers.ts';
import type { Context } from '../../plan/feature.ts';

/** True if an earlier listener has rendered the whole page. */
const isWhole = (content: unknown): boolean => typeof content === 'string' && /^\s*(?:<!doctype|<html)/i.test(content);

/** Renders a template of this feature around the response's content, with its title, flash and meta. */
export function renderPage(context: Context, template: string): Listener {
  const { services, plan } = context;
  return (_request, response) => {
    const content = response.getContent();
    if (isWhole(content) || content instanceof Uint8Array) return;
    const site = plan.model.settings.name;
    const title = response.getPage('title');
    const page = services.views.render('www', template, {
      site,
      title: title === undefined || title === site ? site : `${String(title)} · ${site}`,
      flash: response.getFlash(),
      meta: Object.entries(response.getMeta()).map(([name, value]) => ({ name, value })),
      content: content ?? '',
    });
    response.setContent(page);
  };
}
