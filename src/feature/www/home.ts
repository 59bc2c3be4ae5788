import type { Listener } from '../../core/bus/followers.ts';
import type { Context } from '../../plan/feature.ts';

/** The home page of a project without a `/` route: names what it has and the next commands. */
export function showHome(context: Context): Listener {
  const { services, plan } = context;
  return async (request, response) => {
    const { model } = plan;
    const content = services.views.render('www', 'home', {
      site: model.settings.name,
      schemas: [...model.schemas.values()].map(({ name, plural }) => ({ name, plural })),
      calls: [...plan.calls]
        .filter(({ definition }) => definition.access === 'public' && definition.method === 'get')
        .map(({ path, definition }) => ({ path, title: definition.title, isLink: !path.includes(':') })),
      isApi: model.settings.api,
    });
    response.setTitle(model.settings.name).setContent(content);
    await context.emit('www-render-page', request, response);
  };
}
