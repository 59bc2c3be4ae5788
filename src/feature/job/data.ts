/** Bytes of a job's data as JSON. */
const MAX_BYTES = 65_536;
const MAX_DEPTH = 32;

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** What JSON would lose or change, with its path; undefined if nothing. */
function findLost(value: unknown, path: string, depth: number): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || value === undefined)
    return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${path} is ${value}`;
  if (typeof value !== 'object') return `${path} is a ${typeof value}`;
  if (depth >= MAX_DEPTH) return `${path} is nested deeper than ${MAX_DEPTH} levels, or in itself`;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const lost = findLost(item, `${path}[${index}]`, depth + 1);
      if (lost !== undefined) return lost;
    }
    return undefined;
  }
  // A date becomes its text, as in every answer.
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? `${path} is not a valid date` : undefined;
  if (!isPlain(value)) return `${path} is a ${value.constructor.name}`;
  for (const [key, item] of Object.entries(value)) {
    const lost = findLost(item, `${path}.${key}`, depth + 1);
    if (lost !== undefined) return lost;
  }
  return undefined;
}

/** A job's data as JSON, or why it cannot be. */
export function toJobData(data: unknown): { readonly json: string } | { readonly fault: string } {
  const lost = findLost(data, 'data', 0);
  if (lost !== undefined) return { fault: `Should be JSON: ${lost}` };
  const json = JSON.stringify(data ?? null);
  const bytes = Buffer.byteLength(json);
  if (bytes <= MAX_BYTES) return { json };
  return {
    fault: `Should be at most ${MAX_BYTES} bytes of JSON, not ${bytes}: queue an id and read the row in the job`,
  };
}
