import { parentPort } from 'node:worker_threads';
import { ValueRefused } from '../src/model/field/field-kind-row.ts';
import { sanitizeHtml } from '../src/model/field/field-kind-sanitize.ts';
import type { HtmlAnswer, HtmlTask } from '../src/pages/html-cleaner.ts';

/** The thread of src/pages/html-cleaner.ts: a separate program, because a thread starts from a file. */
function answer({ id, html }: HtmlTask): HtmlAnswer {
  try {
    return { id, clean: sanitizeHtml(html) };
  } catch (error) {
    if (error instanceof ValueRefused) return { id, refused: error.message };
    return { id, failed: String(error) };
  }
}

parentPort?.on('message', (task: HtmlTask) => parentPort?.postMessage(answer(task)));
