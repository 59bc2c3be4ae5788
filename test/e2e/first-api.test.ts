import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { placeUrl, removePlace, SERVER } from '../database/_where.ts';
import { Tutorial } from './_tutorial.ts';

const guide = suite('docs/guide/first-api.md');

guide('leads from an empty folder to a first call with a token, by its own commands', async () => {
  const place = placeUrl();
  // The only setting that moves a project to another database.
  const tutorial = new Tutorial({ env: SERVER === undefined ? {} : { DATABASE_URL: place } });
  try {
    await tutorial.run('docs/guide/first-api.md');
    assert.match(tutorial.printed, '"profile_name":"Ann"');
  } finally {
    await tutorial.close();
    await removePlace(place);
  }
});

guide.run();
