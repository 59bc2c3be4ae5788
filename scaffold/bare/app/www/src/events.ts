import type { App } from 'treadle';

export default function events(app: App) {
  app.on('www-render-page', (request, response) => {
    const me = request.getSession('me');

    response.setContent(
      app.package('/app/www').template('_page', {
        site: app.settings.name,
        api: app.settings.api,
        signup: app.settings.auth.signup,
        title: response.getPage('title'),
        flash: response.getFlash(),
        content: response.getContent(),
        me,
        // Only logged-in users get a form here, so that other readers need no session.
        csrf: me && app.package('global').formToken(),
      }),
    );
  });
}
