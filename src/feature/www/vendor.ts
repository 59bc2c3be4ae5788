import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Listener } from '../../core/bus/followers.ts';

const require = createRequire(import.meta.url);

/**
 * A package's own file for browsers, by the name in its path. Both packages have it beside what `require` finds. Pages load
 * it only where they need it.
 */
const FILES: Readonly<Record<string, () => string>> = {
  squire: () => join(dirname(require.resolve('squire-rte')), 'squire.mjs'),
  purify: () => join(dirname(require.resolve('dompurify')), 'purify.min.js'),
};

interface VendorFile {
  readonly text: string;
  readonly etag: string;
}

async function readServed(name: string): Promise<VendorFile | undefined> {
  const known = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
  if (!known) return undefined;
  const source = await readFile(known(), 'utf8');
  // The package's map lies elsewhere, and browsers would ask for it.
  const text = source.replace(/^\/\/# sourceMappingURL=.*$/gm, '');
  return { text, etag: `"${createHash('sha1').update(text).digest('base64url')}"` };
}

/** Serves a package's file for browsers with an ETag. Each is read once, when it is first asked for. */
export function serveVendor(): Listener {
  const files = new Map<string, VendorFile>();
  return async (_request, response, meta) => {
    const [name = ''] = meta.variables;
    const served = files.get(name) ?? (await readServed(name));
    if (!served) return;
    files.set(name, served);
    response.addHeader('content-type', 'text/javascript; charset=utf-8').addHeader('etag', served.etag);
    response.addHeader('cache-control', 'public, max-age=0, must-revalidate').setContent(served.text);
  };
}
