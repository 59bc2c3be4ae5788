import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { type Problem, readCode } from '../core/errors.ts';
import { LOG_LEVELS, type LogLevel } from '../core/log/log.ts';
import { isOneOf } from '../core/record.ts';
import { Database, Server, type Settings } from '../model/shape.ts';
import { type Mailbox, type MailServer, parseMailbox, parseMailUrl } from '../outbound/mail.ts';

/** What the project's own code may get as `process.env`. */
export interface OwnVariables {
  /** Those of `.env`. */
  readonly file: Readonly<Record<string, string>>;
  /** The environment that the application was started with; it wins. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True for a test site: `env` is what the test says, and wins over the process's own. */
  readonly isApart: boolean;
}

/** Settings from `.env` and the process environment; the process wins. An empty variable counts as unset. */
export interface Environment {
  /** `PORT`, 0 to 65535. */
  readonly port: number | undefined;
  /** `HOST`. */
  readonly host: string | undefined;
  /** `DATABASE_URL`. */
  readonly databaseUrl: string | undefined;
  /** `TREADLE_SECRET`, at least 32 characters. */
  readonly secret: string | undefined;
  /** `TREADLE_BASE_URL`, without a final slash. */
  readonly baseUrl: string | undefined;
  /** `LOG_LEVEL`: the lowest level that is logged. */
  readonly logLevel: LogLevel | undefined;
  /** `METRICS_TOKEN`, at least 16 characters. */
  readonly metricsToken: string | undefined;
  /** `MAIL_URL`. */
  readonly mailServer: MailServer | undefined;
  /** `MAIL_FROM`. */
  readonly mailFrom: Mailbox | undefined;
  /** `NODE_ENV`. */
  readonly mode: string | undefined;
  /** All variables, including those of `.env`. */
  readonly variables: Readonly<Record<string, string>>;
  readonly own: OwnVariables;
  readonly problems: readonly Problem[];
}

const SECRET_LENGTH = 32;
const METRICS_TOKEN_LENGTH = 16;

/** Every variable that a server reads, for the reference. */
export const VARIABLES: Readonly<Record<string, string>> = {
  PORT: 'Port to listen on, 0 to 65535; 0 picks a free port. `--port` overrides it. Default 3000.',
  HOST: 'Address to listen on. `--host` overrides it. Default `127.0.0.1`.',
  DATABASE_URL: '`sqlite:<file>` or `postgres://…`; overrides `database.url` of the settings.',
  TREADLE_SECRET: `The secret that other secrets are derived from, ${SECRET_LENGTH} characters at least. \`start\` needs it.`,
  TREADLE_BASE_URL: 'Public address; overrides `server.baseUrl` of the settings.',
  LOG_LEVEL:
    'Lowest level that the server logs: `debug`, `info`, `warn` or `error`. Each request logs one line at `info`. Default `info`.',
  METRICS_TOKEN: `The Bearer token for \`/metrics\` if \`server.metrics\` is \`token\`, ${METRICS_TOKEN_LENGTH} characters at least.`,
  MAIL_URL:
    'Mail server: `smtp://user:password@host:587` or `smtps://user:password@host:465`. A password is sent only over TLS, but for a server on this machine. Without it `start` sends no mail, and `dev` shows mail at `/__treadle/mail`.',
  MAIL_FROM: 'Sender of all mail: `name@example.org` or `Site <name@example.org>`. `MAIL_URL` needs it.',
  'AUTH_<NAME>_SECRET':
    'Client secret of the sign-in provider `<name>` in `auth.providers`, in capitals and with `_` for `-`.',
  NODE_ENV: '`production` or `development`: the mode of commands other than `dev` and `start`.',
};

function readFile(root: string): Readonly<Record<string, string>> {
  try {
    const entries = Object.entries(parseEnv(readFileSync(join(root, '.env'), 'utf8')));
    return Object.fromEntries(entries.map(([name, value = '']) => [name, value]));
  } catch (error) {
    if (readCode(error) === 'ENOENT') return {};
    throw error;
  }
}

function createProblem(name: string, message: string, hint: string): Problem {
  return { code: 'PROJECT_ENVIRONMENT_INVALID', file: '.env', path: name, message: `${name} ${message}.`, hint };
}

/** If a variable of the process overrides `.env`, the file has no error. */
const PROCESS = 'environment';

const isLogLevel = (text: string | undefined): text is LogLevel => isOneOf(LOG_LEVELS, text);
const toList = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) <= 65_535;

// A value may be a password, so no message repeats it.
function judge(variables: Readonly<Record<string, string>>): Problem[] {
  const { PORT, DATABASE_URL, TREADLE_SECRET, TREADLE_BASE_URL, LOG_LEVEL, METRICS_TOKEN } = variables;
  const problems: Problem[] = [];
  if (PORT !== undefined && !isPort(PORT)) {
    problems.push(createProblem('PORT', 'must be a whole number from 0 to 65535', 'Such as PORT=3000.'));
  }
  if (DATABASE_URL !== undefined && !Database.safeParse({ url: DATABASE_URL }).success) {
    const hint = 'Such as DATABASE_URL=sqlite:var/app.db.';
    problems.push(createProblem('DATABASE_URL', 'must start with "sqlite:" or "postgres://"', hint));
  }
  if (TREADLE_SECRET !== undefined && TREADLE_SECRET.length < SECRET_LENGTH) {
    const hint = 'Make one: node -p "crypto.randomBytes(32).toString(\'hex\')".';
    problems.push(createProblem('TREADLE_SECRET', `must have at least ${SECRET_LENGTH} characters`, hint));
  }
  if (TREADLE_BASE_URL !== undefined && !Server.safeParse({ baseUrl: TREADLE_BASE_URL.replace(/\/$/, '') }).success) {
    const hint = 'Such as TREADLE_BASE_URL=https://example.org, or https://example.org/shop for a site under a path.';
    problems.push(
      createProblem(
        'TREADLE_BASE_URL',
        'must be an http or https address without query and fragment; its path may hold letters, digits, "-", ".", "_" and "~"',
        hint,
      ),
    );
  }
  if (LOG_LEVEL !== undefined && !isLogLevel(LOG_LEVEL)) {
    problems.push(createProblem('LOG_LEVEL', `must be ${toList(LOG_LEVELS)}`, 'Such as LOG_LEVEL=info.'));
  }
  if (METRICS_TOKEN !== undefined && METRICS_TOKEN.length < METRICS_TOKEN_LENGTH) {
    const hint = 'Make one: node -p "crypto.randomBytes(32).toString(\'hex\')".';
    problems.push(createProblem('METRICS_TOKEN', `must have at least ${METRICS_TOKEN_LENGTH} characters`, hint));
  }
  return [...problems, ...judgeMail(variables)];
}

function judgeMail({ MAIL_URL, MAIL_FROM }: Readonly<Record<string, string>>): Problem[] {
  const problems: Problem[] = [];
  if (MAIL_URL !== undefined && parseMailUrl(MAIL_URL) === undefined) {
    const hint = 'Such as MAIL_URL=smtps://user:password@mail.example.org. Percent-encode what a URL cannot hold.';
    problems.push(createProblem('MAIL_URL', 'must be an smtp:// or smtps:// address without a path or query', hint));
  }
  if (MAIL_FROM !== undefined ? parseMailbox(MAIL_FROM) === undefined : MAIL_URL !== undefined) {
    const hint = 'Such as MAIL_FROM="My site <noreply@example.org>".';
    problems.push(
      createProblem('MAIL_FROM', 'must be an e-mail address, with or without a name, where MAIL_URL is set', hint),
    );
  }
  return problems;
}

/**
 * Reads `.env` of a project; variables of the process override it. Invalid ones are listed in `problems`
 * and left out.
 *
 * @param hasFile False to take nothing of `.env` for Treadle itself.
 */
export function readEnvironment(
  root: string,
  env: Readonly<Record<string, string | undefined>> = {},
  hasFile = true,
): Environment {
  const file = readFile(root);
  const given = withoutEmpty(env);
  const all = Object.entries({ ...(hasFile ? file : {}), ...given });
  const variables = Object.fromEntries(all.filter((entry): entry is [string, string] => Boolean(entry[1])));
  const problems = judge(variables).map((problem) =>
    Object.hasOwn(given, problem.path) ? { ...problem, file: PROCESS } : problem,
  );
  const find = (name: string): string | undefined =>
    problems.some((problem) => problem.path === name) ? undefined : variables[name];
  const [port, level] = [find('PORT'), find('LOG_LEVEL')];
  const [mailUrl, mailFrom] = [find('MAIL_URL'), find('MAIL_FROM')];
  return {
    port: port === undefined ? undefined : Number(port),
    host: find('HOST'),
    databaseUrl: find('DATABASE_URL'),
    secret: find('TREADLE_SECRET'),
    baseUrl: find('TREADLE_BASE_URL')?.replace(/\/$/, ''),
    logLevel: isLogLevel(level) ? level : undefined,
    metricsToken: find('METRICS_TOKEN'),
    mailServer: mailUrl === undefined ? undefined : parseMailUrl(mailUrl),
    mailFrom: mailFrom === undefined ? undefined : parseMailbox(mailFrom),
    mode: find('NODE_ENV'),
    variables,
    own: { file, env, isApart: !hasFile },
    problems,
  };
}

function withoutEmpty(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => Boolean(entry[1])));
}

/** Settings with the database URL and public address from the environment. */
export function overrideSettings(settings: Settings, environment: Environment): Settings {
  const { databaseUrl, baseUrl } = environment;
  return {
    ...settings,
    database: { ...settings.database, ...(databaseUrl === undefined ? {} : { url: databaseUrl }) },
    server: { ...settings.server, ...(baseUrl === undefined ? {} : { baseUrl }) },
  };
}

/** Whether a project may use PostgreSQL, for what must be known before its settings are read: false if it certainly does not. */
export function mayUsePostgres(root: string, environment: Environment): boolean {
  try {
    return /postgres|\\u/i.test(environment.databaseUrl ?? readFileSync(join(root, 'config/settings.json'), 'utf8'));
  } catch {
    return false;
  }
}
