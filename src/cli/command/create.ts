import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { systemRandom } from '../../core/clock.ts';
import { toQuoted } from '../complete.ts';
import { renderAgents } from '../create/agents.ts';
import { findManager, runProgram } from '../create/install.ts';
import {
  type ProjectOptions,
  refuseFullFolder,
  toDependency,
  toProjectFiles,
  writeProject,
} from '../create/project.ts';
import { TEMPLATES, type Template } from '../create/template.ts';
import { createInterruption, EXIT } from '../failure.ts';
import { type CommandSpec, findText, getChoice, getText, type Invocation, isOn, type Outcome } from '../spec.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'dir', description: 'folder of the new project' }],
  options: [
    {
      name: 'template',
      value: 'name',
      description:
        'template to start from: blog (articles, comments, an API, two languages) or bare (accounts and one page)',
      choices: TEMPLATES,
      default: 'blog',
    },
    {
      name: 'use',
      value: 'npm spec',
      description: 'the treadle dependency of the project: a tarball, a folder or a version',
    },
    { name: 'no-install', description: 'does not install the dependencies' },
    { name: 'no-git', description: 'does not create a git repository' },
    { name: 'no-agents', description: 'does not write AGENTS.md, the instructions for coding assistants' },
  ],
  isWriting: true,
  examples: ['treadle create my-blog', 'treadle create my-site --template bare --no-git'],
  async run(invocation) {
    const { values, cwd } = invocation;
    const use = findText(values, 'use');
    const options: ProjectOptions = {
      folder: resolve(cwd, getText(values, 'dir')),
      template: getChoice(values, 'template', TEMPLATES),
      ...(use === undefined ? {} : { treadle: toDependency(use, cwd) }),
      random: systemRandom,
      ...(isOn(values, 'agents') ? { agents: renderAgents() } : {}),
    };
    refuseFullFolder(options.folder);
    if (invocation.isDryRun) return tell(invocation, options, [...toProjectFiles(options).keys()].sort());
    const before = existsSync(options.folder) ? readdirSync(options.folder) : undefined;
    const files = writeProject(options);
    const exitCode = await furnish(invocation, options.folder);
    if (exitCode !== EXIT.interrupted) return tell(invocation, options, files, exitCode);
    clear(options.folder, before);
    throw createInterruption();
  },
};

/** Creates the git repository and installs the dependencies. */
async function furnish({ values, env, terminal }: Invocation, folder: string): Promise<number> {
  if (isOn(values, 'git') && !existsSync(join(folder, '.git'))) {
    const code = await runProgram('git', ['init', '--quiet'], { cwd: folder, env, isShown: false });
    if (code === EXIT.interrupted) return code;
    if (code !== 0) terminal.say('No git repository was created, because git did not run.');
  }
  if (!isOn(values, 'install')) return EXIT.done;
  const manager = findManager(env.npm_config_user_agent);
  terminal.say(`Installing with ${manager} …`);
  const code = await runProgram(manager, ['install'], { cwd: folder, env, isShown: true });
  if (code === 0 || code === EXIT.interrupted) return code;
  terminal.say(`The project is created, but "${manager} install" failed. Run it again in ${folder}.`);
  return EXIT.failed;
}

/** After Ctrl-C: removes what was written, but nothing that existed before, such as a repository. */
function clear(folder: string, before: readonly string[] | undefined): void {
  const written = before === undefined ? [folder] : readdirSync(folder).filter((name) => !before.includes(name));
  for (const path of written) rmSync(resolve(folder, path), { recursive: true, force: true });
}

/** What each template holds. */
const CONTENT: Readonly<Record<Template, string>> = {
  blog: 'articles, comments, an API, two languages. For accounts and one page only: --template bare',
  bare: 'accounts and one page',
};

function tell(invocation: Invocation, options: ProjectOptions, files: readonly string[], exitCode = 0): Outcome {
  const { values, cwd, isDryRun, env } = invocation;
  const { folder, template } = options;
  const manager = findManager(env.npm_config_user_agent);
  const way = relative(cwd, folder);
  const next = [
    ...(way === '' ? [] : [`cd ${toQuoted(way)}`]),
    ...(isOn(values, 'install') ? [] : [`${manager} install`]),
    `${manager} run dev`,
  ];
  return {
    data: {
      folder,
      name: basename(folder),
      template,
      files,
      isDryRun,
      isInstalled: isOn(values, 'install') && exitCode === 0,
    },
    lines: isDryRun
      ? files.map((file) => `would write ${file}`)
      : [`wrote ${files.length} files to ${folder}, from the template "${template}": ${CONTENT[template]}`],
    ...(isDryRun ? {} : { next }),
    exitCode,
  };
}
