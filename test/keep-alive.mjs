// Loaded into each test process: keeps it alive while a test waits for an unreferenced timer, as a listening server
// does. Without it Node ends the process in the middle of a test ("Exiting early before testing is finished"), and
// every result is lost.
import process from 'node:process';

// Coverage counts this process. What its suites start runs no script of the bundle, and counting costs it a tenth of its time.
delete process.env.NODE_V8_COVERAGE;

/** A test that waits for nothing still ends the process, after a minute. */
const MOST_WAITS = 600;
const WAIT_MS = 100;

let waits = 0;
// uvu sets the exit code when the last suite has ended.
process.on('beforeExit', () => {
  if (process.exitCode !== undefined || waits === MOST_WAITS) return;
  waits += 1;
  setTimeout(() => {}, WAIT_MS);
});
