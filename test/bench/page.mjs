// Writes measured tables into docs/benchmark.md, each between its marks.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const file = `${root}/docs/benchmark.md`;

export const toTable = (head, rows) =>
  [head, head.map((_, index) => (index === 0 ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

export const toBlock = (text) => `\`\`\`text\n${text.trim()}\n\`\`\``;

/** Date, commit and machine, and what else ran. */
function describe(note) {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const [{ model = 'unknown processor' } = {}, { length }] = [cpus()[0], cpus()];
  const machine = `${length} × ${model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB`;
  const day = new Date().toISOString().slice(0, 10);
  return `${day}, commit ${commit}, Node ${process.versions.node}, ${machine}${note ? `, ${note}` : ''}.`;
}

/** Replaces one section's figures. @throws if the page lacks its marks. */
export function writeSection(name, text, note) {
  const page = readFileSync(file, 'utf8');
  const [start, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/benchmark.md lacks ${start} and ${end}`);
  const filled = `${start}\n${describe(note)}\n\n${text}\n`;
  writeFileSync(file, page.slice(0, from) + filled + page.slice(to));
}
