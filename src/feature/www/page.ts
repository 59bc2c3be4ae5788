import type { Context, EventExchange } from '../../plan/feature.ts';

/** True if an earlier listener has rendered the whole page. */
const isWhole = (content: unknown): boolean => typeof content === 'string' && /^\s*(?:<!doctype|<html)/i.test(content);

/** Renders a template of this feature around the response's content, with its title, flash and meta. */
export function renderPage({ services, plan }: Context, template: string, { response }: EventExchange): undefined {
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
}
