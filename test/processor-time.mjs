// What a command and its children used of the processor, by the shell.
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
