// Simulates power cuts of a machine that runs `treadle start` on SQLite: a library that is loaded before the program
// records every write to the database and its log, and every sync, in order. From that record the files are rebuilt
// as a disk may have them after a cut: everything synced, and of the rest nothing, or any part of it, in sectors of
// 512 bytes and in any order. Each state must be intact and have every item that was acknowledged before the cut. The
// same with
// `synchronous=NORMAL` must lose some, otherwise the test proves nothing.
// Usage: node --import tsx test/torture/sqlite-power.mjs [--short] [--seed n] [--cuts n] [--items n]
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createDice } from './_migration-world.mjs';
import { isDone, judgeFile, makeSqliteSite, writeItem } from './_sqlite-site.mjs';
import { createAgent } from './_start-site.mjs';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string', default: '20261121' },
    cuts: { type: 'string' },
    items: { type: 'string' },
  },
});
const cuts = Number(values.cuts ?? (values.short ? 20 : 500));
const items = Number(values.items ?? (values.short ? 80 : 600));
const WRITERS = 4;
const SECTOR = 512;
const HEAD = 24;
const dice = createDice(Number(values.seed));
/** In memory if possible, because thousands of files are written. */
const scratch = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'treadle-power-'));

/** Builds the library; returns the reason if it cannot be built or loaded here. */
function buildRecorder(out) {
  if (process.platform !== 'linux') return 'it needs Linux';
  const source = fileURLToPath(new URL('_record-writes.c', import.meta.url));
  const built = spawnSync('gcc', ['-shared', '-fPIC', '-O1', '-o', out, source, '-ldl', '-lpthread']);
  if (built.error) return 'gcc is missing';
  return built.status === 0 ? undefined : `gcc: ${String(built.stderr).split('\n')[0]}`;
}

/** Weakens the program of a site, to prove that this storm detects losses. */
function weaken(program) {
  const text = readFileSync(program, 'utf8');
  const strong = /name: "synchronous", value: "full", is: 2/;
  if (!strong.test(text)) throw new Error('The setting of synchronous is not where it was.');
  writeFileSync(program, text.replace(strong, 'name: "synchronous", value: "normal", is: 1'));
}

/**
 * Serves and writes with the recorder; returns the records, the first state of the file, and when each item was
 * acknowledged.
 */
async function record(recorder, isWeak) {
  const site = await makeSqliteSite();
  const log = join(scratch, `record-${isWeak}`);
  try {
    if (isWeak) weaken(site.program);
    const first = readFileSync(site.file);
    const env = { LD_PRELOAD: recorder, TREADLE_RECORD: log, TREADLE_RECORD_DATABASE: site.file };
    const started = await site.start({ env });
    const acknowledged = [];
    let sent = 0;
    const agent = createAgent(WRITERS);
    const writeOn = async () => {
      while (sent < items) {
        sent += 1;
        const name = `item ${sent}`;
        if (!isDone(await writeItem(started.url, name, { agent }))) throw new Error('A write failed.');
        // Its syncs are recorded by now.
        acknowledged.push({ name, at: statSync(log).size });
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, writeOn));
    agent.destroy();
    await started.end('SIGKILL');
    return { first, bytes: readFileSync(log), acknowledged };
  } finally {
    await site.close();
  }
}

function* readRecords(bytes) {
  for (let at = 0; at + HEAD <= bytes.length; ) {
    const kind = String.fromCharCode(bytes[at]);
    const file = String.fromCharCode(bytes[at + 1]);
    const offset = Number(bytes.readBigUInt64LE(at + 8));
    const length = Number(bytes.readBigUInt64LE(at + 16));
    const size = kind === 'W' ? length : 0;
    at += HEAD + size;
    yield { kind, file, offset, data: bytes.subarray(at - size, at), end: at };
  }
}

/** A file as the disk has it, and its unsynced writes. */
class Disk {
  #bytes;
  #size;
  #pending = [];

  constructor(bytes) {
    this.#bytes = Buffer.from(bytes);
    this.#size = bytes.length;
  }

  take(change) {
    if (change.kind === 'S') {
      for (const pending of this.#pending.splice(0)) this.#apply(pending);
    } else this.#pending.push(change);
  }

  #apply({ kind, offset, data }) {
    if (kind === 'T') {
      this.#bytes.fill(0, Math.min(offset, this.#bytes.length));
      this.#size = offset;
    }
    const end = kind === 'T' ? offset : offset + data.length;
    if (end > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(2 * end - this.#bytes.length)]);
    if (kind === 'W') data.copy(this.#bytes, offset);
    this.#size = Math.max(this.#size, end);
  }

  /** The bytes after a cut: with none of the pending writes, or with a part of them. */
  cut(isPartial) {
    if (!isPartial) return Buffer.from(this.#bytes.subarray(0, this.#size));
    const copy = new Disk(this.#bytes.subarray(0, this.#size));
    for (const pending of this.#pending) {
      if (pending.kind === 'T') {
        if (dice.chance(0.5)) copy.#apply(pending);
        continue;
      }
      const isWhole = dice.chance(0.5);
      for (let from = 0; from < pending.data.length; from += SECTOR)
        if (isWhole || dice.chance(0.5))
          copy.#apply({ kind: 'W', offset: pending.offset + from, data: pending.data.subarray(from, from + SECTOR) });
    }
    return copy.#bytes.subarray(0, copy.#size);
  }
}

/** Checks the states after this many cuts. */
async function cutPower({ first, bytes, acknowledged }) {
  const total = [...readRecords(bytes)].length;
  const chosen = new Set([total - 1]);
  while (chosen.size < Math.min(cuts, total)) chosen.add(dice.below(total));
  const disks = { d: new Disk(first), w: new Disk(Buffer.alloc(0)) };
  const found = { states: 0, lost: 0, corrupt: 0, syncs: 0, sample: '' };
  const file = join(scratch, 'cut.db');
  let index = -1;
  for (const change of readRecords(bytes)) {
    index += 1;
    disks[change.file].take(change);
    if (change.kind === 'S') found.syncs += 1;
    if (!chosen.has(index)) continue;
    const due = new Set(acknowledged.filter(({ at }) => at <= change.end).map(({ name }) => name));
    for (const isPartial of [false, true]) {
      writeFileSync(file, disks.d.cut(isPartial));
      writeFileSync(`${file}-wal`, disks.w.cut(isPartial));
      const faults = await judgeFile(file, due).catch((error) => [`unreadable: ${error.message}`]);
      for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
      found.states += 1;
      if (faults.some((text) => text.includes('are lost'))) found.lost += 1;
      if (faults.some((text) => !text.includes('are lost'))) found.corrupt += 1;
      if (faults.length > 0) found.sample = `cut ${index} of ${total}: ${faults.join('; ')}`;
    }
  }
  return { ...found, cuts: chosen.size, records: total };
}

async function run() {
  const recorder = join(scratch, 'record-writes.so');
  const lack = buildRecorder(recorder);
  if (lack !== undefined) {
    process.stdout.write(`skipped: sqlite-power (${lack})\n`);
    return;
  }
  for (const isWeak of [false, true]) {
    const made = await record(recorder, isWeak);
    const found = await cutPower(made);
    const { records, syncs, states, lost, corrupt } = found;
    process.stdout.write(
      `sqlite-power ${isWeak ? 'NORMAL' : 'FULL'}: ${made.acknowledged.length} acknowledged, ${records} records, ${syncs} syncs; ${found.cuts} cuts, ${states} states: ${lost} lost acknowledged items, ${corrupt} corrupt\n`,
    );
    if (!isWeak && lost + corrupt > 0) throw new Error(found.sample);
    if (isWeak && lost === 0) throw new Error('With synchronous=NORMAL nothing was lost: the storm finds nothing.');
    if (isWeak && corrupt > 0) throw new Error(found.sample);
  }
}

try {
  await run();
} catch (error) {
  process.stdout.write(`sqlite-power, seed ${values.seed}: ${error.stack}\n`);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
