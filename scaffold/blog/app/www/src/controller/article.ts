import type { App } from 'treadle';

const PAGE_ROWS = 20;

export default function article(app: App) {
  app.get('/articles', async (request, response) => {
    const page = Math.max(1, Math.trunc(Number(request.getStage('page'))) || 1);
    request
      .setStage('schema', 'article')
      .setStage('sort', { article_published: 'DESC' })
      .setStage('limit', PAGE_ROWS)
      .setStage('offset', (page - 1) * PAGE_ROWS)
      // A list does not need the bodies, which may be a megabyte each.
      .setStage('fields', 'article_id,article_title,article_category,article_author,article_published');

    await app.emit('system-model-search', request, response);
    if (response.isError()) response.setFlash(response.getMessage() ?? 'The search failed.', 'error');

    const pages = Math.ceil(Number(response.getResults('total') ?? 0) / PAGE_ROWS);
    const link = (to: number) => `/articles?${new URLSearchParams({ ...words(request.getStage('q')), page: `${to}` })}`;
    const body = app.package('/app/www').template('article/search', {
      rows: response.getResults('rows'),
      q: request.getStage('q'),
      isFurther: page > 1,
      pager: pages > 1 && { page, pages, newer: page > 1 && link(page - 1), older: page < pages && link(page + 1) },
    });

    // Kept for visitors without a cookie until one of these changes.
    response.setPage('title', 'Articles').setContent(body).setCache('article');
    await app.emit('www-render-page', request, response);
  });

  app.get('/article/:article_id', async (request, response) => {
    request.setStage('schema', 'article');
    await app.emit('system-model-detail', request, response);

    // Renders nothing, so Treadle shows the not-found page.
    if (!response.hasResults()) return;

    if (response.isError()) response.setFlash(response.getMessage() ?? 'That did not work.', 'error');

    const me = request.getSession('me');
    const body = app.package('/app/www').template('article/detail', {
      item: response.getResults(),
      form: request.hasPost() ? request.getPost() : undefined,
      errors: response.getValidation(),
      me,
      csrf: me && app.package('global').formToken(),
    });

    response.setPage('title', response.getResults('article_title')).setContent(body).setCache('article', 'comment');
    await app.emit('www-render-page', request, response);
  });

  app.post('/article/:article_id', async (request, response) => {
    const path = `/article/${encodeURIComponent(String(request.getStage('article_id')))}`;
    const profile = request.getSession('me', 'profile_id');

    if (!profile) {
      response.setError(true, 'Must be logged in to comment.').setStatus(403);
      return app.reroute('get', path, request, response);
    }

    // The author is always the logged-in user, whatever the request says.
    request.setStage('schema', 'comment').setStage('profile_id', profile);

    try {
      // Both or neither: an error thrown in here rolls the comment back.
      await app.transaction(async () => {
        await app.emit('system-model-create', request, response);
        if (response.isError()) throw new Error('The comment was not created.');

        request
          .setStage('schema1', 'article')
          .setStage('schema2', 'comment')
          .setStage('comment_id', response.getResults('comment_id'));
        await app.emit('system-relation-link', request, response);
        if (response.isError()) throw new Error('The comment was not linked.');
      });
    } catch (error) {
      if (!response.isError()) throw error;
      return app.reroute('get', path, request, response);
    }

    app.package('global').flash('Comment Added', 'success');
    app.package('global').redirect(path);
  });
}

/** The search words, kept from page to page. */
function words(q: unknown): Record<string, string> {
  return typeof q === 'string' && q !== '' ? { q } : {};
}
