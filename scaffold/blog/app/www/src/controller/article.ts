import type { App, Request } from 'treadle';
import type { ArticleRow } from '../../../treadle';

const PAGE_ROWS = 20;
/** Characters of a text that its excerpt is made of: a text may be a megabyte. */
const EXCERPT_CHARACTERS = 2000;
const DRAFT_CHARACTERS = 20_000;

export default function article(app: App) {
  /** A page of the newest articles, of all or of those with some words. */
  const search = (page = 1, q = '') =>
    app.emit('system-model-search', {
      schema: 'article',
      q,
      sort: { article_published: 'DESC' },
      limit: PAGE_ROWS,
      offset: (page - 1) * PAGE_ROWS,
      fields: ['article_id', 'article_title', 'article_category', 'article_author', 'article_published', 'article_detail'],
    });

  app.get('/articles', {}, async (stage, { request, response }) => {
    const page = Math.max(1, Math.trunc(Number(stage.page)) || 1);
    const q = typeof stage.q === 'string' ? stage.q : '';
    const found = await search(page, q);
    if (found.isError()) response.setFlash(found.getMessage() ?? 'The search failed.', 'error');

    const pages = Math.ceil((found.getResults('total') ?? 0) / PAGE_ROWS);
    const link = (to: number) => `/articles?${new URLSearchParams({ ...(q && { q }), page: `${to}` })}`;
    const body = app.package('/app/www').template('article/search', {
      rows: excerpted(found.getResults('rows')),
      q,
      isFurther: page > 1,
      pager: pages > 1 && { page, pages, newer: page > 1 && link(page - 1), older: page < pages && link(page + 1) },
    });

    // Kept for visitors without a cookie until one of these changes.
    response.setTitle('Articles').setContent(body).setCache('article');
    await app.emit('www-render-page', request, response);
  });

  // An Atom feed of the newest articles; its addresses are absolute if the settings have server.baseUrl.
  app.get('/feed.xml', async (_, response) => {
    const rows = excerpted((await search()).getResults('rows')).map((row) => ({ ...row, updated: toMoment(row) }));
    response.addHeader('content-type', 'application/atom+xml; charset=utf-8').setCache('article');
    return app.package('/app/www').template('article/feed', {
      site: app.settings.name,
      base: app.settings.server?.baseUrl ?? '',
      updated: rows[0]?.updated ?? toMoment({}),
      rows,
    });
  });

  app.get('/article/:article_id', {}, async (stage, { request, response }) => {
    const found = await app.emit('system-model-detail', { schema: 'article', article_id: Number(stage.article_id) });
    const item = found.getResults();

    // Answers nothing, so Treadle shows the not-found page.
    if (item === undefined) return;

    if (response.isError()) response.setFlash(response.getMessage() ?? 'That did not work.', 'error');

    const me = request.getSession('me');
    const path = toPath(request);
    const commented = request.getSession('commented');
    if (commented) request.removeSession('commented');
    const body = app.package('/app/www').template('article/detail', {
      item: { ...item, article_detail: scrollable(item.article_detail) },
      path,
      form: request.hasPost() ? request.getPost() : findDraft(request, path),
      errors: response.getValidation(),
      commented,
      me,
    });

    const [about] = excerpted([item]);
    response.setTitle(item.article_title).setContent(body).setCache('article', 'comment');
    response.addMeta('description', about?.teaser ?? '').addMeta('og:type', 'article');
    await app.emit('www-render-page', request, response);
  });

  app.post('/article/:article_id', async (request, response) => {
    const path = toPath(request);
    const profile = request.getSession('me', 'profile_id');

    if (!profile) {
      // It waits in the session, so that it is in the field after the login.
      request.setSession('draft', {
        path,
        text: String(request.getPost('comment_detail') ?? '').slice(0, DRAFT_CHARACTERS),
      });
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

    // The next page shows it: its entry has the focus, and with it the view.
    request.removeSession('draft').setSession('commented', request.getStage('comment_id'));
    app.package('global').flash('Comment Added', 'success');
    app.package('global').redirect(path);
  });
}

const toPath = (request: Request): string => `/article/${encodeURIComponent(String(request.getStage('article_id')))}`;

/** The comment that was typed on this page before the login. */
function findDraft(request: Request, path: string): object | undefined {
  const isHere = request.getSession('draft', 'path') === path;
  return isHere ? { comment_detail: request.getSession('draft', 'text') } : undefined;
}

/** Rows with the start of their text, without its markup. */
function excerpted<Row extends Pick<ArticleRow, 'article_detail'>>(rows: readonly Row[] = []) {
  return rows.map((row) => ({
    ...row,
    article_detail: undefined,
    teaser: toText(String(row.article_detail ?? '').slice(0, EXCERPT_CHARACTERS)),
  }));
}

const REFERENCES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

/** The text of sanitized HTML, which templates escape again. A tag that was cut is left out too. */
function toText(html: string): string {
  const text = html
    .replace(/<[^<>]*(?:>|$)/g, ' ')
    .replace(/&(amp|lt|gt|quot|nbsp);/g, (_, name) => REFERENCES[name] ?? '');
  const whole = text.replace(/\s+/g, ' ').trim();
  return whole.length > 200 ? `${whole.slice(0, 200).replace(/\s+\S*$/, '')}…` : whole;
}

/** Wide code and tables scroll, so the keyboard has to reach them. */
const scrollable = (html: unknown): string => String(html ?? '').replace(/<(pre|table)(?=[\s>])/g, '<$1 tabindex="0"');

/** A stored time as Atom writes it. */
const toMoment = ({ article_published: at }: Partial<ArticleRow>): string =>
  `${(at ?? '2000-01-01 00:00:00').replace(' ', 'T')}Z`;
