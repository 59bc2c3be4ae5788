import process from 'node:process';

import { readCode } from './errors.ts';

/** True if a process exists. One of another user exists too, but may not be signalled. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return readCode(error) === 'EPERM';
  }
}
