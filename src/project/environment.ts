import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Problem } from '../core/errors.ts';
import { Settings } from '../model/shape.ts';

/** What the environment says, from `.env` and the process; the process wins. An empty variable counts as unset. */
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
  /** `NODE_ENV`. */
  readonly mode: string | undefined;
  /** All variables, those of `.env` among them. */
  readonly variables: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
}

export const SECRET_LENGTH = 32;

function readFile(root: string): Readonly<Record<string, string>> {
  try {
    return parseEnv(readFileSync(join(root, '.env'), 'utf8')) as Record<string, string>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

function toProblem(name: string, message: string, hint: string): Problem {
  return { code: 'PROJECT_ENVIRONMENT_INVALID', file: '.env', path: name, message: `${name} ${message}.`, hint };
}

const isPort = (text: string): boolean => /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
const isSetting = (key: 'database' | 'server', value: unknown): boolean => Settings.safeParse({ [key]: value }).success;

// A value may hold a password, so none is repeated in a message.
function judge(variables: Readonly<Record<string, string>>): Problem[] {
  const { PORT, DATABASE_URL, TREADLE_SECRET, TREADLE_BASE_URL } = variables;
  const problems: Problem[] = [];
  if (PORT !== undefined && !isPort(PORT)) {
    problems.push(toProblem('PORT', 'must be a whole number from 0 to 65535', 'Such as PORT=3000.'));
  }
  if (DATABASE_URL !== undefined && !isSetting('database', { url: DATABASE_URL })) {
    const hint = 'Such as DATABASE_URL=sqlite:var/app.db.';
    problems.push(toProblem('DATABASE_URL', 'must start with "sqlite:" or "postgres://"', hint));
  }
  if (TREADLE_SECRET !== undefined && TREADLE_SECRET.length < SECRET_LENGTH) {
    const hint = 'Make one: node -p "crypto.randomBytes(32).toString(\'hex\')".';
    problems.push(toProblem('TREADLE_SECRET', `must have at least ${SECRET_LENGTH} characters`, hint));
  }
  if (TREADLE_BASE_URL !== undefined && !isSetting('server', { baseUrl: TREADLE_BASE_URL.replace(/\/$/, '') })) {
    const hint = 'Such as TREADLE_BASE_URL=https://example.org.';
    problems.push(toProblem('TREADLE_BASE_URL', 'must be an http or https address without query and fragment', hint));
  }
  return problems;
}

/** Reads `.env` of a project and lays the process's variables over it. What is wrong is in `problems` and left out. */
export function readEnvironment(root: string, env: Readonly<Record<string, string | undefined>> = {}): Environment {
  const all = Object.entries({ ...readFile(root), ...withoutEmpty(env) });
  const variables = Object.fromEntries(all.filter((entry): entry is [string, string] => Boolean(entry[1])));
  const problems = judge(variables);
  const find = (name: string): string | undefined =>
    problems.some((problem) => problem.path === name) ? undefined : variables[name];
  const port = find('PORT');
  return {
    port: port === undefined ? undefined : Number(port),
    host: find('HOST'),
    databaseUrl: find('DATABASE_URL'),
    secret: find('TREADLE_SECRET'),
    baseUrl: find('TREADLE_BASE_URL')?.replace(/\/$/, ''),
    mode: find('NODE_ENV'),
    variables,
    problems,
  };
}

function withoutEmpty(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => Boolean(entry[1])));
}

/** The settings with what the environment overrides: the database's address and the public address. */
export function overrideSettings(settings: Settings, environment: Environment): Settings {
  const { databaseUrl, baseUrl } = environment;
  return {
    ...settings,
    database: { ...settings.database, ...(databaseUrl === undefined ? {} : { url: databaseUrl }) },
    server: { ...settings.server, ...(baseUrl === undefined ? {} : { baseUrl }) },
  };
}
