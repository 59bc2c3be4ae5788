import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { systemClock, systemRandom, toSeconds } from '../../core/clock.ts';
import { silentLog } from '../../core/log.ts';
import { packageVersion } from '../../core/package-root.ts';
import { createRootSecret } from '../../core/secret.ts';
import { isError } from '../../model/link.ts';
import { OPEN_CODES } from '../../model/open-call.ts';
import { overrideSettings, readEnvironment } from '../../project/environment.ts';
import { readProject } from '../../project/read.ts';
import { findPlainHttp } from '../address.ts';
import { readAppOwners, toOwnerRemark } from '../app-owner.ts';
import { EXIT } from '../failure.ts';
import { readQueue, toQueueText } from '../hook/queue.ts';
import { findDrift } from '../migration/drift.ts';
import type { CommandSpec, Invocation } from '../spec.ts';
import { toTable } from '../terminal.ts';

/** Node's floor: what the dependencies and the driver need. */
const NODE_FLOOR = [20, 19] as const;

interface Finding {
  readonly what: string;
  readonly state: 'good' | 'advice' | 'bad';
  readonly text: string;
}

export const command: CommandSpec = {
  examples: ['treadle doctor', 'treadle doctor --json'],
  async run(invocation) {
    const findings = [
      findNode(),
      { what: 'treadle', state: 'good', text: packageVersion } as const,
      ...(await findProject(invocation)),
      ...(await findSecrets(invocation)),
      ...(await findOtherSecret(invocation)),
      await findDatabase(invocation),
      ...(await findHooks(invocation)),
      ...(await findOwners(invocation)),
    ];
    const isBad = findings.some(({ state }) => state === 'bad');
    return {
      data: { error: isBad, findings },
      lines: toTable(findings.map(({ what, state, text }) => [state === 'good' ? 'ok' : state, what, text])),
      next: isBad ? ['treadle check'] : [],
      exitCode: isBad ? EXIT.failed : EXIT.done,
    };
  },
};

function findNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [floor, floorMinor] = NODE_FLOOR;
  const isNew = major > floor || (major === floor && minor >= floorMinor);
  const text = isNew
    ? process.versions.node
    : `${process.versions.node}; Treadle needs ${NODE_FLOOR.join('.')} or newer`;
  return { what: 'node', state: isNew ? 'good' : 'bad', text };
}

async function findProject(invocation: Invocation): Promise<Finding[]> {
  const { compileProject } = await import('../../boot.ts');
  const root = invocation.root();
  const { problems, plan } = await compileProject(root, invocation.env);
  const errors = problems.filter(isError).length;
  const advice = problems.length - errors;
  const text = errors === 0 ? 'no problem' : `${errors} problem${errors === 1 ? '' : 's'}: treadle check`;
  const drift = await findDrift(root, plan);
  const open = problems.filter(({ code }) => OPEN_CODES.has(code));
  return [
    { what: 'definitions', state: errors === 0 ? 'good' : 'bad', text },
    ...(advice > 0
      ? [{ what: 'definitions', state: 'advice', text: `${advice} of advice, see: treadle check` } as const]
      : []),
    ...open.map(
      ({ file, message, hint }): Finding => ({
        what: 'open call',
        state: 'advice',
        text: `${file}: ${message} ${hint ?? ''}`,
      }),
    ),
    ...drift.map(({ message }): Finding => ({ what: 'drift', state: 'advice', text: message })),
  ];
}

async function findSecrets(invocation: Invocation): Promise<Finding[]> {
  const root = invocation.root();
  const environment = readEnvironment(root, invocation.env);
  const { definitions } = await readProject(root);
  const settings = overrideSettings(definitions.settings.value, environment);
  const found: Finding[] = environment.problems.map(({ message }) => ({
    what: 'environment',
    state: 'bad',
    text: message,
  }));
  found.push(
    environment.secret === undefined
      ? { what: 'TREADLE_SECRET', state: 'advice', text: 'not set; required in production' }
      : { what: 'TREADLE_SECRET', state: 'good', text: 'set' },
  );
  const file = join(root, '.env');
  // On Windows the mode says nothing about who may read.
  if (process.platform !== 'win32' && existsSync(file) && ((await stat(file)).mode & 0o077) !== 0) {
    found.push({ what: '.env', state: 'advice', text: 'other users of this machine can read it: chmod 600 .env' });
  }
  if (settings.server.baseUrl === null) {
    found.push({
      what: 'server.baseUrl',
      state: 'advice',
      text: 'not set; links and the CloudEvents source use the listening address, which commands do not know',
    });
  }
  const plain = findPlainHttp(environment.host ?? '127.0.0.1', settings.server);
  if (plain !== undefined) found.push({ what: 'plain http', state: 'advice', text: plain });
  if (settings.server.cors.includes('*')) {
    found.push({ what: 'server.cors', state: 'advice', text: 'every website may call the API from a browser' });
  }
  return found;
}

/** Apps whose files name an owner without a verified account: anybody can sign up with an e-mail. */
async function findOwners(invocation: Invocation): Promise<Finding[]> {
  const owners = await readAppOwners(invocation);
  return owners.flatMap((owner): Finding[] => {
    const remark = toOwnerRemark(owner);
    return remark === undefined ? [] : [{ what: `app ${owner.app}`, state: 'advice', text: remark }];
  });
}

/** Whether the database was last served with another secret; nothing where there is no database yet. */
async function findOtherSecret(invocation: Invocation): Promise<Finding[]> {
  const { secret } = readEnvironment(invocation.root(), invocation.env);
  if (secret === undefined) return [];
  const [{ readServerSecret }, { isOtherSecret, OTHER_SECRET }] = await Promise.all([
    import('../application.ts'),
    import('../../runtime/root-secret.ts'),
  ]);
  const isOther = isOtherSecret(createRootSecret(secret, systemRandom), await readServerSecret(invocation));
  return isOther ? [{ what: 'TREADLE_SECRET', state: 'advice', text: OTHER_SECRET }] : [];
}

async function findDatabase(invocation: Invocation): Promise<Finding> {
  const root = invocation.root();
  const { definitions } = await readProject(root);
  const { url } = overrideSettings(definitions.settings.value, readEnvironment(root, invocation.env)).database;
  const isFile = url.startsWith('sqlite:');
  const path = resolve(root, url.slice('sqlite:'.length).replace(/^\/\//, ''));
  // Looking makes no file: without one, a database in memory still tells whether the binding is there.
  const asked = isFile && !existsSync(path) ? 'sqlite::memory:' : url;
  try {
    const { openDatabase } = await import('../../database/open.ts');
    const { readEngine } = await import('../../database/engine.ts');
    const database = await openDatabase({
      url: asked,
      root,
      log: silentLog,
      clock: systemClock,
      isMaking: false,
    });
    const engine = await readEngine(database).finally(() => database.close());
    const text =
      asked === url
        ? `opens (${engine})`
        : `does not exist yet; the binding works (${engine}): treadle migrate creates it`;
    return { what: 'database', state: 'good', text };
  } catch (error) {
    const { message, hint } = error as { message?: string; hint?: string };
    return { what: 'database', state: 'bad', text: [message, hint].filter((part) => part !== undefined).join(' ') };
  }
}

/** How the queue of web hooks stands; nothing where there is no database yet, or nothing was ever sent. */
async function findHooks(invocation: Invocation): Promise<Finding[]> {
  const root = invocation.root();
  const { definitions } = await readProject(root);
  const settings = overrideSettings(definitions.settings.value, readEnvironment(root, invocation.env));
  const { allowPrivate } = settings.webhook;
  const open: Finding[] =
    allowPrivate.length === 0
      ? []
      : [{ what: 'webhook.allowPrivate', state: 'advice', text: `web hooks may call ${allowPrivate.join(', ')}` }];
  const { url } = settings.database;
  const isFile = url.startsWith('sqlite:');
  if (isFile && !existsSync(resolve(root, url.slice('sqlite:'.length).replace(/^\/\//, '')))) return open;
  const queue = await readQueue({ url, root, now: toSeconds(systemClock.now()) });
  if (queue === undefined) return open;
  return [...open, { what: 'web hooks', state: queue.isStuck ? 'advice' : 'good', text: toQueueText(queue) }];
}
