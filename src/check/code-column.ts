import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import type { Problem } from '../core/errors.ts';
import type { ColumnJudge } from './column-judge.ts';

interface Key {
  readonly name: string;
  readonly index: number;
}

/** `setStage('filter', …)`: what the typed `app.emit(event, stage)` shows to the compiler, this form does not. */
const STAGED = /\.\s*set(?:Soft)?Stage\s*\(\s*(['"`])(filter|sort|fields)\1\s*,\s*/g;
const PART = /['"`][^'"`\n]*['"`]|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[{}[\]()]|[\w$.]+|[:,?]/g;

const unquote = (text: string): string => text.replace(/^['"`]|['"`]$/g, '');

/** The columns of a text such as `-article_published,article_id`. */
function listWords(text: string, index: number): Key[] {
  return [...text.matchAll(/[A-Za-z][\w.]*/g)].map((word) => ({ name: word[0], index: index + word.index }));
}

/** The columns in the value that begins at an index: keys of an object, a text, or texts in a list. */
function listKeys(source: string, from: number): Key[] {
  const keys: Key[] = [];
  let depth = 0;
  let isKey = true;
  for (const { 0: part, index } of source.slice(from).matchAll(PART)) {
    const at = from + index;
    if (/^\/[/*]/.test(part)) continue;
    const isText = /^['"`]/.test(part);
    if (depth === 0 && isText) return listWords(part, at);
    if (/^[{[(]$/.test(part)) depth += 1;
    else if (/^[}\])]$/.test(part)) depth -= 1;
    else if (depth === 0) return [];
    if (depth === 0) return keys;
    if (depth !== 1) continue;
    if (source[from] === '[' && isText) keys.push(...listWords(part, at));
    else if (source[from] !== '{' || part === '{') continue;
    else if (part === ',') isKey = true;
    else if (isKey) {
      if (/^['"`]?[A-Za-z]/.test(part)) keys.push({ name: unquote(part), index: at + (isText ? 1 : 0) });
      isKey = false;
    }
  }
  return [];
}

/** Warns of misspelt columns in the filter, the order and the fields that code sets in a stage. */
export function findMisspeltKeys({ judge }: ColumnJudge, root: string, files: readonly string[]): Problem[] {
  return files
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path))
    .flatMap((path) => {
      const source = readFileSync(path, 'utf8');
      const keys = [...source.matchAll(STAGED)].flatMap((match) => listKeys(source, match.index + match[0].length));
      return keys.flatMap(({ name, index }): Problem[] => {
        const hint = judge(name.split('.').at(-1) ?? name);
        if (hint === undefined) return [];
        const lines = source.slice(0, index).split('\n');
        const place = { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
        const file = relative(root, path).split(sep).join('/');
        const message = `No row has "${name}", which the code searches by.`;
        return [{ code: 'PLAN_COLUMN_UNKNOWN', file, path: '', ...place, message, hint, severity: 'warning' }];
      });
    });
}
