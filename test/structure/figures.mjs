// Prints figures of the source of one or more checkouts side by side: size, function lengths, casts, exports, comments,
// and lines by folder. Usage: node test/structure/figures.mjs [checkout ...] (default: this one).
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

// Its CommonJS files: the others are for bundlers only.
const require = createRequire(import.meta.url);
const { parse } = require('sucrase/dist/parser/index.js');
const { TokenType } = require('sucrase/dist/parser/tokenizer/types.js');
const { ContextualKeyword } = require('sucrase/dist/parser/tokenizer/keywords.js');

const here = fileURLToPath(new URL('../..', import.meta.url));
const LONG_COMMENT = 110;
/** Words that glue sentences together. @see CONTRIBUTING.md, "Plain words" */
const GLUE =
  /\b(?:whose|whom|such an?|leads? to|stands|anew|is none|where there is none|what is no|beside|to be had|of the one that)\b/gi;
/** Files of roles, mail and the account's pages, which are younger than commit 63cd9ad. */
const LATER =
  /^(?:feature\/(?:role|mail)\/|plan\/(?:role-|path-guard|person|rule-filter)|model\/(?:role|link\/roles)|outbound\/mail|runtime\/(?:mail-view|session-list)|cli\/(?:mail|explain\/(?:role|rule)|command\/(?:role|user)-)|feature\/auth\/(?:ask-mail|browser-name|current-password|data-routes|device|link-mail|mail|own-data|own-network|owned|session-routes|signup-fields|events\/auth-(?:delete|email|forgot|invite|recover|role|session|setup|taken|verify)))/;

const listSources = (root) =>
  readdirSync(join(root, 'src'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

const countLines = (text) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

function toPercentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Comments are what lies between tokens. */
function listComments(text, tokens) {
  const comments = [];
  let end = 0;
  for (const token of tokens) {
    if (token.start > end)
      for (const [comment] of text.slice(end, token.start).matchAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g))
        comments.push(comment);
    end = Math.max(end, token.end);
  }
  return comments;
}

/** Import and export lists, where `as` gives another name. */
const FROM = /(?:^|\n)(?:import|export)\b[^;]*?\bfrom\b/g;

function readFigures(text) {
  const { tokens, scopes } = parse(text, false, true, false);
  const lineOf = (index) => text.slice(0, index).split('\n').length;
  const functions = scopes
    .filter(({ isFunctionScope, startTokenIndex: first }) => {
      // A block is the body of a function that is listed with its parameters.
      return isFunctionScope && first > 0 && tokens[first].type !== TokenType.braceL;
    })
    .map(({ startTokenIndex, endTokenIndex }) => {
      const last = tokens[Math.min(endTokenIndex, tokens.length) - 1];
      return lineOf(last.end) - lineOf(tokens[startTokenIndex].start) + 1;
    });
  const imports = [...text.matchAll(FROM)].map(({ index, 0: found }) => [index, index + found.length]);
  const casts = tokens.filter(
    ({ start, end, contextualKeyword }, index) =>
      contextualKeyword === ContextualKeyword._as &&
      text.slice(start, end) === 'as' &&
      tokens[index + 1]?.type !== TokenType._const &&
      !imports.some(([from, to]) => start > from && start < to),
  ).length;
  return { functions, casts, comments: listComments(text, tokens) };
}

const DECLARED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|class|interface|type|enum) (\w+)/gm;
const NAMED = /(?:^|\n)(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*['"](\.[^'"]+)['"]/g;

/** For each export, the number of other source files that import it by name. */
function countUsers(texts) {
  const users = new Map();
  for (const [file, text] of texts)
    for (const [, name] of text.matchAll(DECLARED)) users.set(`${file}:${name}`, new Set());
  for (const [file, text] of texts)
    for (const [, list, from] of text.matchAll(NAMED))
      for (const item of list.split(',')) {
        const name = item
          .trim()
          .replace(/^type\s+/, '')
          .split(/\s+as\s+/)[0];
        users.get(`${resolve(dirname(file), from)}:${name}`)?.add(file);
      }
  return [...users.values()].map((set) => set.size);
}

function measure(root) {
  const texts = new Map(listSources(root).map((file) => [file, readFileSync(file, 'utf8')]));
  const all = [...texts.values()].map(readFigures);
  const functions = all.flatMap((one) => one.functions).sort((a, b) => a - b);
  const comments = all.flatMap((one) => one.comments);
  const lines = [...texts.values()].map(countLines);
  const sizes = lines.toSorted((a, b) => a - b);
  const users = countUsers(texts);
  const folders = new Map();
  let later = 0;
  for (const [index, file] of [...texts.keys()].entries()) {
    const name = relative(join(root, 'src'), file);
    const [top, second] = name.split('/');
    const folder = top === 'feature' ? `${top}/${second}` : top.endsWith('.ts') ? '*.ts' : top;
    folders.set(folder, (folders.get(folder) ?? 0) + lines[index]);
    if (LATER.test(name)) later += lines[index];
  }
  const total = lines.reduce((sum, count) => sum + count, 0);
  return {
    rows: {
      files: texts.size,
      lines: total,
      'lines of roles, mail and account pages': later,
      'lines of the rest': total - later,
      'file length: p50 / p90 / max': [0.5, 0.9, 1].map((share) => toPercentile(sizes, share)).join(' / '),
      functions: functions.length,
      'function length: p50 / p90 / max': [0.5, 0.9, 1].map((share) => toPercentile(functions, share)).join(' / '),
      'casts (without const)': all.reduce((sum, one) => sum + one.casts, 0),
      exports: users.length,
      'exports that one other file uses': users.filter((count) => count === 1).length,
      'exports that no other file uses': users.filter((count) => count === 0).length,
      comments: comments.length,
      [`comment lines over ${LONG_COMMENT} characters`]: comments
        .flatMap((comment) => comment.split('\n'))
        .filter((line) => line.length > LONG_COMMENT).length,
      'glue words in comments': comments.reduce((sum, comment) => sum + (comment.match(GLUE)?.length ?? 0), 0),
    },
    folders,
  };
}

const roots = process.argv.length > 2 ? process.argv.slice(2).map((path) => resolve(path)) : [here];
for (const root of roots)
  if (!existsSync(join(root, 'src'))) throw new Error(`${root} is no checkout: it has no folder src.`);
const measured = roots.map(measure);
const print = (title, cells) =>
  process.stdout.write(`${title.padEnd(42)}${cells.map((cell) => String(cell ?? 0).padStart(16)).join('')}\n`);
print(
  '',
  roots.map((root) => root.split('/').at(-1)),
);
for (const title of Object.keys(measured[0].rows))
  print(
    title,
    measured.map(({ rows }) => rows[title]),
  );
process.stdout.write('\nLines by folder\n');
const names = new Set(measured.flatMap(({ folders }) => [...folders.keys()]));
for (const name of [...names].sort())
  print(
    name,
    measured.map(({ folders }) => folders.get(name)),
  );
