import process from 'node:process';
import type { Invocation } from '../spec.ts';
import type { InputStream } from '../terminal.ts';
import { handleLine } from './server.ts';

/** Characters of one line of a client. */
const MOST_CHARACTERS = 4_000_000;

async function* readLines(input: InputStream): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of input) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    // What nobody ends is dropped, so that it cannot fill the memory.
    if (text.length > MOST_CHARACTERS) text = '';
    yield* lines;
  }
  if (text !== '') yield text;
}

/** Standard output while it belongs to the protocol. */
interface Channel {
  send(line: string): Promise<void>;
  /** Gives standard output back. */
  end(): void;
}

/** The project's code prints to standard output, by `console` or the stream itself: all of it goes to standard error. */
function openChannel({ terminal }: Invocation): Channel {
  const { stdout } = process;
  const { write } = stdout;
  const state = { isOwn: false };
  const divert = ((...given: Parameters<typeof write>) =>
    state.isOwn ? write.apply(stdout, given) : process.stderr.write(...given)) as typeof write;
  stdout.write = divert;
  return {
    async send(line) {
      state.isOwn = true;
      // Written before the promise is there, so nothing else runs in between.
      const sent = terminal.pour(`${line}\n`);
      state.isOwn = false;
      await sent;
    },
    end() {
      if (stdout.write === divert) stdout.write = write;
    },
  };
}

/** Answers the lines of standard input one after the other, until it ends or the process is asked to stop. */
export async function serve(invocation: Invocation): Promise<void> {
  const channel = openChannel(invocation);
  const lines = readLines(invocation.terminal.input);
  const stopped = invocation.untilStopped().then(() => undefined);
  try {
    for (;;) {
      const next = await Promise.race([lines.next(), stopped]);
      if (next === undefined || next.done) return;
      const told = await handleLine(next.value, invocation);
      if (told !== undefined) await channel.send(told);
    }
  } finally {
    channel.end();
  }
}
