import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import * as assert from 'uvu/assert';
import { until } from '../boot.ts';
import { getProgram } from '../cli/_process.ts';
import { type Block, findPath, readBlocks } from '../docs/_block.ts';

/** The block that starts the server in a terminal of its own. */
const SERVE = 'npm run dev';
/** A block that runs in a third terminal until the end. */
const LISTENS = /^npx treadle webhook listen /;
const WATCHED = ['config', 'app', 'public'];

/** A currently free port, because the page's own may be taken. */
async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** `npx treadle` and `npm run` without a registry: the program built from this source. */
function writePrograms(folder: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const treadle = `exec '${process.execPath}' '${getProgram()}'`;
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift\n${treadle} "$@"\n`);
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\n[ "$1 $2" = "run dev" ] || exit 0\n${treadle} dev\n`);
  for (const name of ['npx', 'npm']) chmodSync(join(bin, name), 0o755);
  return bin;
}

/** The files that a running server watches, with the time of their last change. */
function readTimes(root: string): Map<string, number> {
  const files = WATCHED.flatMap((folder) => {
    try {
      return readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, String(file)));
    } catch {
      return [];
    }
  });
  // The server writes its types itself.
  const own = files.filter((file) => !/treadle\.d\.ts|\.treadle-tmp$/.test(file));
  return new Map(
    own.flatMap((file) => {
      const state = statSync(join(root, file), { throwIfNoEntry: false });
      return state?.isFile() ? [[file, state.mtimeMs] as const] : [];
    }),
  );
}

/** How many files the lines `Reloaded a, b, c and 2 more.` name. */
const countReloaded = (said: string): number =>
  [...said.matchAll(/Reloaded (.+)\.$/gm)].reduce(
    (sum, [, names = '']) => sum + names.split(', ').length + Number(/ and (\d+) more$/.exec(names)?.[1] ?? 0),
    0,
  );

/** Whether a printed text is the expected one, in which `…` stands for anything. */
export function isPrinted(said: string, expected: string): boolean {
  const parts = expected
    .trim()
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`).test(said.trim());
}

export interface TutorialOptions {
  /** Variables of the shell. */
  readonly env?: NodeJS.ProcessEnv;
  /** Changes a text before it is run, such as the address of a database. */
  readonly replace?: (text: string) => string;
  /** Reasons in a block's first line, such as `needs PostgreSQL`, for which it is left out. */
  readonly without?: readonly string[];
}

/** Runs the blocks of a page as a reader does: commands in a shell, files written, printed texts compared. */
export class Tutorial {
  readonly folder: string = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-tutorial-')));
  readonly #options: TutorialOptions;
  #ports: readonly [number, number] = [0, 0];
  #cwd: string = this.folder;
  #env: NodeJS.ProcessEnv = {};
  #server: ChildProcess | undefined;
  #served: { readonly root: string; said: string } | undefined;
  #third: { child: ChildProcess; said: string } | undefined;
  /** Number of blocks that were left out, by reason. */
  readonly left: Map<string, number> = new Map();
  /** Output of the last commands. */
  printed = '';

  constructor(options: TutorialOptions = {}) {
    this.#options = options;
  }

  /** Runs the whole page; throws at the first block that fails, with its place. */
  async run(page: string): Promise<void> {
    this.#ports = [await findPort(), await findPort()];
    const path = `${writePrograms(this.folder)}:${process.env.PATH}`;
    this.#env = { PATH: path, HOME: this.folder, PORT: String(this.#ports[0]), CI: 'true', ...this.#options.env };
    for (const block of readBlocks(page)) {
      try {
        await this.#take(block);
      } catch (error) {
        const server = this.#served === undefined ? '' : `\nThe server said:\n${this.#served.said.slice(-2000)}`;
        throw new Error(`${page}:${block.line}: ${error instanceof Error ? error.message : error}${server}`);
      }
    }
  }

  async #take(block: Block): Promise<void> {
    const { info, language } = block;
    if (info.startsWith('not run') || this.#options.without?.includes(info)) {
      this.left.set(info, (this.left.get(info) ?? 0) + 1);
      return;
    }
    const text = this.#toOwnPlace(block.text);
    if (language === 'sh') return this.#runBlock(text, block);
    if (language === 'text' && info === 'third terminal') return this.#hear(text);
    if (language === 'text') return assert.ok(isPrinted(this.printed, text), `printed\n${this.printed}`);
    const path = findPath(block);
    if (path === undefined) return;
    assert.ok(block.before.includes(path) || text.includes(path), `the text before the block does not name ${path}`);
    await this.#reloading(async () => {
      mkdirSync(dirname(join(this.#cwd, path)), { recursive: true });
      writeFileSync(join(this.#cwd, path), `${text}\n`);
    });
  }

  #toOwnPlace(text: string): string {
    const [own, other] = this.#ports;
    const placed = text.replaceAll(':3000', `:${own}`).replace(/(:|--port )4000\b/g, `$1${other}`);
    return this.#options.replace?.(placed) ?? placed;
  }

  async #runBlock(text: string, { before }: Block): Promise<void> {
    if (/Stop the server[^.]*Ctrl-C/.test(before)) await this.#stop();
    if (text.trim() === SERVE) return this.#serve();
    if (!LISTENS.test(text)) return this.#runLines(text);
    const child = this.#start(text);
    const third = { child, said: '' };
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        third.said += chunk;
      });
    this.#third = third;
    await until(() => (third.said.includes('http://') ? true : undefined));
  }

  async #hear(text: string): Promise<void> {
    await until(() => (isPrinted(this.#third?.said ?? '', text) ? true : undefined));
  }

  #start(line: string): ChildProcess {
    return spawn('sh', ['-c', `exec ${line}`], { cwd: this.#cwd, env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] });
  }

  /** Runs lines in a shell; keeps its folder for the next ones. */
  async #runLines(text: string): Promise<void> {
    const kept = join(this.folder, '.cwd');
    const lines = `${text}\npwd > '${kept}'`;
    await this.#reloading(async () => {
      const said = { out: '', all: '' };
      const child = spawn('sh', ['-e', '-c', lines], {
        cwd: this.#cwd,
        env: this.#env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child.stdout.on('data', (chunk) => {
        said.out += chunk;
        said.all += chunk;
      });
      child.stderr.on('data', (chunk) => {
        said.all += chunk;
      });
      const code = await new Promise((done) => child.on('close', done));
      assert.is(code, 0, `ended with ${code}:\n${said.all}`);
      this.printed = said.out;
    });
    this.#cwd = readFileSync(kept, 'utf8').trim();
  }

  /** Does work and waits until the running server has loaded every file that it changed. */
  async #reloading(work: () => Promise<void>): Promise<void> {
    const served = this.#served;
    if (!served) return work();
    const before = readTimes(served.root);
    const from = served.said.length;
    await work();
    const changed = [...readTimes(served.root)].filter(([file, time]) => before.get(file) !== time).length;
    await until(() => (countReloaded(served.said.slice(from)) >= changed ? true : undefined));
  }

  /** Starts the server; from now on commands run in a second terminal, which begins in the first folder. */
  async #serve(): Promise<void> {
    const served = { root: this.#cwd, said: '' };
    const child = spawn('sh', ['-c', `exec ${SERVE}`], {
      cwd: this.#cwd,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        served.said += chunk;
      });
    const isFirst = this.#server === undefined;
    this.#server = child;
    await until(() => {
      assert.is(child.exitCode, null, `${SERVE} ended:\n${served.said}`);
      return served.said.includes('http://') ? true : undefined;
    });
    this.#served = served;
    if (isFirst) this.#cwd = this.folder;
  }

  async #stop(): Promise<void> {
    this.#served = undefined;
    await end(this.#server);
  }

  async close(): Promise<void> {
    await Promise.all([end(this.#server), end(this.#third?.child)]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((done) => child.once('close', done));
  child.kill('SIGTERM');
  await closed;
}
