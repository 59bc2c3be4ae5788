// The proxies of docs/guide/production.md, run as the guide has them. Only what is of this machine differs: addresses,
// ports, certificates.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { createCertificates } from '../outbound/_certificates.ts';

export interface GuideProxy {
  /** Port of the site: https by nginx, http by Caddy. */
  readonly port: number;
  /** Port that redirects to https; 0 without one. */
  readonly plainPort: number;
  end(): Promise<void>;
}

/** nginx of Debian stands where only root looks for programs. */
const PATH = `${process.env.PATH ?? ''}:/usr/sbin`;
const has = (program: string): boolean =>
  spawnSync(program, ['version'], { env: { PATH }, stdio: 'ignore' }).error === undefined;
export const hasCaddy = has('caddy');
/** nginx, and openssl for its certificate. */
export const hasNginx = has('nginx') && has('openssl');

/** The only block of a language in the guide. */
function readBlock(language: string): string {
  const guide = readFileSync(join(packageRoot, 'docs/guide/production.md'), 'utf8');
  const blocks = [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))];
  const [block] = blocks;
  if (block?.[1] === undefined || blocks.length > 1)
    throw new Error(`The guide has ${blocks.length} blocks ${language}.`);
  return block[1];
}

/** Replaces a text that the guide has exactly once, so that a change of the guide is noticed here. */
function swap(text: string, from: string, to: string): string {
  const parts = text.split(from);
  if (parts.length !== 2) throw new Error(`The guide has ${parts.length - 1} times: ${from}`);
  return parts.join(to);
}

export async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The guide's line for one process, once for each. */
function addProcesses(block: string, ports: readonly number[]): string {
  const [line = ''] = /^ *server 127\.0\.0\.1:3000.*;$/m.exec(block) ?? [];
  return swap(block, line, ports.map((port) => swap(line, ':3000', `:${port}`)).join('\n'));
}

/** What the guide leaves to the machine: everything is in the folder, and nothing needs root. */
const toWrapper = (folder: string, block: string): string => `daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
worker_processes 1;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 512; }
http {
access_log off;
client_body_temp_path ${folder}/body;
proxy_temp_path ${folder}/proxy;
fastcgi_temp_path ${folder}/fastcgi;
uwsgi_temp_path ${folder}/uwsgi;
scgi_temp_path ${folder}/scgi;
${block}
}
`;

/** Whether something listens on a port. */
const isOpen = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const call = request({ port, host: '127.0.0.1', method: 'HEAD', rejectUnauthorized: false }, (answer) => {
      answer.resume();
      done(true);
    });
    call.on('error', (error: NodeJS.ErrnoException) => done(error.code !== 'ECONNREFUSED'));
    call.end();
  });

async function run(program: string, argv: string[], folder: string, port: number): Promise<() => Promise<void>> {
  const env = { PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child: ChildProcess = spawn(program, argv, { stdio: ['ignore', 'ignore', 'pipe'], env });
  const said: Buffer[] = [];
  child.stderr?.on('data', (chunk: Buffer) => said.push(chunk));
  const gone = new Promise<void>((done) => child.once('exit', () => done()));
  const end = async (): Promise<void> => {
    child.kill('SIGTERM');
    await gone;
    rmSync(folder, { recursive: true, force: true });
  };
  for (let left = 400; !(await isOpen(port)); left -= 1) {
    if (left === 0 || child.exitCode !== null) {
      await end();
      throw new Error(`${program} does not listen: ${Buffer.concat(said)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return end;
}

/** A text of the guide's block, and what the guide says to write in its place. */
export type Swaps = readonly (readonly [from: string, to: string])[];

/** The guide's nginx in front of processes at these ports. */
export async function startNginx(ports: readonly number[], swaps: Swaps = []): Promise<GuideProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'treadle-nginx-'));
  const [port, plainPort] = [await findPort(), await findPort()];
  const pair = createCertificates('example.org')?.selfSigned;
  writeFileSync(join(folder, 'own.pem'), pair?.cert ?? '');
  writeFileSync(join(folder, 'own.key'), pair?.key ?? '');
  const block = [
    ['listen 443 ', `listen 127.0.0.1:${port} `],
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['/etc/letsencrypt/live/example.org/fullchain.pem', join(folder, 'own.pem')],
    ['/etc/letsencrypt/live/example.org/privkey.pem', join(folder, 'own.key')],
    ...swaps,
  ].reduce((text, [from = '', to = '']) => swap(text, from, to), addProcesses(readBlock('nginx'), ports));
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, toWrapper(folder, block));
  return { port, plainPort, end: await run('nginx', ['-c', file, '-p', folder], folder, port) };
}

/** The guide's Caddy, by http, because it would ask the internet for a certificate. */
export async function startCaddy(ports: readonly number[], swaps: Swaps = [], at?: number): Promise<GuideProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'treadle-caddy-'));
  const port = at ?? (await findPort());
  const own = ['example.org {', `http://127.0.0.1:${port} {`] as const;
  const block = [own, ...swaps].reduce((text, [from, to]) => swap(text, from, to), readBlock('caddyfile'));
  const file = join(folder, 'Caddyfile');
  const processes = ports.map((each) => `127.0.0.1:${each}`).join(' ');
  writeFileSync(file, `{\n\tadmin off\n}\n${swap(block, '127.0.0.1:3000', processes)}`);
  return {
    port,
    plainPort: 0,
    end: await run('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], folder, port),
  };
}
