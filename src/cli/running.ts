import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';

/** Where a running `treadle dev` notes its address for other commands. Git ignores `var/`. */
const toFile = (root: string): string => join(root, 'var', 'dev.json');

interface Running {
  readonly pid: number;
  readonly url: string;
}

/** True if a process exists; another user's cannot be signalled. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
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

/** URL of the project's running `treadle dev`; undefined if none runs. A note whose process ended is ignored. */
export function findRunning(root: string): string | undefined {
  const found = read(root);
  return found !== undefined && isAlive(found.pid) ? found.url : undefined;
}

/** Notes the address of this process; returns a function that removes the note. Without it the command still serves. */
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
