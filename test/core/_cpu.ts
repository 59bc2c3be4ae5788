/**
 * Processor time of this process in milliseconds: used for limits on work, because wall-clock time
 * continues while other processes use the processor.
 */
export function cpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
