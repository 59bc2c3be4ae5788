import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { packageVersion } from '../core/file/package-root.ts';
import { writeCacheFile } from './cache-file.ts';
import type { ParsedFiles } from './read.ts';

/**
 * Cache on disk of parsed definitions with their texts, so that a start makes no shapes and parses only files that have
 * changed. A lost or broken cache is rebuilt.
 */
export interface DefinitionStore {
  /** What was stored, and what is parsed from now on. */
  readonly files: ParsedFiles;
  /** Saves the files if any of them is new. Once: a reload keeps them in memory. */
  save(): void;
}

interface StoredDefinitions {
  readonly build: string;
  readonly files: readonly { readonly file: string; readonly text: string; readonly value: unknown }[];
}

/**
 * Identifies the program, because another one may have other shapes. Undefined for one that runs from its source: the
 * shapes are in other files than this one.
 */
function findBuild(): string | undefined {
  const program = fileURLToPath(import.meta.url);
  if (program.endsWith('.ts')) return undefined;
  const { size, mtimeMs } = statSync(program);
  return `${packageVersion} ${size} ${mtimeMs}`;
}

/** @param build Undefined keeps nothing on disk. */
export function createDefinitionStore(file: string, build = findBuild()): DefinitionStore {
  const files = build === undefined ? new Map() : readStored(file, build);
  const stored: ParsedFiles = new Map(files);
  const progress = { isSaved: build === undefined };
  return {
    files,
    save() {
      if (progress.isSaved) return;
      progress.isSaved = true;
      const isSame = files.size === stored.size && [...files].every(([name, entry]) => stored.get(name) === entry);
      if (!isSame) writeCacheFile(file, JSON.stringify({ build, files: listStored(files) }));
    },
  };
}

/** The files without problems. */
function listStored(files: ParsedFiles): StoredDefinitions['files'] {
  return [...files.values()].flatMap(({ parsed: { source } }) => {
    if (source === undefined) return [];
    const { file, text, value } = source;
    return isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value) ? [{ file, text, value }] : [];
  });
}

function readStored(file: string, build: string): ParsedFiles {
  try {
    const stored: StoredDefinitions = JSON.parse(readFileSync(file, 'utf8'));
    if (stored.build !== build) return new Map();
    return new Map(
      stored.files.map((source) => [source.file, { text: source.text, parsed: { source, problems: [] } }]),
    );
  } catch {
    return new Map();
  }
}
