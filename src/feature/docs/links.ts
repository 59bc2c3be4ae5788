import { currentLocale, currentLocaleTag } from '../../core/text/translate.ts';
import { toLanguagePath } from '../../plan/language/language-path.ts';
/** URLs of the docs' pages, seen from one of them. */
export interface Links {
  /** Prefix of `/styles/docs.css`. */
  readonly base: string;
  /** Target of the site's name in the header. */
  readonly home: string;
  /** URL of a page by its path, such as `calls/public-article-search`; the overview's path is empty. */
  page(path: string): string;
  /** URL of a page as Markdown. */
  markdown(path: string): string;
  /** A link for a reader who has left the page: with the site's address, if the page is served. */
  whole(href: string): string;
  readonly openapi: string;
  /** The collection for Postman. */
  readonly postman: string;
  /** The `.http` file. */
  readonly http: string;
  /** The script with the search index. */
  readonly index: string;
}

/** On the server: absolute paths. */
export const serverLinks: Links = {
  base: '',
  home: '/',
  page: (path) =>
    path === '' ? '/developer/docs' : `/developer/docs/${path.split('/').map(encodeURIComponent).join('/')}`,
  markdown: (path) => `${serverLinks.page(path)}.md`,
  whole: (href) => href,
  openapi: '/developer/docs/openapi.json',
  postman: '/developer/docs/postman.json',
  http: '/developer/docs/api.http',
  index: '/developer/docs/search.js',
};

/** On the server, for what is read elsewhere: with the site's address, pages in the reader's language. */
export function toWholeLinks(baseUrl: string): Links {
  const whole = (href: string): string => (href.startsWith('/') ? `${baseUrl}${href}` : href);
  const markdown = (path: string): string =>
    whole(toLanguagePath(currentLocale(), currentLocaleTag(), serverLinks.markdown(path)));
  return { ...serverLinks, whole, markdown };
}

/** File of a page in the static docs. */
export function toFileName(path: string): string {
  return path === '' ? 'index.html' : `${path.replace(/[^A-Za-z0-9._/-]/g, '-')}.html`;
}

/** For static files: relative, so that they work under any URL and from a disk. */
export function toStaticLinks(from: string): Links {
  const base = from.includes('/') ? '..' : '.';
  return {
    base,
    home: `${base}/index.html`,
    page: (path) => `${base}/${toFileName(path)}`,
    markdown: (path) => `${base}/${toFileName(path).replace(/html$/, 'md')}`,
    whole: (href) => href,
    openapi: `${base}/openapi.json`,
    postman: `${base}/postman.json`,
    http: `${base}/api.http`,
    index: `${base}/search.js`,
  };
}

/** For the search index of the static docs: relative to the root folder of the pages. */
export const indexLinks: Links = { ...toStaticLinks(''), page: toFileName };
