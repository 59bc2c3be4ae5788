// A build of an older commit, as it would be installed, made aside.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

function run(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout.trim();
}

/** True if the checkout has the commit; a shallow one may not. */
export const hasCommit = (commit) =>
  spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' }).status === 0;

/** The program of a commit, with this checkout's packages. */
export function buildOlder(commit) {
  const folder = mkdtempSync(join(tmpdir(), 'treadle-older-'));
  const tree = join(folder, 'tree');
  const remove = () => {
    spawnSync('git', ['worktree', 'remove', '--force', tree], { cwd: root, stdio: 'ignore' });
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', remove);
  run('git', ['worktree', 'add', '--quiet', '--detach', tree, commit], root);
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  run('npm', ['run', '--silent', 'build'], tree);
  return join(tree, 'dist/bin/treadle.js');
}
