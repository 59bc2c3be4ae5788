import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Listener } from '../../core/bus/followers.ts';
import { packageRoot } from '../../core/file/package-root.ts';
import { hasFingerprint, IMMUTABLE, toFingerprint } from '../../project/asset.ts';

const TYPES = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const;
const NAME = /^[a-z0-9][a-z0-9-]*$/;

interface Asset {
  readonly text: string;
  readonly fingerprint: string;
}

async function readAsset(folder: string, file: string): Promise<Asset | undefined> {
  try {
    const text = await readFile(join(packageRoot, 'templates', folder, file), 'utf8');
    return { text, fingerprint: toFingerprint(text) };
  } catch {
    return undefined;
  }
}

/**
 * Serves `templates/<folder>/<name>.<extension>` of Treadle with an ETag; for good where the URL has the content's hash. Files are read once, in development each
 * time. The name is what the route's `*` captured, or `fixed` for a route without one.
 */
export function serveAsset(
  folder: string,
  extension: keyof typeof TYPES,
  { isDevelopment, fixed = '' }: { readonly isDevelopment: boolean; readonly fixed?: string },
): Listener {
  const assets = new Map<string, Asset>();
  return async (request, response, meta) => {
    const [name = fixed] = meta.variables;
    if (!NAME.test(name)) return;
    const asset = assets.get(name) ?? (await readAsset(folder, `${name}.${extension}`));
    if (!asset) return;
    if (!isDevelopment) assets.set(name, asset);
    response.addHeader('content-type', TYPES[extension]).addHeader('etag', `"${asset.fingerprint}"`);
    const isPinned = hasFingerprint(request.getQuery() ?? '', asset.fingerprint);
    const caching = isPinned ? IMMUTABLE : 'public, max-age=0, must-revalidate';
    response.addHeader('cache-control', caching).setContent(asset.text);
  };
}
