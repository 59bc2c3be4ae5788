import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Model } from '../../model/model.ts';
import { writeFileAtomically } from '../../project/write.ts';
import { printTypes, TYPES_FILE } from './file.ts';

/**
 * Writes the types again if the file exists and the model has changed.
 *
 * @returns True if it was written.
 */
export async function refreshTypes(model: Model, root: string): Promise<boolean> {
  const file = join(root, TYPES_FILE);
  const there = await readFile(file, 'utf8').catch(() => undefined);
  if (there === undefined) return false;
  const text = printTypes(model);
  if (text === there) return false;
  await writeFileAtomically(file, text);
  return true;
}
