import { readFileSync } from 'node:fs';
import process from 'node:process';

/** Files that this process may open, sockets among them; undefined where the system does not say. */
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
  // Without this it looks every address up in the DNS.
  Object.assign(report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isInteger(soft) && soft > 0 ? soft : undefined;
}

/** Descriptors that stay free for the database, files and web hooks: a quarter, from 32 to 256. */
const toReserve = (descriptors: number): number => Math.min(256, Math.max(32, Math.floor(descriptors / 4)));

const LEAST = 8;

/** Connections that are taken: as many as wanted, and as there are descriptors for. */
export function toMostConnections(wanted: number, descriptors: number | undefined): number {
  if (descriptors === undefined) return wanted;
  return Math.min(wanted, Math.max(LEAST, descriptors - toReserve(descriptors)));
}
