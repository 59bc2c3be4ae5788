import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { isRunning } from '../core/is-running.ts';

const SERVERS = ['dev', 'start'] as const;
type Server = (typeof SERVERS)[number];

/** Where a running `treadle dev` or `treadle start` notes its address for other commands. Git ignores `var/`. */
const toFile = (root: string, server: Server): string => join(root, 'var', `${server}.json`);

interface RunningServer {
  readonly pid: number;
  readonly url: string;
}

function parse(text: string): RunningServer | undefined {
  try {
    const { pid, url }: Partial<Record<keyof RunningServer, unknown>> = JSON.parse(text);
    if (typeof pid !== 'number' || !Number.isInteger(pid) || typeof url !== 'string') return undefined;
    return url.startsWith('http://') ? { pid, url } : undefined;
  } catch {
    return undefined;
  }
}

function read(root: string, server: Server): RunningServer | undefined {
  try {
    return parse(readFileSync(toFile(root, server), 'utf8'));
  } catch {
    return undefined;
  }
}

/** The URL of the running `treadle dev` of this project. Undefined if its process has ended, or if none was started. */
export function findRunning(root: string): string | undefined {
  const found = read(root, 'dev');
  return found !== undefined && isRunning(found.pid) ? found.url : undefined;
}

/** How long a server may take to answer that it lives. */
const ANSWER_MS = 2000;

/** Another process may have the number of a server that was killed, as in a container; so the server is asked, too. */
async function isServing({ pid, url }: RunningServer): Promise<boolean> {
  if (!isRunning(pid)) return false;
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    return (await fetch(new URL('/health/live', url), { signal, redirect: 'error' })).ok;
  } catch {
    return false;
  }
}

/** A server of this project that answers on this machine: its command and URL. One on another machine is not found. */
export async function findServer(
  root: string,
): Promise<{ readonly command: string; readonly url: string } | undefined> {
  for (const server of SERVERS) {
    const found = read(root, server);
    if (found !== undefined && (await isServing(found))) return { command: `treadle ${server}`, url: found.url };
  }
  return undefined;
}

/**
 * Writes the address of this process to `var/dev.json` or `var/start.json`. Returns a function that removes the file. If the file cannot be
 * written, the command still serves.
 */
export function noteRunning(root: string, url: string, server: Server = 'dev'): () => void {
  const file = toFile(root, server);
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify({ pid: process.pid, url })}\n`);
  } catch {
    return () => {};
  }
  return () => {
    // A second server of the project may have replaced the note.
    const found = read(root, server);
    if (found?.pid === process.pid && found.url === url) rmSync(file, { force: true });
  };
}
