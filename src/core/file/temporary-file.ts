import { createHash, randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { isRunning } from '../is-running.ts';

/**
 * Milliseconds after the last write from which a temporary file counts as abandoned, whatever host and
 * process made it.
 */
const DEAD_MILLISECONDS = 86_400_000;

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/** Names without an owner come from an earlier version. */
const NAME = new RegExp(`^\\..+\\.(?:treadle-([0-9a-f]{8})-(\\d+)-)?${UUID}\\.tmp$`);

/** Identifies the host: process ids are only meaningful there, and the folder may be shared. */
const toHost = (): string => createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/** Temporary name of a file while it is written; contains the writing process. */
export function toTemporary(path: string): string {
  const owner = `treadle-${toHost()}-${process.pid}-${randomUUID()}`;
  return join(dirname(path), `.${basename(path)}.${owner}.tmp`);
}

async function isDead(path: string, host: string | undefined, pid: number): Promise<boolean> {
  if (host === toHost() && !isRunning(pid)) return true;
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > DEAD_MILLISECONDS;
}

/** The files of {@link toTemporary} that killed processes left in a folder, as paths. */
export async function listAbandoned(folder: string): Promise<string[]> {
  const abandoned: string[] = [];
  for (const name of await readdir(folder)) {
    const found = NAME.exec(name);
    if (found === null) continue;
    const [, host, pid] = found;
    const path = join(folder, name);
    if (await isDead(path, host, Number(pid))) abandoned.push(path);
  }
  return abandoned;
}

/** Removes the files of {@link listAbandoned}. */
export async function tidyTemporary(folder: string): Promise<void> {
  for (const path of await listAbandoned(folder)) await rm(path, { force: true });
}
