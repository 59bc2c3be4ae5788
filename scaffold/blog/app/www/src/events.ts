import type { App } from 'treadle';

export default function events(app: App) {
  app.on('www-render-page', (request, response) => {
    const me = request.getSession('me');
    const path = request.getPath('string');
    const title = response.getPage('title');
    const isMissing = response.getStatus() === 404;

    response.setContent(
      app.package('/app/www').template('_page', {
        site: app.settings.name,
        api: app.settings.api,
        signup: app.settings.auth.signup,
        title: title && title !== app.settings.name ? `${title} · ${app.settings.name}` : app.settings.name,
        heading: title ?? app.settings.name,
        meta: Object.entries(response.getMeta()).map(([name, value]) => ({
          name,
          value,
          isGraph: name.startsWith('og:'),
        })),
        // The address of the page, where the settings name the site's.
        address: !isMissing && app.settings.server?.baseUrl && `${app.settings.server.baseUrl}${path}`,
        isArticles: path.startsWith('/article'),
        flash: response.getFlash(),
        content: response.getContent(),
        me,
        // Only logged-in users get a form here, so that other readers need no session.
        csrf: me && app.package('global').formToken(),
      }),
    );
  });
}
