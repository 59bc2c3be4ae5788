import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { systemClock, systemRandom, toSeconds } from '../../core/clock.ts';
import { isError, readMessage, TreadleError } from '../../core/errors.ts';
import { packageVersion } from '../../core/file/package-root.ts';
import { createRootSecret } from '../../core/secret/secret.ts';
import type { Database } from '../../database/database.ts';
import { isDatabaseThere } from '../../database/file.ts';
import { OPEN_CODES } from '../../model/open-call.ts';
import type { CompiledPlan } from '../../plan/compile.ts';
import { readEnvironment } from '../../project/environment.ts';
import { findPlainHttp } from '../address.ts';
import { readAppOwners, toOwnerRemark } from '../app-owner.ts';
import { askDatabase, readSettings, withDatabase } from '../database.ts';
import { EXIT } from '../failure.ts';
import { readQueue, toQueueText } from '../hook/queue.ts';
import { readJobs, toJobsText } from '../job/state.ts';
import { findMailGap, readMailQueue } from '../mail.ts';
import { findDrift } from '../migration/drift.ts';
import { findProviderGaps, listProviderErrors } from '../provider.ts';
import type { CommandSpec, Invocation } from '../spec.ts';
import { readStatisticsText } from '../statistics.ts';
import { toTable } from '../terminal.ts';
import { recommendWorkers } from '../worker/recommend.ts';

/** Minimum version of Node: required by the dependencies and the driver. */
const NODE_FLOOR = [20, 19] as const;

interface Finding {
  readonly what: string;
  readonly state: 'good' | 'advice' | 'bad';
  readonly text: string;
}

const advise = (what: string, text: string): Finding => ({ what, state: 'advice', text });

export const command: CommandSpec = {
  examples: ['treadle doctor', 'treadle doctor --json'],
  async run(invocation) {
    const project = await findProject(invocation);
    const findings = [
      findNode(),
      { what: 'treadle', state: 'good', text: packageVersion } as const,
      ...project.findings,
      ...(await findSecrets(invocation)),
      ...(await findOtherSecret(invocation)),
      ...(await findProviders(invocation)),
      ...(await findDatabase(invocation)),
      ...(await findStatistics(invocation)),
      ...(await findUploads(invocation, project.plan)),
      ...(await findHooks(invocation)),
      ...(await findJobs(invocation, project.jobs)),
      ...(await findMails(invocation)),
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

interface FoundProject {
  readonly findings: readonly Finding[];
  /** Names of the jobs that the code has handlers for; undefined if it does not compile. */
  readonly jobs: readonly string[] | undefined;
  readonly plan: CompiledPlan | undefined;
}

async function findProject(invocation: Invocation): Promise<FoundProject> {
  const { compileProject } = await import('../../boot.ts');
  const root = invocation.root();
  const { problems, plan } = await compileProject(root, invocation.env);
  const errors = problems.filter(isError).length;
  const advice = problems.length - errors;
  const text = errors === 0 ? 'no problem' : `${errors} problem${errors === 1 ? '' : 's'}: treadle check`;
  const findings = [
    { what: 'definitions', state: errors === 0 ? 'good' : 'bad', text },
    ...(advice > 0 ? [advise('definitions', `${advice} of advice, see: treadle check`)] : []),
    ...problems
      .filter(({ code }) => OPEN_CODES.has(code))
      .map(({ file, message, hint }) => advise('open call', `${file}: ${message} ${hint ?? ''}`)),
    ...problems
      .filter(({ code }) => code === 'VIEW_IMAGE_SIZE')
      .slice(0, 1)
      .map(({ file, line, message, hint }) => advise('images', `${file}:${line}: ${message} ${hint}`)),
    ...(await findDrift(root, plan)).map(({ message }) => advise('drift', message)),
  ] as const;
  return { findings, jobs: plan?.jobs.map(({ name }) => name), plan };
}

async function findSecrets(invocation: Invocation): Promise<Finding[]> {
  const root = invocation.root();
  const environment = readEnvironment(root, invocation.env);
  const { problems, secret, host = '127.0.0.1' } = environment;
  const settings = await readSettings(invocation);
  const { server } = settings;
  const file = join(root, '.env');
  // On Windows the mode says nothing about who may read.
  const isShared = process.platform !== 'win32' && existsSync(file) && ((await stat(file)).mode & 0o077) !== 0;
  const plain = findPlainHttp(host, server);
  const gap = findMailGap(environment, settings);
  const base = 'not set; links and the CloudEvents source use the listening address, which commands do not know';
  return [
    ...problems.map(({ message }): Finding => ({ what: 'environment', state: 'bad', text: message })),
    secret === undefined
      ? advise('TREADLE_SECRET', 'not set; required in production')
      : { what: 'TREADLE_SECRET', state: 'good', text: 'set' },
    ...(isShared ? [advise('.env', 'other users of this machine can read it: chmod 600 .env')] : []),
    ...(server.baseUrl === null ? [advise('server.baseUrl', base)] : []),
    gap === undefined
      ? { what: 'mail', state: 'good', text: `sent by ${environment.mailServer?.host}` }
      : advise('mail', gap),
    ...(plain === undefined ? [] : [advise('plain http', plain)]),
    ...(server.cors?.includes('*') ? [advise('server.cors', 'every website may call the API from a browser')] : []),
  ];
}

/** Sign-in providers: what is missing, and whether they answer. */
async function findProviders(invocation: Invocation): Promise<Finding[]> {
  const settings = await readSettings(invocation);
  const environment = readEnvironment(invocation.root(), invocation.env);
  const gaps = findProviderGaps(environment, settings).map(({ message, hint }) =>
    advise('sign-in', `${message} ${hint}`),
  );
  const faults = await listProviderErrors(environment, settings);
  return [...gaps, ...faults.map(({ message }) => advise('sign-in', message))];
}

/** Apps with an owner without a verified account: anybody can sign up with that e-mail. */
async function findOwners(invocation: Invocation): Promise<Finding[]> {
  const owners = await readAppOwners(invocation);
  return owners.flatMap((owner) => {
    const remark = toOwnerRemark(owner);
    return remark === undefined ? [] : [advise(`app ${owner.app}`, remark)];
  });
}

/** Reports if the database was last served with another secret; nothing if the database does not exist yet. */
async function findOtherSecret(invocation: Invocation): Promise<Finding[]> {
  const { secret } = readEnvironment(invocation.root(), invocation.env);
  if (secret === undefined) return [];
  const [{ readServerSecret }, { isOtherSecret, OTHER_SECRET }] = await Promise.all([
    import('../application.ts'),
    import('../../app/root-secret.ts'),
  ]);
  const isOther = isOtherSecret(createRootSecret(secret, systemRandom), await readServerSecret(invocation));
  return isOther ? [advise('TREADLE_SECRET', OTHER_SECRET)] : [];
}

async function findDatabase(invocation: Invocation): Promise<Finding[]> {
  const root = invocation.root();
  const { url } = (await readSettings(invocation)).database;
  try {
    const { readEngine } = await import('../../database/engine.ts');
    // Without a file, a database in memory still tells whether the binding is there.
    const engine = await withDatabase({ root, url, isMaking: false }, readEngine);
    const text = isDatabaseThere(url, root)
      ? `opens (${engine})`
      : `does not exist yet; the binding works (${engine}): treadle migrate creates it`;
    return [
      { what: 'database', state: 'good', text },
      { what: 'workers', state: 'good', text: recommendWorkers(engine, availableParallelism()) },
    ];
  } catch (error) {
    const [message, hint] = [readMessage(error), error instanceof TreadleError ? error.hint : undefined];
    return [{ what: 'database', state: 'bad', text: [message, hint].filter((part) => part !== undefined).join(' ') }];
  }
}

/** How old the planner's statistics are; nothing if there is no database yet, or it is small. */
async function findStatistics(invocation: Invocation): Promise<Finding[]> {
  const ask = (database: Database) => readStatisticsText(database, toSeconds(systemClock.now()));
  // A database that does not open has a finding of its own.
  const found = await askDatabase(invocation, ask).catch(() => undefined);
  if (found === undefined) return [];
  return [{ what: 'statistics', state: found.isOutdated ? 'advice' : 'good', text: found.text }];
}

/** Whether `var/upload` has the files of the database; nothing if no schema has any, or there is no database yet. */
async function findUploads(invocation: Invocation, plan: CompiledPlan | undefined): Promise<Finding[]> {
  const root = invocation.root();
  const { url } = (await readSettings(invocation)).database;
  if (plan === undefined || !isDatabaseThere(url, root)) return [];
  const [{ findOtherFolder }, { createFileStore }] = await Promise.all([
    import('../../app/upload-folder.ts'),
    import('../../project/file-store.ts'),
  ]);
  const files = createFileStore({ folder: join(root, 'var', 'upload'), random: systemRandom });
  const { model } = plan;
  // A database that is not migrated may lack a table.
  const found = await askDatabase(invocation, (database) => findOtherFolder({ database, files, model })).catch(
    () => undefined,
  );
  return found === undefined ? [] : [{ what: 'uploads', state: found.isBad ? 'bad' : 'good', text: found.text }];
}

/** State of the web hook queue; nothing if the database does not exist yet, or nothing was ever sent. */
async function findHooks(invocation: Invocation): Promise<Finding[]> {
  const root = invocation.root();
  const { webhook, database } = await readSettings(invocation);
  const { allowPrivate } = webhook;
  const text = `web hooks may call ${allowPrivate.join(', ')}`;
  const open = allowPrivate.length === 0 ? [] : [advise('webhook.allowPrivate', text)];
  const { url } = database;
  const now = toSeconds(systemClock.now());
  const queue = isDatabaseThere(url, root) ? await readQueue({ url, root }, now) : undefined;
  if (queue === undefined) return open;
  return [...open, { what: 'web hooks', state: queue.isStuck ? 'advice' : 'good', text: toQueueText(queue) }];
}

/** State of the mail queue; nothing if the database does not exist yet. */
async function findMails(invocation: Invocation): Promise<Finding[]> {
  const { url } = (await readSettings(invocation)).database;
  const queue = await readMailQueue({ url, root: invocation.root() });
  return queue === undefined ? [] : [{ what: 'mails', state: queue.isStuck ? 'advice' : 'good', text: queue.text }];
}

/** State of the project's jobs; nothing if there were none, or the database does not exist yet. */
async function findJobs(invocation: Invocation, names: readonly string[] | undefined): Promise<Finding[]> {
  const root = invocation.root();
  const { url } = (await readSettings(invocation)).database;
  if (names === undefined || !isDatabaseThere(url, root)) return [];
  const jobs = await readJobs({ url, root, names }, toSeconds(systemClock.now()));
  if (jobs === undefined) return [];
  const { text, isStuck } = toJobsText(jobs);
  return [{ what: 'jobs', state: isStuck ? 'advice' : 'good', text }];
}
