import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { packageVersion } from '../core/package-root.ts';

interface Stored {
  /** Identifies the state of a file. */
  readonly state: string;
  readonly code: string;
}

/**
 * Cache on disk of transformed code, so that a start needs neither the transformer nor its time (some 60
 * ms). A lost or broken cache is rebuilt.
 */
export interface CodeStore {
  find(path: string, state: string): string | undefined;
  put(path: string, state: string, code: string): void;
  /** Saves new entries; ignores a read-only folder. */
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
        // A read-only project must still start.
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
