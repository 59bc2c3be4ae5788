// The project that the blocks of the guides run in: the blog with an open API, the ticket shop's schemas and two people.
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { main } from '../../src/cli/main.ts';
import { Project } from '../project.ts';

/** Run once, in this order, in the project that all pages start with. */
const PREPARED: readonly (readonly string[])[] = [
  ['api', 'populate'],
  ['rest', 'generate', 'comment', '--access', 'user'],
  ['rest', 'generate', 'article', '--access', 'public'],
  [
    'schema',
    'create',
    'talk',
    '--field',
    'title:text:required,searchable',
    '--field',
    'about:markdown',
    '--field',
    'starts:datetime:sortable,filterable',
    '--field',
    'capacity:number',
    '--field',
    'left:number',
    '--field',
    'level:text:filterable',
  ],
  [
    'schema',
    'create',
    'ticket',
    '--field',
    'email:email',
    '--field',
    'status:text',
    '--relation',
    'talk=1:1',
    '--relation',
    'profile=1:1',
  ],
  ['role', 'create', 'editor', '--name', 'Editor', '--permission', 'all:/admin/system/model/article/**'],
  ['migrate'],
  ['import', 'profile', 'fixture/profile.ndjson'],
  ['import', 'article', 'fixture/article.ndjson'],
  ['import', 'comment', 'fixture/comment.ndjson'],
];

const ANN = ['user', 'create', '--email', 'ann@example.org', '--name', 'Ann'];
const SCOPES = ['--scope', 'comment_write', '--scope', 'comment_read'];
const READER = ['app', 'create', 'reader', '--title', 'Reader', ...SCOPES];
const STAFF = ['role', 'create', 'staff', '--name', 'Staff', '--permission', 'all:/staff/**'];

/** What the reader of a page has done before. */
const GIVEN: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'docs/guide/calls.md': [ANN, READER],
  'docs/guide/migrations.md': [['field', 'add', 'article', 'subtitle:text']],
  'docs/guide/rest.md': [ANN, READER],
  'docs/guide/second-factor.md': [STAFF],
  'docs/guide/webhook.md': [READER],
};

/** Files that the reader of a page has. */
const FILES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/guide/assistants.md': { 'posts.csv': 'title,detail\nOne,<p>x</p>\n' },
  'docs/guide/import.md': { 'posts.csv': 'title,detail\nOne,<p>x</p>\n' },
};

/** Runs a command in this process; returns its exit code and what it said. */
export async function runIn(cwd: string, argv: readonly string[]): Promise<{ code: number; said: string }> {
  const state = { said: '' };
  const write = (text: string): void => {
    state.said += text;
  };
  const code = await main([...argv], {
    cwd,
    env: { CI: 'true', PATH: process.env.PATH },
    stdin: (async function* () {
      yield 'a long enough word\n';
    })(),
    stdout: { write },
    stderr: { write },
  });
  return { code, said: state.said };
}

export class World {
  readonly project: Project = new Project('blog');
  readonly #folder: string = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-pages-')));
  #copies = 0;

  async prepare(): Promise<void> {
    for (const argv of PREPARED) {
      const { code, said } = await runIn(this.project.root, argv);
      if (code !== 0) throw new Error(`treadle ${argv.join(' ')} ended with ${code}: ${said}`);
    }
  }

  /** A copy of the project with its data, and with what the reader of a page has done before. */
  async copyFor(page: string): Promise<string> {
    const root = this.copy();
    for (const argv of GIVEN[page] ?? []) {
      const { code, said } = await runIn(root, argv);
      if (code !== 0) throw new Error(`${page}: treadle ${argv.join(' ')} ended with ${code}: ${said}`);
    }
    for (const [file, text] of Object.entries(FILES[page] ?? {})) writeFileSync(join(root, file), text);
    return root;
  }

  copy(): string {
    this.#copies += 1;
    const root = join(this.#folder, `page-${this.#copies}`, 'my-app');
    cpSync(this.project.root, root, { recursive: true });
    return root;
  }

  async remove(): Promise<void> {
    rmSync(this.#folder, { recursive: true, force: true });
    await this.project.remove();
  }
}
