import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemRandom } from '../../core/clock.ts';
import { packageRoot } from '../../core/file/package-root.ts';
import { type MainOptions, main } from '../main.ts';
import { writeProject } from './project.ts';

/** Sample files, in the order of their references. */
const SAMPLES = ['profile', 'article', 'comment'] as const;

/**
 * The start command of Treadle's own repository: creates the demo blog if it is missing, with its sample rows, and
 * serves it until it is stopped.
 *
 * @param folder Default: `demo`, which git ignores.
 */
export async function startDemo(
  folder: string = join(packageRoot, 'demo'),
  options: MainOptions = {},
): Promise<number> {
  if (!existsSync(join(folder, 'config', 'settings.json')))
    writeProject({ folder, template: 'blog', random: systemRandom });
  // The first command that opens the database migrates it.
  if (!existsSync(join(folder, 'var', 'app.db'))) {
    for (const name of SAMPLES) {
      const said: string[] = [];
      const file = join('fixture', `${name}.ndjson`);
      const stdout = { write: (text: string) => said.push(text) };
      const code = await main(['import', name, file, '--cwd', folder, '--json'], { ...options, stdout });
      if (code === 0) continue;
      (options.stderr ?? process.stderr).write(said.join(''));
      // The next start begins again, instead of serving half of the samples.
      rmSync(join(folder, 'var'), { recursive: true, force: true });
      return code;
    }
  }
  return main(['dev', '--cwd', folder], options);
}
