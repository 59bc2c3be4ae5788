/** PostgreSQL does not store U+0000 in text. */
export const hasNul = (text: string): boolean => text.includes('\u0000');

/** Scalar to string, anything else to ''. Never calls toString() on client data. */
export function toPlain(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
