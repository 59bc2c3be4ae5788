import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Listener } from '../../core/bus.ts';
import { packageRoot } from '../../core/package-root.ts';

const TYPES = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const;
const NAME = /^[a-z0-9][a-z0-9-]*$/;

interface Asset {
  readonly text: string;
  readonly etag: string;
}

async function readAsset(folder: string, file: string): Promise<Asset | undefined> {
  try {
    const text = await readFile(join(packageRoot, 'templates', folder, file), 'utf8');
    return { text, etag: `"${createHash('sha1').update(text).digest('base64url')}"` };
  } catch {
    return undefined;
  }
}

/**
 * Serves `templates/<folder>/<name>.<extension>` of Treadle with an ETag. Files are read once, in development each
 * time. The name is what the route's `*` captured, or `fixed` for a route without one.
 */
export function serveAsset(
  folder: string,
  extension: keyof typeof TYPES,
  { isDevelopment, fixed = '' }: { readonly isDevelopment: boolean; readonly fixed?: string },
): Listener {
  const kept = new Map<string, Asset>();
  return async (_request, response, meta) => {
    const [name = fixed] = meta.variables;
    if (!NAME.test(name)) return;
    const asset = kept.get(name) ?? (await readAsset(folder, `${name}.${extension}`));
    if (!asset) return;
    if (!isDevelopment) kept.set(name, asset);
    response.addHeader('content-type', TYPES[extension]).addHeader('etag', asset.etag);
    response.addHeader('cache-control', 'public, max-age=0, must-revalidate').setContent(asset.text);
  };
}
