// A key of a kind of definition is described in one place: one line adds it, and everything that shows keys has it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packageRoot } from '../../src/core/file/package-root.ts';

const FILE = 'src/model/shape/api.ts';
const LINE = "    mood: z.enum(['calm', 'loud']).optional().describe('Mood of the call.'),";
const NEXT = "    sunset: toDate('Day";

const test = suite('structure/new-key');
// Below the packages, where the bundle finds them.
const cache = join(packageRoot, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'treadle-new-key-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

test('a line in the shape adds a key to files, JSON Schema, flags, prompts, admin form and reference', () => {
  const script = join(packageRoot, 'test/structure/_new-key.mjs');
  const { stdout, stderr } = spawnSync(process.execPath, [script, folder, FILE, NEXT, LINE], { encoding: 'utf8' });
  assert.ok(stdout.startsWith('{'), stdout + stderr);
  const { parsed, schema, help, questions, written, page, reference } = JSON.parse(stdout);
  assert.equal(parsed, [true, false]);
  assert.equal(schema.properties.mood, { description: 'Mood of the call.', type: 'string', enum: ['calm', 'loud'] });
  assert.match(help, /^ +--mood <mood> +mood of the call \(calm, loud\)$/);
  assert.equal(questions, ['What do you want to change?', 'mood (mood of the call):']);
  assert.is(written.mood, 'loud');
  assert.match(page, '>Mood <');
  assert.match(page, '<select class="t-input" id="f-mood" name="mood"');
  assert.match(page, '<option value="loud">loud</option>');
  assert.match(page, '>Mood of the call.<');
  assert.is(reference, '| `mood` | `calm`, `loud` |  | Mood of the call. |');
});

test.run();
