import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Paths by which the static files of a project are asked for, such as `/logo.svg`. */
export function listPublicFiles(root: string): string[] {
  try {
    return readdirSync(join(root, 'public'), { recursive: true }).map(
      (name) => `/${String(name).replaceAll(sep, '/')}`,
    );
  } catch {
    return [];
  }
}
