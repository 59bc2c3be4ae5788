import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Absolute path of the SQLite file; undefined for another database, or one in memory. */
export function findDatabaseFile(url: string, root: string): string | undefined {
  const path = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1];
  return path === undefined || path === ':memory:' ? undefined : resolve(root, path);
}

/** Whether a URL names a file that exists, or a server, which is contacted when it is opened. */
export function isDatabaseThere(url: string, root: string): boolean {
  const file = findDatabaseFile(url, root);
  return file === undefined ? url !== 'sqlite::memory:' : existsSync(file);
}
