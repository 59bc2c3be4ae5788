// The ticket shop of docs/guide/stock.md: talks with a capacity, one ticket per person, a mail for each.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const CODE = `
import type { App } from 'treadle';
export default function shop(app: App) {
  app.after('system-model-create', { schema: 'ticket' }, async (request, response) => {
    const { talk_id, ticket_person } = response.getResults();
    await app.lock('talk ' + talk_id);
    const talk = await app.emit('system-model-detail', { schema: 'talk', talk_id });
    const sold = await app.emit('system-model-search', { schema: 'ticket', filter: { talk_id }, limit: 1 });
    if (Number(sold.getResults('total')) > Number(talk.getResults('talk_capacity'))) {
      response.setStatus(409).setError(true, 'Sold out');
      return;
    }
    const number = 'T-' + response.getResults('ticket_id');
    response.setResults('ticket_number', number);
    await app.mail({ to: ticket_person, template: 'ticket', data: { ticket: number } });
  });
  app.committed('system-model-create', 'ticket-made', async ({ id, results }) => {
    const answer = await fetch(process.env.TELL_URL + '?id=' + id + '&number=' + results.ticket_number);
    if (!answer.ok) throw new Error('answered ' + answer.status);
  }, { schema: 'ticket' });
}
`;

const TALK = {
  name: 'talk',
  singular: 'Talk',
  plural: 'Talks',
  fields: [
    { name: 'title', type: 'text' },
    { name: 'capacity', type: 'number' },
  ],
};
const TICKET = {
  name: 'ticket',
  singular: 'Ticket',
  plural: 'Tickets',
  fields: [
    { name: 'person', type: 'email', filterable: true },
    { name: 'active', type: 'active' },
  ],
  relations: [{ schema: 'talk', kind: '1:1' }],
  unique: [{ columns: ['talk_id', 'ticket_person'], message: 'You have a ticket for this talk' }],
};
const METHODS = { create: 'post', search: 'get' };

/** Writes the shop over a bare project. */
export function writeShop(root) {
  const write = (path, value) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  };
  write('config/schema/talk.json', TALK);
  write('config/schema/ticket.json', TICKET);
  for (const schema of ['talk', 'ticket'])
    for (const [action, method] of Object.entries(METHODS))
      write(`config/rest/public-${schema}-${action}.json`, {
        title: `${action} ${schema}`,
        access: 'public',
        method,
        path: `/public/${schema}/${action}`,
        event: `system-model-${action}`,
        parameters: { schema },
      });
  write('app/www/src/controller/shop.ts', CODE);
  write('app/www/src/template/mail/ticket.txt', 'Subject: Ticket {{ticket}}\n\nYour ticket is {{ticket}}.\n');
  const include = readFileSync(join(root, 'app/www/.treadle.ts'), 'utf8').replace(
    /export default \[/,
    'export default [shop, ',
  );
  write('app/www/.treadle.ts', `import shop from './src/controller/shop';\n${include}`);
}
