import { readFileSync } from 'node:fs';
import { packageVersion } from '../core/file/package-root.ts';
import { writeCacheFile } from './cache-file.ts';
import type { CodeName } from './code-names.ts';

interface StoredCode {
  /** Identifies the state of a file. */
  readonly state: string;
  readonly code: string;
  /** Found later than the code. */
  names?: readonly CodeName[];
}

/**
 * Cache on disk of transformed code, so that a start needs neither the transformer nor its time (some 60
 * ms). A lost or broken cache is rebuilt.
 */
export interface CodeStore {
  find(path: string, state: string): string | undefined;
  put(path: string, state: string, code: string): void;
  /** The names in a file that was found or put; `find` runs once for each state of it. */
  names(path: string, find: () => readonly CodeName[]): readonly CodeName[];
  /** Saves new entries; ignores a read-only folder. */
  save(): void;
}

export function createCodeStore(file: string): CodeStore {
  const known = readStored(file);
  const fresh = new Map<string, StoredCode>();
  const progress = { isChanged: false };
  return {
    find(path, state) {
      const stored = known.get(path);
      if (stored?.state !== state) return undefined;
      fresh.set(path, stored);
      return stored.code;
    },
    put(path, state, code) {
      progress.isChanged = true;
      fresh.set(path, { state, code });
    },
    names(path, find) {
      const stored = fresh.get(path);
      if (stored === undefined) return find();
      if (stored.names === undefined) progress.isChanged = true;
      stored.names ??= find();
      return stored.names;
    },
    save() {
      if (!progress.isChanged) return;
      progress.isChanged = false;
      writeCacheFile(file, JSON.stringify({ version: packageVersion, files: Object.fromEntries(fresh) }));
    },
  };
}

function readStored(file: string): Map<string, StoredCode> {
  try {
    const { version, files }: { readonly version: string; readonly files: Readonly<Record<string, StoredCode>> } =
      JSON.parse(readFileSync(file, 'utf8'));
    return version === packageVersion ? new Map(Object.entries(files)) : new Map();
  } catch {
    return new Map();
  }
}
