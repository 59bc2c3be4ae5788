import type { App } from 'treadle';

export default function statics(app: App) {
  app.get('/', async (request, response) => {
    const body = app.package('/app/www').template('home', {
      name: app.settings.name,
      api: app.settings.api,
      me: request.getSession('me'),
    });

    response.setTitle(app.settings.name).setContent(body);
    await app.emit('www-render-page', request, response);
  });
}
