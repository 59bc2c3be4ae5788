import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/core/file/package-root.ts';

/** A code block of a page. */
export interface Block {
  /** The page, from the root of the package. */
  readonly page: string;
  /** Line of its first line of code, from 1. */
  readonly line: number;
  /** First word after the fence; empty if there is none, `indented` for a block without a fence. */
  readonly language: string;
  /** The words after the language. */
  readonly info: string;
  readonly text: string;
  /** The paragraph before it. */
  readonly before: string;
}

const FENCE = /^( *)(`{3,})(\S*) *(.*)$/;

/** Where a fenced block that opens at a line ends. */
function findEnd(lines: readonly string[], at: number, ticks: string): number {
  const end = lines.findIndex((line, index) => index > at && line.trim() === ticks);
  return end < 0 ? lines.length : end;
}

/** The last lines of text before a line, up to an empty one. */
function findBefore(lines: readonly string[], at: number): string {
  const above = lines.slice(0, at).join('\n').trimEnd();
  return above.slice(above.lastIndexOf('\n\n') + 1).trim();
}

/** The code blocks of a page in their order, fenced and indented. */
export function readBlocks(page: string): Block[] {
  const lines = readFileSync(join(packageRoot, page), 'utf8').split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const [, indent = '', ticks, language = '', info = ''] = FENCE.exec(lines[at] ?? '') ?? [];
    const before = findBefore(lines, at);
    if (ticks !== undefined) {
      const end = findEnd(lines, at, ticks);
      const text = lines.slice(at + 1, end).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
      blocks.push({ page, line: at + 2, language, info: info.trim(), text: text.join('\n'), before });
      at = end;
    } else if (/^ {4,}\S/.test(lines[at] ?? '') && lines[at - 1] === '' && !/^\s*(?:[-*]|\d+\.) /.test(before)) {
      blocks.push({ page, line: at + 1, language: 'indented', info: '', text: lines[at] ?? '', before });
    }
  }
  return blocks;
}

/** The file that a block shows: named after its language, or by a comment in its first line. */
export function findPath({ info, text }: Block): string | undefined {
  if (/^[\w.-]+(?:\/[\w.-]+)+$/.test(info)) return info;
  return /^\/\/ (\S+\.ts)$/m.exec(text.split('\n')[0] ?? '')?.[1];
}
