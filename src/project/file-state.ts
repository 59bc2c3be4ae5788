import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { TEMPORARY } from './write.ts';

/** Swap and backup files of editors, and Treadle's own temporary files. */
export function isNoise(path: string): boolean {
  const name = basename(path);
  if (name === '.env' || name === '.treadle.ts') return false;
  return (
    name.endsWith(TEMPORARY) ||
    /^(?:node_modules|\.git|\.DS_Store|4913)$/.test(name) ||
    /(?:~|\.sw[a-z]|\.tmp|\.bak|___jb_(?:tmp|old)___)$/.test(name) ||
    /^(?:\.#|#.*#$)/.test(name)
  );
}

/** Identifies the state of a file; empty if it does not exist. */
export function toState(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? '' : `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
}

/** Files of a folder and its subfolders; empty if it is gone. */
export function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (isNoise(path)) return [];
      return entry.isDirectory() ? listFiles(path) : [path];
    });
  } catch {
    return [];
  }
}

/**
 * A text that changes when a file of `config/`, `app/` or `.env` is written, made or removed. It reads no contents, and
 * holds on this machine only.
 */
export function readFingerprint(root: string): string {
  const hash = createHash('sha256');
  const files = [...listFiles(join(root, 'config')), ...listFiles(join(root, 'app')), join(root, '.env')];
  for (const file of files.sort()) hash.update(`${file} ${toState(file)}\n`);
  return hash.digest('base64url');
}
