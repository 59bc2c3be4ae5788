/** Where the pages of the docs lie, seen from one of them. */
export interface Links {
  /** Before `/styles/docs.css`. */
  readonly base: string;
  /** What the site's name in the header leads to. */
  readonly home: string;
  /** Address of a page by its path, such as `calls/public-article-search`; the overview's is empty. */
  page(path: string): string;
  readonly openapi: string;
  /** The script with the index of the search. */
  readonly index: string;
}

/** On the server: absolute paths. */
export const serverLinks: Links = {
  base: '',
  home: '/',
  page: (path) =>
    path === '' ? '/developer/docs' : `/developer/docs/${path.split('/').map(encodeURIComponent).join('/')}`,
  openapi: '/developer/docs/openapi.json',
  index: '/developer/docs/search.js',
};

/** File of a page among the static docs. */
export function toFileName(path: string): string {
  return path === '' ? 'index.html' : `${path.replace(/[^A-Za-z0-9._/-]/g, '-')}.html`;
}

/** In static files: relative, so that they work under any address and from a disk. */
export function toStaticLinks(from: string): Links {
  const base = from.includes('/') ? '..' : '.';
  return {
    base,
    home: `${base}/index.html`,
    page: (path) => `${base}/${toFileName(path)}`,
    openapi: `${base}/openapi.json`,
    index: `${base}/search.js`,
  };
}

/** In the index of the static docs: from the folder of all pages, whatever page looks. */
export const indexLinks: Links = { ...toStaticLinks(''), page: toFileName };
