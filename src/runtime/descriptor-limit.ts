import { readFileSync } from 'node:fs';
import process from 'node:process';

/** Number of files, including sockets, that this process may open; undefined if the system does not say. */
export function readDescriptorLimit(): number | undefined {
  try {
    const found = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return found === undefined ? undefined : Number(found);
  } catch {
    return readReportedLimit();
  }
}

/** For systems without /proc. */
function readReportedLimit(): number | undefined {
  const { report } = process;
  if (report === undefined) return undefined;
  // Without this, the report looks up every address in the DNS.
  Object.assign(report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isInteger(soft) && soft > 0 ? soft : undefined;
}

/** File descriptors reserved for the database, files and web hooks: a quarter, from 32 to 256. */
const toReserve = (descriptors: number): number => Math.min(256, Math.max(32, Math.floor(descriptors / 4)));

const LEAST = 8;

/** Maximum number of connections: as many as wanted, limited by the file descriptors. */
export function toMostConnections(wanted: number, descriptors: number | undefined): number {
  if (descriptors === undefined) return wanted;
  return Math.min(wanted, Math.max(LEAST, descriptors - toReserve(descriptors)));
}
