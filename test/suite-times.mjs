// Loaded into each test process with --times: prints what each suite of the process used of the processor, in seconds,
// without child processes. uvu prints the name of a file before it runs the file's suites.
import process from 'node:process';

// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes are control characters.
const FILE = /^(?:\u001b\[\d+m)*([\w./-]+\.test)\.js\S*\n$/;
const readSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
const seconds = [];
let name = 'imports';
let begun = 0;
const write = process.stdout.write.bind(process.stdout);
function close() {
  const now = readSeconds();
  seconds.push(`suite-time ${name} ${(now - begun).toFixed(3)}\n`);
  begun = now;
}
process.stdout.write = (text, ...rest) => {
  const [, next] = FILE.exec(String(text)) ?? [];
  if (next !== undefined) {
    close();
    name = next;
  }
  return write(text, ...rest);
};
process.on('exit', () => {
  close();
  process.stderr.write(seconds.join(''));
});
