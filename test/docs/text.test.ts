import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CATALOG } from '../../src/cli/catalog.ts';
import { findEntry, parseCommandLine } from '../../src/cli/program.ts';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { listFiles, sourceRoot } from '../structure/source.ts';
import { toWords } from './_words.ts';

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'scaffold/blog/README.md', 'scaffold/bare/README.md'],
  ...readdirSync(join(packageRoot, 'docs'), { recursive: true })
    .map((path) => `docs/${String(path).replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.md')),
].map((path) => ({ path, text: readFileSync(join(packageRoot, path), 'utf8') }));

const text = suite('docs/text');

/** Converts a heading to its link anchor. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const listAnchors = (page: string): string[] =>
  [...page.matchAll(/^#+ (.+)$/gm)].map((match) => toAnchor(match[1] ?? ''));

text('every link names an existing file, and a heading in it', () => {
  const broken = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
      if (/^[a-z]+:/.test(link)) return [];
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      if (!existsSync(join(packageRoot, target))) return [`${path}: ${link}`];
      if (anchor === undefined) return [];
      const known = listAnchors(readFileSync(join(packageRoot, target), 'utf8'));
      return known.includes(anchor) ? [] : [`${path}: ${link}`];
    }),
  );
  assert.equal(broken, []);
});

text('every page of docs/ can be reached from README.md', () => {
  const seen = new Set<string>();
  const visit = (path: string): void => {
    const page = pages.find((each) => each.path === path);
    if (!page || seen.has(path)) return;
    seen.add(path);
    for (const [, link = ''] of page.text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)) {
      const target = join(dirname(path), link);
      if (page && existsSync(join(packageRoot, target)) && !link.endsWith('.md'))
        for (const each of pages) if (each.path.startsWith(`${target}/`)) visit(each.path);
      visit(target);
    }
  };
  visit('README.md');
  const lost = pages.map(({ path }) => path).filter((path) => path.startsWith('docs/') && !seen.has(path));
  assert.equal(lost, []);
});

/** Command lines of Treadle in a page: in indented or fenced blocks, and in backticks. */
function listCommandLines(page: string): string[] {
  const joined = page.replace(/\\\n\s*/g, ' ');
  const blocks = [...joined.matchAll(/^(?: {4,}|- run: +|\s+- run: )?(?:\$ )?(?:npx )?treadle (.+)$/gm)].map(
    (match) => match[1] ?? '',
  );
  const inline = [...joined.matchAll(/`(?:npx )?treadle ([^`\n]+)`/g)].map((match) => match[1] ?? '');
  return [...blocks, ...inline];
}

async function findFault(line: string): Promise<string | undefined> {
  const words = toWords(line);
  // Names of a group alone, `treadle schema`, or a placeholder for any command.
  if (words[0] === '--help' || words[0] === '<noun>') return undefined;
  if (findEntry(words) === undefined) return 'no such command';
  try {
    const quiet = { out: { write() {} }, err: { write() {} } };
    const parsed = await parseCommandLine(words, quiet);
    for (const part of [...(parsed?.spec.arguments ?? []), ...(parsed?.spec.options ?? [])]) {
      const value = parsed?.values[part.name];
      if (!part.choices || value === undefined) continue;
      const wrong = [value]
        .flat()
        .find((each) => !/^<.*>$/.test(String(each)) && !part.choices?.includes(String(each)));
      if (wrong !== undefined) return `${part.name} can't be ${String(wrong)}`;
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A code, not a sentence, in a call of the log or as the fault of a repeated job. */
const LOG_CODE = /(?:log\.(?:warn|error|info)\(|\bfault:)\s*'([a-z]+(?:[.-][a-z]+)+)'/g;

text('every code that the log may have is in a guide', () => {
  const codes = listFiles(sourceRoot).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(LOG_CODE)].map(([, code = '']) => code),
  );
  assert.ok(codes.length > 30);
  const guides = pages.filter(({ path }) => path.startsWith('docs/guide/')).map(({ text }) => text);
  const missing = [...new Set(codes)].filter((code) => !guides.some((guide) => guide.includes(`\`${code}\``)));
  assert.equal(missing, []);
});

text('every command line in the pages is one that Treadle takes', async () => {
  const faults: string[] = [];
  const lines = pages.flatMap(({ path, text }) => listCommandLines(text).map((line) => ({ path, line })));
  assert.ok(lines.length > 40);
  for (const { path, line } of lines) {
    const fault = await findFault(line);
    if (fault !== undefined) faults.push(`${path}: treadle ${line}: ${fault}`);
  }
  assert.equal(faults, []);
});

text('every example in the help is one that Treadle takes', async () => {
  for (const { load } of CATALOG) {
    for (const example of (await load()).examples) {
      assert.is(await findFault(example.replace(/^.*?\btreadle /, '')), undefined, example);
    }
  }
});

text('the commands that the source tells a person to type are there', async () => {
  const faults: string[] = [];
  for (const entry of readdirSync(join(packageRoot, 'src'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    for (const [, words = ''] of readFileSync(file, 'utf8').matchAll(/\btreadle ((?:[a-z]+(?:-[a-z]+)* ?){1,2})/g)) {
      const nouns = words.trim().split(' ');
      const isKnown = CATALOG.some(
        ({ words: [first, second] }) => first === nouns[0] && (second ?? nouns[1]) === nouns[1],
      );
      if (CATALOG.some(({ words: [first] }) => first === nouns[0]) && !isKnown && nouns[1] !== undefined)
        faults.push(`${relative(packageRoot, file)}: treadle ${words}`);
    }
  }
  assert.equal(faults, []);
});

text.run();
