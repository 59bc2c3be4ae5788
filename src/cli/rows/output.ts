import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import process from 'node:process';
import { finished } from 'node:stream/promises';
import { createUsageError } from '../failure.ts';

/** Number of characters per write. */
const PART = 64 * 1024;

/** Joins lines into chunks that are worth a write. */
export async function* joinLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let part = '';
  for await (const line of lines) {
    part += `${line}\n`;
    if (part.length < PART) continue;
    yield part;
    part = '';
  }
  if (part !== '') yield part;
}

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
