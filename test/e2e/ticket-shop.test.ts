// Also on PostgreSQL: transactions decide who buys the last ticket.
import { suite } from 'uvu';
import { placeUrl, removePlace, SERVER } from '../database/_where.ts';
import { Tutorial } from './_tutorial.ts';

const guide = suite('docs/guide/ticket-shop.md');

/** The address of the page's database. */
const DATABASE = 'postgres://tickets:secret@localhost:5432/tickets';

guide('builds the ticket shop from an empty folder, by its own commands and files', async () => {
  const place = placeUrl();
  const tutorial = new Tutorial({
    replace: (text) => text.replaceAll(DATABASE, place),
    without: SERVER === undefined ? ['needs PostgreSQL'] : [],
  });
  try {
    await tutorial.run('docs/guide/ticket-shop.md');
  } finally {
    await tutorial.close();
    await removePlace(place);
  }
  for (const [reason, count] of tutorial.left)
    process.stdout.write(`\nskipped: ${count} blocks of ticket-shop.md: ${reason} (npm run test:pg has it)\n`);
});

guide.run();
