/** URLs of the docs' pages, seen from one of them. */
export interface Links {
    /** Prefix of `/styles/docs.css`. */
    readonly base: string;
    /** Target of the site's name in the header. */
    readonly home: string;
    /** URL of a page by its path, such as `calls/public-article-search`; the overview's path is empty. */
    page(path: string): string;
    readonly openapi: string;
    /** The script with the search index. */
    readonly index: string;
}
/** On the server: absolute paths. */
export declare const serverLinks: Links;
/** File of a page in the static docs. */
export declare function toFileName(path: string): string;
/** For static files: relative, so that they work under any URL and from a disk. */
export declare function toStaticLinks(from: string): Links;
/** For the search index of the static docs: relative to the root folder of the pages. */
export declare const indexLinks: Links;
