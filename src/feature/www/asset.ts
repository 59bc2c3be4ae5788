import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Listener } from '../../core/bus.ts';
import { packageRoot } from '../../core/package-root.ts';

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const;
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

/** Serves `templates/<folder>/<name>.<extension>` of Treadle by its ETag; read once, in development each time. */
export function serveAsset(folder: string, extension: keyof typeof TYPES, isDevelopment: boolean): Listener {
  const kept = new Map<string, Asset>();
  return async (_request, response, meta) => {
    const [name = ''] = meta.variables;
    if (!NAME.test(name)) return;
    const asset = kept.get(name) ?? (await readAsset(folder, `${name}.${extension}`));
    if (!asset) return;
    if (!isDevelopment) kept.set(name, asset);
    response.addHeader('content-type', TYPES[extension]).addHeader('etag', asset.etag);
    response.addHeader('cache-control', 'public, max-age=0, must-revalidate').setContent(asset.text);
  };
}
