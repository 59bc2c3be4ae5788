import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { writeProject } from '../src/cli/create/project.ts';
import type { Template } from '../src/cli/create/template.ts';
import { main } from '../src/cli/main.ts';
import { systemRandom } from '../src/core/clock.ts';
import { CHEAP_COST } from '../src/testing/people.ts';
import { placeUrl, removePlace, SERVER } from './database/_where.ts';

/** Files by path: text, or a value that is written as JSON. */
export type Files = Readonly<Record<string, unknown>>;

export interface Said {
  /** What the command printed with `--json`, parsed. */
  readonly data: Record<string, unknown>;
  readonly out: string;
  readonly err: string;
}

/** Runs a command in this process with `--json`; throws its output if it fails. */
export async function runCommand(argv: readonly string[], cwd: string): Promise<Said> {
  const said = { out: '', err: '' };
  const keep = (name: 'out' | 'err') => (text: string) => {
    said[name] += text;
  };
  const code = await main([...argv, '--json'], {
    cwd,
    passwordCost: CHEAP_COST,
    env: { CI: 'true', PATH: process.env.PATH },
    stdin: (async function* () {})(),
    stdout: { write: keep('out') },
    stderr: { write: keep('err') },
  });
  const { out, err } = said;
  if (code !== 0) throw new Error(`treadle ${argv.join(' ')} ended with ${code}: ${out}${err}`);
  return { data: out.trim() === '' ? {} : JSON.parse(out), out, err };
}

/** A project in a temporary folder. */
export class Project {
  readonly root: string;
  readonly #folder: string;
  readonly #place: string;

  /** @param template `none`: only a secret in `.env` and empty settings. */
  constructor(template: Template | 'none' = 'blog') {
    this.#folder = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-site-')));
    this.root = join(this.#folder, template === 'none' ? 'site' : template);
    this.#place = placeUrl();
    if (template === 'none') {
      this.write('config/settings.json', { name: 'Site' });
      this.write('.env', 'TREADLE_SECRET=test only, at least 32 characters long\n');
    } else writeProject({ folder: this.root, template, random: systemRandom });
    // The only setting that moves a project to another database.
    if (SERVER !== undefined) appendFileSync(join(this.root, '.env'), `DATABASE_URL=${this.#place}\n`);
  }

  path(file: string): string {
    return join(this.root, file);
  }

  read(file: string): string {
    return readFileSync(this.path(file), 'utf8');
  }

  /** Writes a text, or a value as JSON. */
  write(file: string, value: unknown): void {
    mkdirSync(dirname(this.path(file)), { recursive: true });
    writeFileSync(this.path(file), typeof value === 'string' ? value : `${JSON.stringify(value, null, 2)}\n`);
  }

  /** Changes a JSON file in place. */
  edit<T = Record<string, unknown>>(file: string, change: (value: T) => void): void {
    const value = JSON.parse(this.read(file)) as T;
    change(value);
    this.write(file, value);
  }

  /** Sets keys of `config/settings.json`. */
  set(settings: object): void {
    this.edit('config/settings.json', (all) => void Object.assign(all, settings));
  }

  /** Adds a controller to the package `app/www`, before the template's own. */
  addController(name: string, text: string): void {
    this.write(`app/www/src/controller/${name}.ts`, text);
    const lines = this.read('app/www/.treadle.ts').replace(/export default \[/, `export default [${name}, `);
    this.write('app/www/.treadle.ts', `import ${name} from './src/controller/${name}';\n${lines}`);
  }

  cli(...argv: string[]): Promise<Said> {
    return runCommand(argv, this.root);
  }

  /** Removes the folder and the data. */
  async remove(): Promise<void> {
    await removePlace(this.#place);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
