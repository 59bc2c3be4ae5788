import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../core/package-root.ts';
import type { Sample } from './samples.ts';

/** Whole receivers that verify what they are sent, in `templates/docs/receiver`: tests run these very files. */
const RECEIVERS = [
  ['js', 'Node', 'node.mjs'],
  ['js-package', 'Node, standardwebhooks', 'node-package.mjs'],
  ['python', 'Python', 'receiver.py'],
  ['php', 'PHP', 'receiver.php'],
] as const;

const kept = new Map<string, string>();

function read(file: string): string {
  const text = kept.get(file) ?? readFileSync(join(packageRoot, 'templates', 'docs', 'receiver', file), 'utf8');
  kept.set(file, text);
  return text;
}

/** The receivers, as samples for the tabs of a page. */
export const listReceivers = (): Sample[] =>
  RECEIVERS.map(([language, label, file]) => ({ language, label, text: read(file) }));
