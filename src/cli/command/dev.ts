import { type Problem, ProblemsError, printProblem } from '../../core/errors.ts';
import { ADDRESS_OPTIONS, readAddress } from '../address.ts';
import type { Application } from '../application.ts';
import type { CommandSpec, Invocation } from '../spec.ts';

export const command: CommandSpec = {
  options: ADDRESS_OPTIONS,
  examples: ['treadle dev', 'treadle dev --port 0'],
  async run(invocation) {
    const { terminal, env } = invocation;
    const address = readAddress(invocation);
    const root = invocation.root();
    const [{ createApp }, { watchProject }] = await Promise.all([
      import('../../boot.ts'),
      import('../../project/watch.ts'),
    ]);
    const app = await createApp({ root, mode: 'development', env });
    for (const problem of app.problems) terminal.say(printProblem(problem));
    const stopped = invocation.untilStopped();
    const url = await app.listen(address).catch(async (error: unknown) => {
      await app.close();
      throw error;
    });
    if (terminal.isJson) terminal.document({ url });
    terminal.print(url);
    const reload = createReloader(app, invocation);
    const watch = watchProject(root, reload, {
      onError: (error) =>
        terminal.say(`Files can't be watched: ${error instanceof Error ? error.message : String(error)}`),
    });
    await stopped;
    await watch.close();
    await app.close();
    return { data: undefined };
  },
};

/** Reloads one after the other, however fast files are saved; tells what is wrong, once each time it changes. */
function createReloader(app: Application, { terminal }: Invocation): (files: readonly string[]) => void {
  const state = { queue: Promise.resolve(), isWaiting: false, wasBroken: false };
  const tell = (problems: readonly Problem[]): void => {
    const errors = problems.filter(({ severity }) => severity !== 'advice');
    for (const problem of problems)
      terminal.say(errors.includes(problem) ? terminal.red(printProblem(problem)) : printProblem(problem));
    if (errors.length > 0) terminal.say('The last good version goes on serving.');
    else if (state.wasBroken) terminal.say('Mended.');
    state.wasBroken = errors.length > 0;
  };
  const reload = async (): Promise<void> => {
    state.isWaiting = false;
    try {
      tell(await app.reload());
    } catch (error) {
      if (error instanceof ProblemsError) return tell(error.problems);
      terminal.say(terminal.red(error instanceof Error ? error.message : String(error)));
    }
  };
  return () => {
    // One that waits will see what is saved until it begins.
    if (state.isWaiting) return;
    state.isWaiting = true;
    state.queue = state.queue.then(reload);
  };
}
