/**
 * Milliseconds of processor time that this process has had: what a bound on work is held against, since the wall's clock
 * goes on while other processes have the machine.
 */
export function cpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
