import { CompiledQuery } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CommitCount } from '../../src/database/recent-versions.ts';
import { withDatabase } from './temporary-database.ts';

const watched = suite('database/watched-commit');

const STATEMENTS: readonly [text: string, touches: boolean][] = [
  ['insert into "note" ("note_text") values (?)', true],
  ['INSERT OR IGNORE INTO note (note_text) VALUES (1)', true],
  ['update note set note_text = 1', true],
  ['update "public"."note" as t set note_text = 1', true],
  ['delete from only note', true],
  ['with gone as (delete from note returning *) select * from gone', true],
  ['truncate table note', true],
  ['drop table if exists "note"', true],
  ['alter table note add column x text', true],
  ['select * from note', false],
  ['insert into tag (note_id) select note_id from note', false],
  ['update tag set note_id = 1 where note_id in (select note_id from note)', false],
  ['insert into note_more (x) values (1)', false],
  ['delete from "notes"', false],
];

for (const [text, touches] of STATEMENTS)
  watched(`${touches ? 'takes' : 'does not take'} for a write of note: ${text}`, () => {
    const commits = new CommitCount();
    assert.not.ok(commits.touches(text));
    commits.watch(['note']);
    assert.is(commits.touches(text), touches);
  });

watched('counts the commits that write a watched table, and no others', () =>
  withDatabase(async ({ database }) => {
    const versions = database.recentVersions;
    const run = (text: string): Promise<unknown> => database.run(CompiledQuery.raw(text));
    versions?.watch(['note']);
    const begun = Number(versions?.watched);
    const counts: (number | undefined)[] = [];
    const count = (): unknown => counts.push(versions?.watched === undefined ? undefined : versions.watched - begun);
    await run('insert into tag (tag_id) values (1)');
    count();
    await run("insert into note (note_id, note_text) values (1, 'a')");
    count();
    await run('select * from note');
    count();
    await database.transaction(async () => {
      await run("update note set note_text = 'b'");
      // Nobody sees it yet.
      count();
    });
    count();
    await database.transaction(() => run('update tag set note_id = 1'));
    count();
    await database
      .transaction(() => run('delete from note where note_id = 7').then(() => Promise.reject()))
      .catch(() => {});
    count();
    assert.equal(counts, [0, 1, 1, 1, 2, 2, 2]);
  }),
);

watched('says nothing while a commit is under way', async () => {
  const commits = new CommitCount();
  commits.watch(['note']);
  let end = (): void => {};
  const commit = commits.track(
    () =>
      new Promise<void>((resolve) => {
        end = resolve;
      }),
    true,
  );
  assert.is(commits.watched, undefined);
  end();
  await commit;
  assert.is(commits.watched, 1);
});

watched.run();
