import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import process from 'node:process';
import { finished } from 'node:stream/promises';
import { findWriteTarget, TargetStream } from '../../core/file/write-target.ts';
import { joinLines } from '../../rows/write.ts';

async function pour(stream: TargetStream, lines: AsyncIterable<string>): Promise<void> {
  for await (const part of joinLines(lines)) await stream.write(part);
  await stream.end();
}

/**
 * Writes lines to a temporary file, which is renamed when it is complete. Writes into a device or a pipe.
 *
 * @throws WRITE_TARGET_INVALID if the path is a folder, or lies below a file.
 */
export async function writeFileWhole(file: string, lines: AsyncIterable<string>): Promise<void> {
  const target = await findWriteTarget(file);
  if (target.kind === 'stream') return pour(new TargetStream(target), lines);
  await mkdir(dirname(target.path), { recursive: true });
  const partial = `${target.path}.${process.pid}.part`;
  const stream = createWriteStream(partial);
  try {
    for await (const part of joinLines(lines)) if (!stream.write(part)) await once(stream, 'drain');
    stream.end();
    await finished(stream);
    if (target.mode !== undefined) await chmod(partial, target.mode);
    await rename(partial, target.path);
  } catch (error) {
    stream.destroy();
    await rm(partial, { force: true });
    throw error;
  }
}
