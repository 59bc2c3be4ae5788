import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { packageVersion } from '../core/package-root.ts';

interface Stored {
  /** Tells one state of a file from another. */
  readonly state: string;
  readonly code: string;
}

/**
 * Code without its types, kept on disk between starts, so that a process that starts needs neither the transformer nor its
 * work (some 60 ms). Lost or broken it is made again; it never decides what is right.
 */
export interface CodeStore {
  find(path: string, state: string): string | undefined;
  put(path: string, state: string, code: string): void;
  /** Writes what is new; a folder that cannot be written to is no fault. */
  save(): void;
}

export function createCodeStore(file: string): CodeStore {
  const known = readStored(file);
  const fresh = new Map<string, Stored>();
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
    save() {
      if (!progress.isChanged) return;
      progress.isChanged = false;
      try {
        mkdirSync(dirname(file), { recursive: true });
        const temporary = `${file}.${process.pid}`;
        writeFileSync(temporary, JSON.stringify({ version: packageVersion, files: Object.fromEntries(fresh) }), {
          mode: 0o600,
        });
        renameSync(temporary, file);
      } catch {
        // A read-only project starts all the same.
      }
    },
  };
}

function readStored(file: string): Map<string, Stored> {
  try {
    const { version, files } = JSON.parse(readFileSync(file, 'utf8')) as {
      version: string;
      files: Record<string, Stored>;
    };
    return version === packageVersion ? new Map(Object.entries(files)) : new Map();
  } catch {
    return new Map();
  }
}
