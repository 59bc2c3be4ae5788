import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../core/file/package-root.ts';

export const TEMPLATES = ['blog', 'bare'] as const;
export type Template = (typeof TEMPLATES)[number];

/** Stored under other names, because npm leaves out or interprets files with these names. */
const STORED_AS: Readonly<Record<string, string>> = {
  _dockerignore: '.dockerignore',
  _gitignore: '.gitignore',
  '_env.example': '.env.example',
  '_package.json': 'package.json',
};

/**
 * Files of both templates: the container and the systemd units. `_unit` in a file name is replaced by the unit's
 * name.
 */
const SHARED = 'shared';

/**
 * Files with the placeholders `{{name}}`, `{{title}}`, `{{treadle}}` and `{{unit}}`; in other templates such braces
 * are Handlebars.
 */
const FILLED = /^(?:package\.json|README\.md|config\/settings\.json|Dockerfile|deploy\/.+)$/;

export interface TemplateWords {
  /** Package name, such as `my-blog`. */
  readonly name: string;
  /** Title of the site, such as `My blog`. */
  readonly title: string;
  /** The dependency in package.json: `^0.1.0`, `file:/…`. */
  readonly treadle: string;
}

type TemplateValues = TemplateWords & { readonly unit: string };

/** The files of a template by their path in the project, with forward slashes. */
export function readTemplate(template: Template, words: TemplateWords): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const filled: TemplateValues = { ...words, unit: toUnitName(words.name) };
  for (const folder of [SHARED, template])
    collect(join(packageRoot, 'scaffold', folder), '', (stored, bytes) => {
      const path = stored.replace(/(^|\/)_unit\b/, `$1${filled.unit}`);
      const isFilled = FILLED.test(path);
      files.set(path, isFilled ? Buffer.from(fill(bytes.toString('utf8'), filled, path.endsWith('.json'))) : bytes);
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

function fill(text: string, words: TemplateValues, isJson: boolean): string {
  return text.replace(/\{\{(name|title|treadle|unit)\}\}/g, (_, key: keyof TemplateValues) =>
    isJson ? JSON.stringify(words[key]).slice(1, -1) : words[key],
  );
}

/** Converts a folder's name to a valid npm package name. */
export function toPackageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '')
    .slice(0, 200);
  return name === '' || name === 'treadle' || name === 'node_modules' ? 'my-site' : name;
}

/** Converts a package's name to a valid name for a systemd unit, a Linux user and a folder. */
export function toUnitName(name: string): string {
  const safe = name
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .replace(/^(?=\d)/, 'site-')
    .slice(0, 31)
    .replace(/-+$/, '');
  return safe === '' || safe === 'root' ? 'my-site' : safe;
}
