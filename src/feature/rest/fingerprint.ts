import { createHash, type Hash } from 'node:crypto';
import type { Request } from '../../core/request.ts';
import { isSentFile } from '../../core/sent-file.ts';

const FORM = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** Adds a form's values in order; a file by its bytes. */
function addValue(sum: Hash, value: unknown): void {
  if (isSentFile(value)) {
    sum.update(`file ${JSON.stringify([value.name, value.type])} `);
    sum.update(createHash('sha256').update(value.buffer).digest());
  } else if (typeof value === 'object' && value !== null) {
    sum.update(Array.isArray(value) ? '[' : '{');
    for (const [key, item] of Object.entries(value)) {
      sum.update(`${JSON.stringify(key)}:`);
      addValue(sum, item);
    }
    sum.update('}');
  } else sum.update(`${JSON.stringify(value) ?? ''},`);
}

/**
 * SHA-256 of a request's method, path, query and body, without its credentials. A form is hashed by its
 * values, because its multipart boundary differs each time.
 */
export function toFingerprint(request: Request): string {
  const sum = createHash('sha256');
  sum.update(`${request.getMethod()}\n${request.getPath('string')}?${request.getQuery()}\n`);
  const content = request.getContent();
  if (FORM.test(request.getHeader('content-type') ?? '')) {
    addValue(sum, request.getPost());
    addValue(sum, request.getFiles());
  } else if (content instanceof Uint8Array) sum.update(content);
  else sum.update(String(content ?? ''));
  return sum.digest('hex');
}
