import { createHash } from 'node:crypto';
import { NAME_LENGTH } from '../../model/shape/text.ts';

/** Shortens a name that PostgreSQL would cut: a hash of the whole replaces its end. */
export function fitName(own: string, end: string): string {
  if (own.length + 1 + end.length <= NAME_LENGTH) return `${own}_${end}`;
  const hash = createHash('sha256').update(own).digest('hex').slice(0, 8);
  return `${own.slice(0, NAME_LENGTH - end.length - hash.length - 2)}_${hash}_${end}`;
}
