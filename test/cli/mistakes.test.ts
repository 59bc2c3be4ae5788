import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Problem } from '../../src/core/errors.ts';
import { packageRoot } from '../../src/core/file/package-root.ts';
import { boot } from '../boot.ts';
import { type Files, Project } from '../project.ts';
import { COMMANDS, FILES, type FileMistake, IN_FILES, IN_SETTINGS, REQUESTS, SETTINGS } from './_mistakes.ts';
import { run } from './run.ts';

const test = suite('cli/mistakes');
/** The page that lists every mistake with what Treadle says. `WRITE_MISTAKES=1` writes it. */
const PAGE = join(packageRoot, 'docs/guide/mistakes.md');
const rows: Record<string, string[]> = {};
const MOST = 260;

const toCell = (text: string): string => {
  // Lists grow with Treadle; the page need not.
  const short = text.replace(/There are [^.]* and \d+ more/g, 'There are …').replace(/ and \d+ more/g, ' and more');
  const plain = short.replace(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('<', '\\<').trim();
  return plain.length > MOST ? `${plain.slice(0, MOST - 1)}…` : plain;
};
const note = (section: string, ...cells: readonly string[]): void => {
  rows[section] = [...(rows[section] ?? []), `| ${cells.map(toCell).join(' | ')} |`];
};

async function check(files: Files): Promise<{ project: Project; problems: Problem[]; code: number }> {
  const project = new Project('blog');
  for (const [file, value] of Object.entries(files)) project.write(file, value);
  const { code, out } = await run(['check', '--json'], { cwd: project.root });
  return { project, problems: JSON.parse(out).problems, code };
}

const toText = ({ message, hint = '' }: Problem): string => `${message} ${hint}`;

function findTold(project: Project, problems: readonly Problem[], { file, line, says }: FileMistake): Problem[] {
  const isThere = (problem: Problem): boolean => {
    if (line === undefined) return true;
    const text = project.read(file).split('\n')[(problem.line ?? 0) - 1] ?? '';
    return text.includes(line);
  };
  return problems.filter((problem) => problem.file === file && toText(problem).includes(says) && isThere(problem));
}

for (const [section, files, mistakes] of [
  ['In definitions, code and templates', FILES, IN_FILES],
  ['In settings and the environment', SETTINGS, IN_SETTINGS],
] as const) {
  test(`${section.toLowerCase()}: one check tells all ${mistakes.length}, with file and line`, async () => {
    const { project, problems, code } = await check(files);
    const silent: string[] = [];
    for (const mistake of mistakes) {
      const [found] = findTold(project, problems, mistake);
      if (!found) silent.push(`${mistake.mistake}: ${mistake.file} ${mistake.says}`);
      else {
        const place = found.line === undefined ? found.file : `${found.file}:${found.line}`;
        note(section, mistake.mistake, `\`${place}\``, toText(found));
      }
    }
    const told = problems.map((problem) => `${problem.file}:${problem.line} ${toText(problem)}`).join('\n');
    assert.equal(silent, [], told);
    assert.is(code, 5);
    await project.remove();
  });
}

test('on the command line: each ends with its exit code and the remedy', async () => {
  const project = new Project('blog');
  const silent: string[] = [];
  for (const [mistake, line, code, says] of COMMANDS) {
    const said = await run(line.split(' '), { cwd: project.root });
    const text = `${said.out}${said.err}`.trim();
    if (said.code !== code || !text.includes(says)) silent.push(`${line}: ${said.code} ${text}`);
    note(
      'On the command line',
      mistake,
      `\`${line}\` (exit code ${said.code})`,
      text.split('\n').slice(0, 2).join(' '),
    );
  }
  assert.equal(silent, []);
  assert.not(existsSync(join(project.root, 'var/dev.json')));
  await project.remove();
});

test('in requests: each is told with its status', async () => {
  const { 'config/schema/talk.json': talk } = FILES;
  const base = { title: 'T', access: 'public', path: '/public/talk', parameters: { schema: 'talk' }, open: true };
  const files = {
    'config/schema/talk.json': talk,
    'config/rest/talk-search.json': { ...base, method: 'get', event: 'system-model-search' },
    'config/rest/talk-create.json': { ...base, method: 'post', event: 'system-model-create' },
    'config/rest/talk-app.json': {
      ...base,
      access: 'app',
      method: 'get',
      path: '/public/app-talk',
      event: 'system-model-search',
    },
  };
  const site = await boot({ files });
  const silent: string[] = [];
  try {
    for (const [mistake, request, status, says, body] of REQUESTS) {
      const [method = '', path = ''] = request.split(' ');
      const headers = {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      };
      const answer = await fetch(`${site.url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
      const text = await answer.text();
      if (answer.status !== status || !text.includes(says)) silent.push(`${request}: ${answer.status} ${text}`);
      const { message = text } = JSON.parse(text) as { message?: string };
      note(
        'In requests',
        mistake,
        `\`${request}\`${body === undefined ? '' : ` \`${body}\``}`,
        `${answer.status} ${message}`,
      );
    }
  } finally {
    await site.close();
  }
  assert.equal(silent, []);
});

test('what can be served is served: a server starts with the mistakes that are no errors, and logs them', async () => {
  const files = Object.fromEntries(
    Object.entries(FILES).filter(([file]) => /^app\/www\/(?:\.treadle|src\/contr)/.test(file)),
  );
  const site = await boot({ files });
  try {
    const warnings = site.app.problems.filter(({ severity }) => severity === 'warning');
    assert.ok(warnings.length >= 18, `${warnings.length}`);
    assert.is((await site.get('/priority')).text, 'x');
    assert.is((await site.cli('routes')).err, '');
  } finally {
    await site.close();
  }
});

test(`the page docs/guide/mistakes.md is true`, () => {
  const count = Object.values(rows).reduce((sum, list) => sum + list.length, 0);
  assert.ok(count >= 60, `${count} mistakes`);
  const head = [
    '# Mistakes and what Treadle says',
    '',
    `${count} mistakes that people make, with the message that each gets. A test makes them all and compares: test/cli/mistakes.test.ts. \`treadle check\` tells every mistake of every file in one go.`,
  ];
  const sections = Object.entries(rows).flatMap(([section, list]) => [
    '',
    `## ${section}`,
    '',
    '| Mistake | Where | Treadle says |',
    '| --- | --- | --- |',
    ...list,
  ]);
  const text = `${[...head, ...sections].join('\n')}\n`;
  if (process.env.WRITE_MISTAKES === '1') writeFileSync(PAGE, text);
  assert.fixture(existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '', text);
});

test.run();
