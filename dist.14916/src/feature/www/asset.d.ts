import type { Listener } from '../../core/bus.ts';
declare const TYPES: {
    readonly css: 'text/css; charset=utf-8';
    readonly js: 'text/javascript; charset=utf-8';
    readonly svg: 'image/svg+xml';
};
/**
 * Serves `templates/<folder>/<name>.<extension>` of Treadle with an ETag. Files are read once, in development each
 * time. The name is what the route's `*` captured, or `fixed` for a route without one.
 */
export declare function serveAsset(folder: string, extension: keyof typeof TYPES, { isDevelopment, fixed }: {
    readonly isDevelopment: boolean;
    readonly fixed?: string;
}): Listener;
export {};
