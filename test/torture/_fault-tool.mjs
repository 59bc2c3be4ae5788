// Tools for faults: strace, which fails system calls of a running process, and a small file system in memory.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/** The reason why strace cannot be used here; undefined if it can. */
export function findStraceLack() {
  const { status, error } = spawnSync('strace', ['-e', 'trace=none', 'true'], { stdio: 'ignore' });
  if (error) return 'strace is missing';
  return status === 0 ? undefined : 'strace may not trace here';
}

/** The reason why no file system can be mounted here; undefined if it can. */
export function findMountLack() {
  if (process.platform !== 'linux') return 'it needs Linux';
  if (process.getuid?.() !== 0) return 'it needs root';
  return spawnSync('unshare', ['-m', 'true'], { stdio: 'ignore' }).status === 0 ? undefined : 'mounting is not allowed';
}

/**
 * Fails system calls of a process, for example `fsync,fdatasync` with `error=EIO:when=3+`. Resolves when it is
 * attached.
 * `faults()` returns the times of the failed calls, in milliseconds since 1970.
 */
export async function injectFault(pid, calls, fault) {
  const words = ['-f', '-ttt', '-p', String(pid), '-e', `trace=${calls}`, '-e', `inject=${calls}:${fault}`];
  const child = spawn('strace', words, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  const gone = new Promise((done) => child.once('close', done));
  await new Promise((done, refuse) => {
    child.stderr.on('data', (chunk) => {
      said += chunk;
      if (said.includes(' attached')) done();
    });
    gone.then(() => refuse(new Error(`strace ended: ${said}`)));
  });
  return {
    faults: () =>
      said
        .split('\n')
        .filter((line) => line.includes('(INJECTED)'))
        .map((line) => Number(/(\d{9,}\.\d+)/.exec(line)?.[1]) * 1000),
    async stop() {
      child.kill('SIGINT');
      await gone;
    },
  };
}

/** Mounts a file system of this size in memory over a folder, with the folder's files. */
export function mountSmall(folder, bytes) {
  const aside = `${folder}.aside`;
  execFileSync('mv', [folder, aside]);
  execFileSync('mkdir', [folder]);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'none', folder]);
  execFileSync('cp', ['-a', `${aside}/.`, folder]);
  rmSync(aside, { recursive: true });
  const ballast = join(folder, 'ballast');
  return {
    /** Fills all free space, to the last byte. */
    fill(name = ballast) {
      const handle = openSync(name, 'a');
      try {
        for (let size = 65_536; size >= 1; size = Math.floor(size / 16)) {
          try {
            for (;;) writeSync(handle, Buffer.alloc(size, 1));
          } catch (error) {
            if (error.code !== 'ENOSPC') throw error;
          }
        }
      } finally {
        closeSync(handle);
      }
    },
    free: () => rmSync(ballast, { force: true }),
    unmount: () => execFileSync('umount', ['-l', folder]),
  };
}
