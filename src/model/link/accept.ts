import { suggest, toDidYouMean } from '../../core/suggest.ts';
import { findUnmet, listAccepted, listTypeNames } from '../file-type.ts';
import type { Field } from '../shape.ts';
import type { Unstorable } from './unstorable.ts';

const EXTENSIONS = /^(?:\.[a-z0-9]{1,16}){1,2}$/;
const MIME = /^[a-z]+\/(?:[a-z0-9.+-]+|\*)$/;

/** The fault of an `accept` that a browser does not understand either. */
export function findAcceptFault(field: Field): string | undefined {
  const part = listAccepted(field).find((item) => !MIME.test(item) && !EXTENSIONS.test(item));
  if (part === undefined) return undefined;
  const { mimes, extensions } = listTypeNames();
  const isBare = extensions.includes(`.${part}`);
  const hint = isBare ? `Did you mean ".${part}"?` : toDidYouMean(part, [...mimes, ...extensions]);
  return `names "${part}", which is neither an extension such as ".pdf" nor a type such as "image/*". ${hint}`;
}

/** A part of `accept` that no file can meet. */
export function findUnmetAccept(field: Field): Unstorable | undefined {
  const { mimes } = listTypeNames();
  for (const part of listAccepted(field)) {
    const unmet = findUnmet(field, part);
    if (unmet !== undefined)
      return { fault: `names "${part}", which ${unmet}`, hint: 'Remove it, or take the type "file".' };
    // A type that is not known may be one that the bytes show.
    const isOpen = part.startsWith('.') || part.endsWith('/*') || mimes.has(part);
    const near = isOpen ? undefined : suggest(part, mimes, 2);
    if (near !== undefined) return { fault: `names "${part}", which no file has`, hint: `Did you mean "${near}"?` };
  }
  return undefined;
}
