// What an emit does, as one table over the kind of event, what hears of it, where it is emitted and how it ends: the order of
// what runs, what commits, what is rolled back. `emit.golden.txt` was written by the code that this one replaced.
// To keep an intended change: TREADLE_WRITE_GOLDEN=1 node test/run.mjs plan/emit
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EMITTED } from '../../../src/core/bus/bus.ts';
import type { Request } from '../../../src/core/request/request.ts';
import type { Response } from '../../../src/core/request/response.ts';
import type { EventRecord, Feature } from '../../../src/plan/feature.ts';
import { toEvent } from '../_event.ts';
import { build, pair } from '../_setup.ts';

const test = suite('plan/emit/emit');
const GOLDEN = new URL('emit.golden.txt', import.meta.url);

/** Kinds of events, by an event of each. */
const KINDS = {
  read: 'note-search',
  write: 'note-change',
  self: 'note-create',
  silent: 'note-tell',
  own: 'project-event',
  unheard: 'project-nothing',
} as const;
const COMMITS = { self: 'self', silent: 'silent' } as const;
const AFTER = ['-', 'after', 'refuses', 'throws'] as const;
const ENDS = ['succeeds', 'fails', 'throws', 'stopped'] as const;
const PLACES = ['alone', 'unit', 'failed unit'] as const;

interface Case {
  readonly kind: keyof typeof KINDS;
  readonly hook: '-' | 'hook' | 'pattern';
  readonly after: (typeof AFTER)[number];
  readonly committed: boolean;
  readonly place: (typeof PLACES)[number];
  readonly end: (typeof ENDS)[number];
}

function* listCases(): Generator<Case> {
  for (const kind of Object.keys(KINDS) as Case['kind'][])
    for (const hook of ['-', 'hook', 'pattern'] as const)
      for (const after of AFTER)
        for (const committed of [false, true])
          for (const place of PLACES)
            for (const end of kind === 'unheard' ? (['succeeds'] as const) : ENDS)
              yield { kind, hook, after, committed, place, end };
}

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? (error as Error).message);

async function play({ kind, hook, after, committed, place, end }: Case): Promise<string> {
  const event = KINDS[kind];
  const journal: string[] = [];
  const behave = async (_: Request, response: Response): Promise<void> => {
    journal.push('own');
    if (end === 'throws') throw new Error('broken');
    if (end === 'fails') response.refuse({ status: 409, message: 'no' });
    else response.succeed({ id: 1 });
  };
  const toContribution = (name: string, given?: 'self' | 'silent'): EventRecord =>
    toEvent(
      name,
      (context) => async (request, response) => {
        await behave(request, response);
        if (given === 'self' && !response.isError()) await context.committing(name, request, response);
      },
      { checksStage: true, ...(given === undefined ? {} : { kind: given }) },
    );
  const isDeclared = kind !== 'own' && kind !== 'unheard';
  const feature: Feature = {
    name: 'notes',
    contribute: () => ({
      events: [
        ...(isDeclared ? [toContribution(event, (COMMITS as Record<string, 'self' | 'silent'>)[kind])] : []),
        toEvent('job-queue', () => () => void journal.push('queue'), { kind: 'queues' }),
        toEvent('other-write', () => (_, response) => response.refuse({ status: 409, message: 'no' })),
      ],
      commits: [
        () => ({
          handles: (name) => hook !== '-' && name === event,
          commit: async () => void journal.push('hook'),
        }),
      ],
    }),
  };
  const { app, activate, journal: database } = build({ features: [feature] });
  const note = (text: string): void => void journal.push(text);
  // The calls of the database go into the same list.
  database.push = (...texts: string[]): number => journal.push(...texts);
  if (hook !== '-') app.webhook({ type: 'a.b', event: hook === 'hook' ? event : event.replace(/-.*/, '-*') });
  if (kind !== 'unheard')
    app.on(event, async (request, response) => {
      note('on');
      if (kind === 'own') await behave(request, response);
      return end === 'stopped' ? false : undefined;
    });
  if (after !== '-')
    app.after(event, (_, response) => {
      note('after');
      if (after === 'throws') throw new Error('after broke');
      if (after === 'refuses') response.refuse({ status: 422, message: 'taken back' });
    });
  if (committed) app.committed(event, 'later', () => {});
  const context = activate();
  const [request, response] = pair();
  let emitted = '-';
  const emit = async (): Promise<void> => {
    const how = await context.emit(event, request, response);
    emitted = Object.entries(EMITTED).find(([, value]) => value === how)?.[0] ?? String(how);
    response.isError();
  };
  try {
    if (place === 'alone') await emit();
    else
      await app.transaction(async () => {
        if (place === 'failed unit') (await app.emit('other-write', {})).isError();
        await emit();
      });
  } catch (error) {
    note(`throws ${codeOf(error)}`);
  }
  const state = response.isError() ? `error ${response.getStatus()}` : response.hasResults() ? 'results' : 'nothing';
  return `${journal.join(' ')} = ${emitted}, ${state}`;
}

test('each kind of event, whatever hears of it, wherever it is emitted and however it ends', async () => {
  const lines: string[] = [];
  for (const one of listCases()) {
    const { kind, hook, after, committed, place, end } = one;
    const key = [kind, hook, after, committed ? 'committed' : '-', place, end].join(' | ');
    lines.push(`${key} : ${await play(one)}`);
  }
  const text = `${lines.join('\n')}\n`;
  if (process.env.TREADLE_WRITE_GOLDEN === '1') writeFileSync(GOLDEN, text);
  const wanted = readFileSync(GOLDEN, 'utf8').trimEnd().split('\n');
  const wrong = lines.filter((line, index) => line !== wanted[index]);
  assert.equal(wrong.slice(0, 10), [], `${wrong.length} of ${lines.length} differ`);
  assert.is(lines.length, wanted.length);
});

test.run();
