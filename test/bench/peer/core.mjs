// Binds the bench and the servers that it starts to one core, so that what they do adds up to one processor.
import { execFileSync } from 'node:child_process';
import process from 'node:process';

const taskset = (...args) => execFileSync('taskset', args, { encoding: 'utf8' });

export function hasTaskset() {
  try {
    return taskset('--version').length > 0;
  } catch {
    return false;
  }
}

/** Binds this process with its threads; programs that it starts inherit that. @returns what takes it back. */
export function bindToOneCore() {
  const pid = String(process.pid);
  const mask = /: (\S+)\s*$/.exec(taskset('-p', pid))[1];
  taskset('-a', '-cp', '0', pid);
  return () => taskset('-a', '-p', mask, pid);
}
