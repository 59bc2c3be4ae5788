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

/** The project's code prints to standard output, which belongs to the protocol: it is led to standard error. Returns the way back. */
function divertConsole({ terminal }: Invocation): () => void {
  const names = ['log', 'info', 'debug'] as const;
  const before = names.map((name) => console[name]);
  for (const name of names) console[name] = (...parts: unknown[]) => terminal.say(parts.map(String).join(' '));
  return () => {
    for (const [index, name] of names.entries()) console[name] = before[index] ?? console.error;
  };
}

/** Answers the lines of standard input one after the other, until it ends or the process is asked to stop. */
export async function serve(invocation: Invocation): Promise<void> {
  const restore = divertConsole(invocation);
  const lines = readLines(invocation.terminal.input);
  const stopped = invocation.untilStopped().then(() => undefined);
  try {
    for (;;) {
      const next = await Promise.race([lines.next(), stopped]);
      if (next === undefined || next.done) return;
      const told = await handleLine(next.value, invocation);
      if (told !== undefined) await invocation.terminal.pour(`${told}\n`);
    }
  } finally {
    restore();
  }
}
