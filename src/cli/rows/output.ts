import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import process from 'node:process';
import { finished } from 'node:stream/promises';
import { joinLines } from '../../rows/write.ts';
import { createUsageError } from '../failure.ts';

/**
 * Writes lines to a temporary file, which is renamed when it is complete.
 *
 * @throws CLI_USAGE if the path is a folder.
 */
export async function writeFileWhole(file: string, lines: AsyncIterable<string>): Promise<void> {
  const known = await stat(file).catch(() => undefined);
  if (known?.isDirectory()) throw createUsageError(`${file} is a folder.`, 'Name a file in it.');
  await mkdir(dirname(file), { recursive: true });
  const partial = `${file}.${process.pid}.part`;
  const stream = createWriteStream(partial);
  try {
    for await (const part of joinLines(lines)) if (!stream.write(part)) await once(stream, 'drain');
    stream.end();
    await finished(stream);
    await rename(partial, file);
  } catch (error) {
    stream.destroy();
    await rm(partial, { force: true });
    throw error;
  }
}
