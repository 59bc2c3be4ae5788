import { readFileSync } from 'node:fs';
import { toProjectFile } from './module-error.ts';

/** A name that the project's code passes to Treadle as a literal. */
export interface CodeName {
  /** `emit`: an event. `reroute`: a route such as `GET /articles`. `schema`: a schema. `text`: a text for people. `job`: a job. */
  readonly use: 'emit' | 'reroute' | 'schema' | 'text' | 'job';
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A comment, or a text in quotes. A text with `${…}` has no fixed value. */
const TOKEN = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`/g;

interface Token {
  readonly text: string;
  /** Index of the opening quote. */
  readonly start: number;
  /** The code before it, back to the last text or comment, without comments. */
  readonly before: string;
}

function listTexts(source: string): Token[] {
  const texts: Token[] = [];
  let before = '';
  let end = 0;
  for (const match of source.matchAll(TOKEN)) {
    before += source.slice(end, match.index);
    end = match.index + match[0].length;
    const text = match[1] ?? match[2] ?? match[3];
    if (text === undefined) continue;
    texts.push({ text, start: match.index, before });
    before = '';
  }
  return texts;
}

function toName(token: Token, last: Token | undefined): Pick<CodeName, 'use' | 'name'> | undefined {
  const { text, before } = token;
  if (/\btranslate\s*\(\s*$/.test(before)) return { use: 'text', name: text.replace(/\\(.)/g, '$1') };
  if (text.includes('\\') || text.includes('${')) return undefined;
  if (/\.\s*emit\s*\(\s*$/.test(before)) return { use: 'emit', name: text };
  if (/\bapp\s*\.\s*queue\s*\(\s*$/.test(before)) return { use: 'job', name: text };
  if (/\bapp\s*\.\s*(?:rows|count|exists|upsert)\s*\(\s*$/.test(before)) return { use: 'schema', name: text };
  const isSecond = /^\s*,\s*$/.test(before);
  if (isSecond && last && /\.\s*reroute\s*\(\s*$/.test(last.before))
    return { use: 'reroute', name: `${last.text.toUpperCase()} ${text}` };
  if (isSecond && last && /\.\s*set(?:Soft)?Stage\s*\(\s*$/.test(last.before) && /^schema[12]?$/.test(last.text))
    return { use: 'schema', name: text };
  const isModelEvent = last !== undefined && /^system-model-/.test(last.text) && /emit\s*\(\s*$/.test(last.before);
  return isModelEvent && /^\s*,\s*\{\s*schema\s*:\s*$/.test(before) ? { use: 'schema', name: text } : undefined;
}

/** Keeps the names of each file. */
interface NameStore {
  names(path: string, find: () => readonly CodeName[]): readonly CodeName[];
}

function findNames(root: string, path: string): CodeName[] {
  const source = readFileSync(path, 'utf8');
  const texts = listTexts(source);
  return texts.flatMap((token, index): CodeName[] => {
    const found = toName(token, texts[index - 1]);
    if (found === undefined) return [];
    const lines = source.slice(0, token.start).split('\n');
    const column = (lines.at(-1)?.length ?? 0) + 1;
    return [{ ...found, file: toProjectFile(root, path), line: lines.length, column }];
  });
}

/**
 * The names in the code of these files, with their places. Only what the text of the code shows without running it.
 *
 * @param store Keeps the names of a file between starts.
 */
export function findCodeNames(root: string, files: readonly string[], store?: NameStore): CodeName[] {
  return files
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path))
    .flatMap((path) => store?.names(path, () => findNames(root, path)) ?? findNames(root, path));
}
