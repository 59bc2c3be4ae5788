import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';

/** URL paths of the project's static files, such as `/logo.svg`. */
export function listPublicFiles(root: string): string[] {
  try {
    return readdirSync(join(root, 'public'), { recursive: true }).map(
      (name) => `/${String(name).replaceAll(sep, '/')}`,
    );
  } catch {
    return [];
  }
}
