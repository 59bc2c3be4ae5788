import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../core/package-root.ts';

export const TEMPLATES = ['blog', 'bare'] as const;
export type Template = (typeof TEMPLATES)[number];

/** Stored under other names, since npm leaves out or reads files of these names in a package. */
const STORED_AS: Readonly<Record<string, string>> = {
  _gitignore: '.gitignore',
  '_env.example': '.env.example',
  '_package.json': 'package.json',
};

/** Files whose `{{name}}`, `{{title}}` and `{{treadle}}` are filled in; in templates such braces are Handlebars. */
const FILLED: ReadonlySet<string> = new Set(['package.json', 'README.md', 'config/settings.json']);

export interface TemplateWords {
  /** Package name, such as `my-blog`. */
  readonly name: string;
  /** Title of the site, such as `My blog`. */
  readonly title: string;
  /** What package.json asks for: `^0.1.0`, `file:/…`. */
  readonly treadle: string;
}

/** The files of a template by their path in the project, with forward slashes. */
export function readTemplate(template: Template, words: TemplateWords): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  collect(join(packageRoot, 'scaffold', template), '', (path, bytes) => {
    files.set(
      path,
      FILLED.has(path) ? Buffer.from(fill(bytes.toString('utf8'), words, path.endsWith('.json'))) : bytes,
    );
  });
  return files;
}

function collect(folder: string, prefix: string, visit: (path: string, bytes: Buffer) => void): void {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = `${prefix}${STORED_AS[entry.name] ?? entry.name}`;
    if (entry.isDirectory()) collect(join(folder, entry.name), `${path}/`, visit);
    else if (entry.isFile()) visit(path, readFileSync(join(folder, entry.name)));
  }
}

function fill(text: string, words: TemplateWords, isJson: boolean): string {
  return text.replace(/\{\{(name|title|treadle)\}\}/g, (_, key: keyof TemplateWords) =>
    isJson ? JSON.stringify(words[key]).slice(1, -1) : words[key],
  );
}

/** A folder's name as an npm package may be called. */
export function toPackageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '')
    .slice(0, 200);
  return name === '' || name === 'treadle' || name === 'node_modules' ? 'my-site' : name;
}
