import { createRequire } from 'node:module';
import { findOwn } from '../core/record.ts';

/** The file of an Iconify set, as far as it is read here: every icon is 24 by 24. */
interface IconSet {
  readonly icons: Readonly<Record<string, { readonly body: string }>>;
  readonly aliases: Readonly<Record<string, { readonly parent: string }>>;
}

const require = createRequire(import.meta.url);
/** Read on first use, because it is a file of 600 kB. */
const made: { icons?: IconSet } = {};

function readIcons(): IconSet {
  const icons: IconSet = made.icons ?? require('@iconify-json/lucide/icons.json');
  made.icons = icons;
  return icons;
}

/** The names of all icons. */
export const listIconNames = (): string[] => Object.keys(readIcons().icons);

/**
 * An icon of Lucide as `<svg>`, in the size and the colour of the text, hidden from screen readers. Undefined for an
 * unknown name.
 *
 * @see https://lucide.dev/icons
 */
export function findIcon(name: string): string | undefined {
  const { icons, aliases } = readIcons();
  const body = findOwn(icons, findOwn(aliases, name)?.parent ?? name)?.body;
  if (body === undefined) return undefined;
  return `<svg class="t-icon" viewBox="0 0 24 24" width="1.125em" height="1.125em" aria-hidden="true">${body}</svg>`;
}
