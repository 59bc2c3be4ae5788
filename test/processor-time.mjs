// What a command and its children used of the processor, by the shell; for this process, by Linux.
import { readFileSync } from 'node:fs';
import process from 'node:process';

/** POSIX `times`: the shell's own two values, then those of all waited-for child processes. */
const SCRIPT = '"$@"; code=$?; times >&2; exit $code';
const TIMES = /\d+m[\d.]+s \d+m[\d.]+s\n(\d+)m([\d.]+)s (\d+)m([\d.]+)s\s*$/;

/** The command and arguments that run Node with these arguments and print its processor time at the end of standard error. */
export const toTimed = (argv) => ['sh', ['-c', SCRIPT, 'sh', process.execPath, ...argv]];

/** Processor seconds at the end of a standard error. */
export function readSeconds(text) {
  const [, userMinutes, user, systemMinutes, system] = TIMES.exec(text)?.map(Number) ?? [0, 0, 0, 0, 0];
  return (userMinutes + systemMinutes) * 60 + user + system;
}

/** `cutime` and `cstime` of proc_pid_stat(5), counted after the name, which may contain spaces. */
const CHILDREN = [13, 14];
/** USER_HZ of every Linux. */
const TICKS = 100;

/** Processor seconds of the children of a process that have ended, theirs included. */
function readChildSeconds(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return CHILDREN.reduce((sum, index) => sum + Number(fields[index]), 0) / TICKS;
}

/** Processor seconds of this process and its children; undefined outside Linux. */
export function readRunSeconds() {
  if (process.platform !== 'linux') return undefined;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + readChildSeconds('self');
}
