const MOST = 100;
const PRESET = 50;

/** What is wrong with a `limit` that {@link readPageLimit} does not take. */
export const PAGE_LIMIT_ERROR = `limit must be a whole number from 1 to ${MOST}.`;

/** The `limit` of a search of jobs, deliveries or history. Default 50; undefined unless it is a whole number from 1 to 100. */
export function readPageLimit(value: unknown): number | undefined {
  if (value === undefined || value === '') return PRESET;
  const limit = /^\d{1,3}$/.test(String(value)) ? Number(value) : 0;
  return limit >= 1 && limit <= MOST ? limit : undefined;
}
