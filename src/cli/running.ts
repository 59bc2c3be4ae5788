import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { isRunning } from '../core/is-running.ts';

/** Where a running `treadle dev` notes its address for other commands. Git ignores `var/`. */
const toFile = (root: string): string => join(root, 'var', 'dev.json');

interface Running {
  readonly pid: number;
  readonly url: string;
}

function parse(text: string): Running | undefined {
  try {
    const { pid, url } = JSON.parse(text) as Partial<Running>;
    const isWhole = Number.isInteger(pid) && typeof url === 'string' && /^http:\/\//.test(url);
    return isWhole ? { pid: pid as number, url } : undefined;
  } catch {
    return undefined;
  }
}

function read(root: string): Running | undefined {
  try {
    return parse(readFileSync(toFile(root), 'utf8'));
  } catch {
    return undefined;
  }
}

/** The URL of the running `treadle dev` of this project. Undefined if its process has ended, or if none was started. */
export function findRunning(root: string): string | undefined {
  const found = read(root);
  return found !== undefined && isRunning(found.pid) ? found.url : undefined;
}

/** Writes the address of this process to `var/dev.json`. Returns a function that removes the file. If the file cannot be written, the command still serves. */
export function noteRunning(root: string, url: string): () => void {
  const file = toFile(root);
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify({ pid: process.pid, url })}\n`);
  } catch {
    return () => {};
  }
  return () => {
    // A second server of the project may have replaced the note.
    const found = read(root);
    if (found?.pid === process.pid && found.url === url) rmSync(file, { force: true });
  };
}
