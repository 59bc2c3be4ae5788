// Harms the disk and the file of `treadle start` on SQLite while clients write and read:
// - fsync fails from call N on: no write is acknowledged that was not synced, exit with 1 within a second, a clean restart;
// - writes fail for lack of room, by strace and on a real full disk: 507 with Retry-After, reads go on, the server recovers by
//   itself, and a restart on the full disk serves reads;
// - the file is deleted or replaced: no write after that is acknowledged, exit with 1;
// - pages are overwritten: not ready, and no write is acknowledged.
// Usage: node --import tsx test/torture/sqlite-fault.mjs [--short] [--seed n] [--calls n] [--only fsync,room,disk,file,pages]
import { closeSync, copyFileSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findMountLack, findStraceLack, injectFault, mountSmall } from './_fault-tool.mjs';
import { isDone, judgeFile, makeSqliteSite, readItems, startWriters, withFile, writeItem } from './_sqlite-site.mjs';
import { send } from './_start-site.mjs';

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string', default: '20261121' },
    calls: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const only = values.only.split(',').filter(Boolean);
/** Numbers of the first failing fsync call. */
const failing = values.short
  ? [1, 6, 25]
  : Array.from({ length: Number(values.calls ?? 200) }, (_, index) => index + 1);
/** Milliseconds within which the process must have ended. On a busy machine the short form waits longer. */
const EXIT_MS = values.short ? 3000 : 1000;
const RECOVERY_MS = 5000;
/** strace counts the calls of each thread separately. */
const ONE_THREAD = { UV_THREADPOOL_SIZE: '1' };
const SMALL_BYTES = 8_388_608;

function must(isTrue, text) {
  if (!isTrue) throw new Error(text);
}

async function mustBeWhole(site, acknowledged, when) {
  const faults = await judgeFile(site.file, acknowledged);
  must(faults.length === 0, `${when}: ${faults.join('; ')}`);
}

/** The exit code, and the milliseconds since a moment (since 1970). */
async function awaitExit(started, from) {
  const code = await Promise.race([started.exit, pause(10_000, 'it lives')]);
  return { code, took: Date.now() - from };
}

/**
 * One client with one write after the other: each is one commit and one fsync, so N successful calls give at most N
 * answers.
 */
async function failFsync(site) {
  const acknowledged = new Set();
  let slowest = 0;
  for (const call of failing) {
    const started = await site.start({ env: ONE_THREAD });
    const trace = await injectFault(started.child.pid, 'fsync,fdatasync', `error=EIO:when=${call}+`);
    let done = 0;
    for (let isGone = false; !isGone; ) {
      const name = `fsync ${call} ${done}`;
      const answer = await writeItem(started.url, name);
      if (isDone(answer)) {
        done += 1;
        acknowledged.add(name);
        must(done < call, `With fsync failing from call ${call} on, ${done} writes were acknowledged.`);
      } else isGone = true;
    }
    const [failed] = trace.faults();
    const { code, took } = await awaitExit(started, failed ?? Date.now());
    await trace.stop();
    must(code === 1, `With fsync failing from call ${call} on, the process ended with ${code}.`);
    must(took <= EXIT_MS, `The process ended ${Math.round(took)} ms after fsync failed.`);
    slowest = Math.max(slowest, took);
    await mustBeWhole(site, acknowledged, `fsync ${call}`);
  }
  const last = await site.start();
  must((await readItems(last.url)).status === 200, 'It does not serve after all this.');
  must((await last.end()) === 0, 'It does not end.');
  return `${failing.length} calls, ${acknowledged.size} acknowledged, none of them unsynced or lost, exit 1 within ${Math.round(slowest)} ms`;
}

/** Milliseconds until a write succeeds again. */
async function recover(url, name, acknowledged) {
  const begun = performance.now();
  for (let turn = 0; ; turn += 1) {
    if (isDone(await writeItem(url, `${name} ${turn}`))) {
      acknowledged.add(`${name} ${turn}`);
      return performance.now() - begun;
    }
    must(performance.now() - begun < RECOVERY_MS, 'It does not recover.');
    await pause(20);
  }
}

/** Refusals must be 507 or 503, with Retry-After. */
function mustBeRefused(answer) {
  must(answer.status === 507 || answer.status === 503, `A write was answered with ${answer.status}.`);
  must(Number(answer.headers['retry-after']) > 0, `A ${answer.status} has no Retry-After.`);
}

async function failWrites(site) {
  const acknowledged = new Set();
  let refused = 0;
  let slowest = 0;
  for (const call of values.short ? [9] : [1, 2, 3, 5, 9, 17, 33, 65, 129, 257]) {
    const started = await site.start({ env: ONE_THREAD });
    const trace = await injectFault(started.child.pid, 'pwrite64', `error=ENOSPC:when=${call}+`);
    for (let turn = 0, isFull = false; turn < 400 && !isFull; turn += 1) {
      const answer = await writeItem(started.url, `room ${call} ${turn}`);
      if (isDone(answer)) acknowledged.add(`room ${call} ${turn}`);
      else {
        mustBeRefused(answer);
        isFull = true;
      }
    }
    for (let turn = 0; turn < 5; turn += 1) {
      mustBeRefused(await writeItem(started.url, `refused ${call} ${turn}`));
      refused += 1;
      must((await readItems(started.url)).status === 200, 'A read failed on a full disk.');
    }
    await trace.stop();
    slowest = Math.max(slowest, await recover(started.url, `again ${call}`, acknowledged));
    must((await started.end()) === 0, 'It does not end after a full disk.');
    await mustBeWhole(site, acknowledged, `pwrite64 ${call}`);
  }
  return `${refused} refused, every read served, recovery within ${Math.round(slowest)} ms, ${acknowledged.size} acknowledged, 0 lost`;
}

async function fillDisk(site) {
  const acknowledged = new Set();
  const folder = join(site.root, 'var');
  const disk = mountSmall(folder, SMALL_BYTES);
  let started;
  try {
    started = await site.start();
    const ready = async () => (await send(`${started.url}/health/ready`)).status;
    must((await ready()) === 200, 'It is not ready on an empty disk.');
    let slowest = 0;
    let refused = 0;
    for (const signal of ['none', 'SIGTERM', 'SIGKILL']) {
      disk.fill();
      if (signal !== 'none') {
        await started.end(signal);
        disk.fill();
        started = await site.start();
      }
      for (let turn = 0; turn < (values.short ? 10 : 40); turn += 1) {
        const name = `disk ${signal} ${turn}`;
        const answer = await writeItem(started.url, name);
        // Space left by the reserve may still accept some.
        if (isDone(answer)) acknowledged.add(name);
        else {
          mustBeRefused(answer);
          refused += 1;
        }
        must((await readItems(started.url)).status === 200, `A read failed on a full disk after ${signal}.`);
      }
      await pause(1100);
      must((await ready()) === 503, 'It is ready on a full disk.');
      disk.free();
      slowest = Math.max(slowest, await recover(started.url, `free ${signal}`, acknowledged));
      await pause(1100);
      must((await ready()) === 200, 'It is not ready once there is room.');
      await mustBeWhole(site, acknowledged, `a full disk, ${signal}`);
    }
    must(refused > 0, 'The disk was never full.');
    must((await started.end()) === 0, 'It does not end.');
    return `${refused} refused, every read served also after a restart, recovery within ${Math.round(slowest)} ms, ${acknowledged.size} acknowledged, 0 lost`;
  } finally {
    await started?.end('SIGKILL');
    disk.unmount();
  }
}

const LOSSES = {
  deleted: (file) => rmSync(file),
  replaced: (file) => {
    copyFileSync(file, `${file}.other`);
    renameSync(`${file}.other`, file);
  },
};

/** With writers, and without. */
async function loseFile(site) {
  let late = 0;
  let slowest = 0;
  const aside = `${site.file}.aside`;
  for (const [how, lose] of Object.entries(LOSSES)) {
    for (const isWriting of values.short ? [how === 'replaced'] : [true, false]) {
      await withFile(site.file, (all) => all('pragma wal_checkpoint(truncate)'));
      copyFileSync(site.file, aside);
      const started = await site.start();
      await writeItem(started.url, `before ${how} ${isWriting}`);
      const begun = Date.now();
      lose(site.file);
      for (let turn = 0; isWriting && turn < 200; turn += 1) {
        const answer = await writeItem(started.url, `after ${how} ${turn}`);
        if (isDone(answer)) late += 1;
      }
      const { code, took } = await awaitExit(started, begun);
      must(code === 1, `With its file ${how} the process ended with ${code}.`);
      if (!isWriting) slowest = Math.max(slowest, took);
      for (const end of ['', '-wal', '-shm']) rmSync(`${site.file}${end}`, { force: true });
      copyFileSync(aside, site.file);
    }
  }
  must(late === 0, `${late} writes were acknowledged after the file was gone.`);
  return `${values.short ? 200 : 400} writes after the file was deleted or replaced, 0 acknowledged; exit 1 within ${slowest} ms where nobody writes`;
}

async function overwritePages(site) {
  const started = await site.start();
  const ready = () => send(`${started.url}/health/ready`);
  must((await ready()).status === 200, 'It is not ready.');
  await writeItem(started.url, 'before');
  await withFile(site.file, (all) => all('pragma wal_checkpoint(truncate)'));
  const { size } = statSync(site.file);
  const handle = openSync(site.file, 'r+');
  writeSync(handle, Buffer.alloc(size - 4096, 0x5a), 0, size - 4096, 4096);
  closeSync(handle);
  await pause(1100);
  const { status, text } = await ready();
  must(status === 503, `With its pages overwritten readiness is ${status}.`);
  must(JSON.parse(text).checks.includes('read'), `Readiness names ${text}.`);
  for (let turn = 0; turn < 20; turn += 1) {
    const answer = await writeItem(started.url, `after ${turn}`);
    must(answer.status === 503, `With its pages overwritten a write was answered with ${answer.status}.`);
  }
  must((await send(`${started.url}/health/live`)).status === 200, 'It does not live.');
  await started.end();
  return 'not ready, named "read"; 0 of 20 writes acknowledged';
}

/** Writers at full speed during a failing fsync: every answered write must be in the file. */
async function failFsyncOfMany(site) {
  const started = await site.start({ env: ONE_THREAD });
  const trace = await injectFault(started.child.pid, 'fsync,fdatasync', 'error=EIO:when=20+');
  const writers = startWriters(started.url, { prefix: 'many', count: 16 });
  const code = await Promise.race([started.exit, pause(20_000, 'it lives')]);
  const exitAt = performance.now();
  await writers.stop();
  await trace.stop();
  must(code === 1, `With fsync failing the process ended with ${code}.`);
  must(
    writers.answers.every((answer) => !isDone(answer) || answer.at <= exitAt),
    'A dead process answered.',
  );
  await mustBeWhole(site, writers.acknowledged, 'fsync of many');
  return `${writers.acknowledged.size} acknowledged, 0 lost`;
}

const PARTS = {
  fsync: { lack: findStraceLack, run: failFsync },
  'fsync of many': { lack: findStraceLack, run: failFsyncOfMany, isLong: true },
  room: { lack: findStraceLack, run: failWrites },
  disk: { lack: findMountLack, run: fillDisk },
  file: { lack: () => undefined, run: loseFile },
  pages: { lack: () => undefined, run: overwritePages },
};

for (const [name, { lack, run, isLong = false }] of Object.entries(PARTS)) {
  if (values.short && isLong) continue;
  if (only.length > 0 && !only.includes(name)) continue;
  const reason = lack();
  if (reason !== undefined) {
    process.stdout.write(`skipped: sqlite-fault ${name} (${reason})\n`);
    continue;
  }
  const site = await makeSqliteSite();
  try {
    process.stdout.write(`sqlite-fault ${name}: ${await run(site)}\n`);
  } catch (error) {
    process.stdout.write(`sqlite-fault ${name}, seed ${values.seed}: ${error.stack}\n`);
    process.exitCode = 1;
  } finally {
    await site.close();
  }
}
